import { declareLock } from '#platform/server/locks.ts';

/**
 * Held by `claim_waiting_task` in the database, so that processes that claim at the same moment
 * count what the others took.
 */
export const taskClaimsLock = declareLock({
  name: 'claims of tasks',
  number: 7210,
  rank: 2,
  meanwhile: 'A task is being taken up',
});
