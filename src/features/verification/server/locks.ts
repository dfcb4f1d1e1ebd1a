import { declareLock } from '#platform/server/locks.ts';

/**
 * Guards a workspace's verdicts. Taken by whoever writes them, removes contacts or changes their
 * addresses.
 */
export const verdictsLock = declareLock({
  name: 'verdicts',
  number: 7203,
  rank: 40,
  meanwhile: 'Contacts of this workspace are being verified or removed',
});
