import { declareLock } from '#platform/server/locks.ts';

/**
 * Of a workspace's verdicts: for who writes them, and who removes contacts or changes their
 * addresses.
 */
export const verdictsLock = declareLock({
  name: 'verdicts',
  number: 7203,
  rank: 40,
  meanwhile: 'Contacts of this workspace are being verified or removed',
});
