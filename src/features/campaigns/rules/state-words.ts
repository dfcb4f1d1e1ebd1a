import { keptReply } from '#features/sending/rules/kept-reply.ts';
import { reasonInWords } from '#features/sending/rules/reason-words.ts';

const states: Record<string, string> = {
  pending: 'Waits for its turn',
  sent: 'Taken by the mail server',
  deferred: 'Waits for another try',
  failed: 'Refused for good',
  skipped: 'Not mailed after all',
  uncertain: 'Handed over, but the answer was never seen',
  left_out: 'Left out',
};

/** Where a recipient stands, for people. What no mail server took does not claim that one did. */
export function stateInWords(state: string, reason: string | null, reply: string | null = null): string {
  if (state === 'sent' && reply?.endsWith(keptReply)) return keptReply;
  const what = states[state] ?? state;
  // Of an uncertain one, that says it all.
  const why = reason === null || state === 'uncertain' ? null : reasonInWords(reason);
  return why === null ? what : `${what}: ${why}`;
}
