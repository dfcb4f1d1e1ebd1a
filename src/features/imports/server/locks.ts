import { declareLock } from '#platform/server/locks.ts';

/**
 * Held by whoever begins an import in a workspace, so that many starts at the same moment are all
 * counted.
 */
export const importStartsLock = declareLock({
  name: 'starts of imports',
  number: 7205,
  rank: 10,
  meanwhile: 'Another import is being begun',
});

/**
 * Locks a set of staging tables; its key is the slot. The engine holds it as long as its connection
 * lives.
 */
export const importSlotsLock = declareLock({
  name: 'slots of imports',
  number: 7202,
  rank: 5,
  meanwhile: 'An import is at work',
});

/**
 * Held by `claim_import` in the database, so that processes that claim at the same moment count
 * what the others took.
 */
export const importClaimsLock = declareLock({
  name: 'claims of imports',
  number: 7209,
  rank: 1,
  meanwhile: 'An import is being taken up',
});
