import { classifyReply } from '#features/bounces/rules/classify/classify.ts';
import { kindOf } from '#features/bounces/rules/kinds.ts';
import { waitAfterBreak, waitBefore } from '../../rules/retries.ts';
import type { Answer } from '../send-queries.ts';
import type { Outcome } from '../smtp/connection.ts';
import { replyInWords } from '../smtp/replies.ts';

/** A try of a send. */
export interface Attempt {
  id: number;
  /** Its number. */
  attempt: number;
  /** Seconds since the first one that a server did not take. */
  triedSeconds: number;
}

type Refusal = Extract<Outcome, { kind: 'refused' }>;

/** What the ledger says of an outcome. */
export function answerOf(tried: Attempt, outcome: Outcome): Answer {
  const { id, attempt } = tried;
  const base = { id, attempt, waitSeconds: null };
  switch (outcome.kind) {
    case 'accepted':
      return { ...base, state: 'sent', reason: null, reply: replyInWords(outcome.reply) };
    case 'uncertain':
      return { ...base, state: 'uncertain', reason: 'no_answer', reply: outcome.why };
    case 'not_taken':
      return answerOfBreak(tried, outcome.why);
    case 'refused':
      return answerOfRefusal(tried, outcome);
  }
}

function answerOfBreak({ id, attempt, triedSeconds }: Attempt, reply: string): Answer {
  const waitSeconds = waitAfterBreak({ attempts: attempt, seconds: triedSeconds });
  const state = waitSeconds === null ? 'failed' : 'deferred';
  return { id, attempt, state, waitSeconds, reason: 'connection', reply };
}

function answerOfRefusal(tried: Attempt, { reply, phase }: Refusal): Answer {
  const { id, attempt, triedSeconds } = tried;
  const base = { id, attempt, reply: replyInWords(reply) };
  const bounce = classifyReply({ ...reply, phase });
  const { next } = bounce;
  // A server ends the connection with it, and has not heard yet whom the message is for.
  if (reply.code === 421 && phase === 'sender' && next.how === 'retry')
    return answerOfBreak(tried, base.reply);
  if (next.how === 'fail' || (next.how === 'stop' && !next.isKept))
    return { ...base, state: 'failed', reason: 'refused', waitSeconds: null, bounce };
  const usual = waitBefore({ attempts: attempt, seconds: triedSeconds });
  if (usual === null) return { ...base, state: 'failed', reason: 'gave_up', waitSeconds: null, bounce };
  // Its mailing is paused, and it leaves as soon as that goes on.
  if (next.how === 'stop') return { ...base, state: 'pending', reason: null, waitSeconds: null };
  return {
    ...{ ...base, state: 'deferred', reason: 'refused_for_now' },
    ...{ waitSeconds: Math.max(usual, next.seconds), slowsDomain: next.slowsDomain },
  };
}

/** Why nothing of the mailing would get through to anybody, in words. Null when that is not so. */
export function reasonToStop(outcome: Outcome): string | null {
  if (outcome.kind !== 'refused') return null;
  const { kind, next } = classifyReply({ ...outcome.reply, phase: outcome.phase });
  if (next.how !== 'stop') return null;
  return `${kindOf(kind).words}. The mail server said: ${replyInWords(outcome.reply)}`;
}
