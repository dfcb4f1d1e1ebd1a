import type { Database } from '#platform/server/database.ts';
import type { Idempotency } from '#platform/server/idempotency.ts';
import { AppError } from '#platform/shared/errors.ts';
import { keepAnswer, releaseCall, reserveCall, selectCall } from './queries.ts';

/** Answers of calls that were sent with an idempotency key, kept in the database for a day, for a workspace each. */
export function createIdempotency(db: Database): Idempotency {
  return {
    begin: (workspaceId, key, fingerprint) =>
      db.asTenant(workspaceId, async (tx) => {
        if (await reserveCall(tx, workspaceId, key, fingerprint)) return null;
        const kept = await selectCall(tx, workspaceId, key);
        if (kept && !kept.fingerprint.equals(fingerprint)) {
          throw new AppError(
            'idempotency_mismatch',
            'This Idempotency-Key was used for another call. Take a new key for each call.',
          );
        }
        if (!kept || kept.status === null || kept.body === null) {
          throw new AppError(
            'conflict',
            'The call with this Idempotency-Key is still at work. Ask again in a moment.',
            {
              retryAfter: 2,
            },
          );
        }
        return { status: kept.status, body: kept.body };
      }),
    keep: (workspaceId, key, answer) =>
      db.asTenant(workspaceId, (tx) => keepAnswer(tx, workspaceId, key, answer)),
    release: (workspaceId, key) => db.asTenant(workspaceId, (tx) => releaseCall(tx, workspaceId, key)),
  };
}
