import { declareLock } from '#platform/server/locks.ts';

/**
 * Guards a workspace's removals. Whoever moves contacts to the bin and back, or changes their
 * addresses, takes it before locking any of their rows. An import holds rows of lists and domains
 * for minutes; whoever waited for one with this lock would stop every removal of the workspace.
 */
export const removalsLock = declareLock({
  name: 'removals',
  number: 7208,
  rank: 30,
  meanwhile: 'Contacts of this workspace are being removed, restored or corrected',
  patienceMs: 800,
});
