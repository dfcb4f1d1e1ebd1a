import { waitBefore } from '../../rules/retries.ts';
import type { Answer } from '../send-queries.ts';
import type { Outcome } from '../smtp/connection.ts';
import { replyInWords } from '../smtp/replies.ts';

/** A connection that broke says nothing about the recipient. The next one is tried soon. */
const brokenSeconds = 60;

/** What the ledger says of an outcome. */
export function answerOf(id: number, attempt: number, outcome: Outcome): Answer {
  const base = { id, attempt, waitSeconds: null };
  switch (outcome.kind) {
    case 'accepted':
      return { ...base, state: 'sent', reason: null, reply: replyInWords(outcome.reply) };
    case 'uncertain':
      return { ...base, state: 'uncertain', reason: 'no_answer', reply: outcome.why };
    case 'not_taken': {
      const waitSeconds = waitBefore(attempt) === null ? null : brokenSeconds;
      const state = waitSeconds === null ? 'failed' : 'deferred';
      return { ...base, state, waitSeconds, reason: 'connection', reply: outcome.why };
    }
    case 'refused': {
      const { code } = outcome.reply;
      const waitSeconds = code < 500 ? waitBefore(attempt) : null;
      const reply = replyInWords(outcome.reply);
      return waitSeconds === null
        ? { ...base, state: 'failed', reason: code < 500 ? 'gave_up' : 'refused', reply }
        : { ...base, state: 'deferred', waitSeconds, reason: 'refused_for_now', reply };
    }
  }
}
