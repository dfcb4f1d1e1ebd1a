import type { Memberships } from '#features/memberships/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { each, eachWorkspace } from '#platform/server/each-workspace.ts';
import type { FeatureParts } from '#platform/server/feature.ts';
import { LockBusy, waitAtMost } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import { listKind } from './list-kind.ts';
import {
  endWaiting,
  selectWaiting,
  selectWorkspacesWithWaiting,
  type WaitingLeaving,
} from './topic-queries.ts';

interface Parts {
  db: Database;
  memberships: Pick<Memberships, 'byReaders'>;
}

/** How long a list is waited for. Then its turn comes in the next minute. */
const patienceMs = 800;
/** So many times somebody holds what is needed. Then the rest waits for the next minute. */
const mostWaits = 3;

/**
 * Takes readers off the lists that they left while an import held them. Nothing of these is handed
 * over to them meanwhile.
 */
export const endWaitingLeavings = (parts: Parts): NonNullable<FeatureParts['jobs']>[number] => ({
  name: 'lists.end-waiting-leavings',
  schedule: '* * * * *',
  handler: async (_data, { log, signal }) => {
    const failed = 'Readers could not be taken off the lists they left in a workspace';
    await eachWorkspace(
      () => selectWorkspacesWithWaiting(parts.db.system),
      { failed, log, signal },
      async (workspaceId) => {
        const waiting = await parts.db.asTenant(workspaceId, (tx) => selectWaiting(tx, workspaceId));
        const about = ({ id, listId }: WaitingLeaving) => ({ workspaceId, leaving: id, listId });
        let waits = 0;
        await each(waiting, { failed: 'A reader waits to be taken off', log, signal, about }, async (one) => {
          if (waits === mostWaits) return;
          try {
            await takeOff(parts, workspaceId, one);
          } catch (error) {
            if (error instanceof LockBusy) waits += 1;
            throw error;
          }
        });
      },
    );
  },
});

const takeOff = (
  { db, memberships: { byReaders } }: Parts,
  workspaceId: number,
  { id, listId }: WaitingLeaving,
): Promise<void> =>
  db.asTenant(workspaceId, (tx) =>
    waitAtMost(tx, patienceMs, 'The list is being changed', async () => {
      const isThere = await byReaders.hold(tx, workspaceId, listKind, listId).then(
        () => true,
        (error) => {
          // The list was deleted. Whoever brings it back meets the leaving.
          if (error instanceof AppError && error.kind === 'not_found') return false;
          throw error;
        },
      );
      if (!isThere) return;
      for (const contactId of await endWaiting(tx, workspaceId, id))
        await byReaders.remove(tx, workspaceId, listKind, { groupId: listId, contactId });
    }),
  );
