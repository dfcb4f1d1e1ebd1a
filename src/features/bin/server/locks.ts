import { declareLock } from '#platform/server/locks.ts';

/**
 * Of a workspace's removals: for who moves contacts to the bin and back, or changes their
 * addresses. Before any row of theirs.
 */
export const removalsLock = declareLock({
  name: 'removals',
  number: 7208,
  rank: 30,
  meanwhile: 'Contacts of this workspace are being removed, restored or corrected',
});
