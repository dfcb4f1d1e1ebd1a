import type { Database } from '#platform/server/database.ts';
import type { Idempotency } from '#platform/server/idempotency.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  endFailedCall,
  type KeptCall,
  keepAnswer,
  markCallDone,
  reserveCall,
  selectCall,
} from './queries.ts';

/**
 * Answers of calls that were sent with an idempotency key. The database keeps them for a day, per
 * workspace.
 */
export function createIdempotency(db: Database): Idempotency {
  return {
    begin: (workspaceId, key, fingerprint) =>
      db.asTenant(workspaceId, async (tx) => {
        if (await reserveCall(tx, workspaceId, key, fingerprint)) return null;
        return answerOf(await selectCall(tx, workspaceId, key), fingerprint);
      }),
    find: (workspaceId, key, fingerprint) =>
      db.asTenant(workspaceId, async (tx) => {
        const kept = await selectCall(tx, workspaceId, key);
        return kept ? answerOf(kept, fingerprint) : null;
      }),
    markDone: (tx, workspaceId, key, answer) => markCallDone(tx, workspaceId, key, answer),
    keep: (workspaceId, key, answer) =>
      db.asTenant(workspaceId, (tx) => keepAnswer(tx, workspaceId, key, answer)),
    fail: (workspaceId, key, answers) =>
      db.asTenant(workspaceId, (tx) => endFailedCall(tx, workspaceId, key, answers)),
  };
}

function answerOf(kept: KeptCall | undefined, fingerprint: Buffer): { status: number; body: string } {
  if (kept && !kept.fingerprint.equals(fingerprint)) {
    throw new AppError(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another call. Take a new key for each call.',
    );
  }
  if (kept && kept.status !== null && kept.body !== null) return { status: kept.status, body: kept.body };
  throw new AppError(
    'conflict',
    kept?.isDone
      ? 'The call with this Idempotency-Key has changed data, and its answer is not there: it is still at work, or it was ' +
          'cut off. It is not repeated. Ask again in a moment, or look at what it did.'
      : 'The call with this Idempotency-Key is still at work. Ask again in a moment.',
    { retryAfter: 2 },
  );
}
