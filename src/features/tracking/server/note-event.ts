import { withContext } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import { insertEvents, type NewEvent } from './queries.ts';

/** Writes events of several workspaces, each workspace's in one transaction. */
export async function writeEvents(
  db: Database,
  events: readonly (NewEvent & { workspaceId: number })[],
): Promise<null[]> {
  const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId);
  for (const [workspaceId, own] of byWorkspace)
    await withContext({ purpose: 'public' }, () =>
      db.asTenant(workspaceId, (tx) =>
        insertEvents(
          tx,
          workspaceId,
          own.map(({ workspaceId: _, ...event }) => event),
        ),
      ),
    );
  return events.map(() => null);
}
