import { declareLock } from '#platform/server/locks.ts';

/**
 * Guards a workspace's removals. Whoever moves contacts to the bin and back, or changes their
 * addresses, takes it before locking any of their rows.
 */
export const removalsLock = declareLock({
  name: 'removals',
  number: 7208,
  rank: 30,
  meanwhile: 'Contacts of this workspace are being removed, restored or corrected',
});
