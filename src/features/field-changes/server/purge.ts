import { keptForUndoDays } from '#features/tasks/rules/undoable.ts';
import type { Database } from '#platform/server/database.ts';
import { purgeChanges, purgeKept } from './change-queries.ts';

const pieceToPurge = 50_000;

/** Forgets changes that can no longer be undone, piece by piece. */
export async function purge(
  db: Database,
  workspaceId: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let gone = pieceToPurge; gone === pieceToPurge && !signal?.aborted; )
    gone = await db.asTenant(workspaceId, (tx) => purgeKept(tx, workspaceId, keptForUndoDays, pieceToPurge));
  await db.asTenant(workspaceId, (tx) => purgeChanges(tx, workspaceId, keptForUndoDays));
}
