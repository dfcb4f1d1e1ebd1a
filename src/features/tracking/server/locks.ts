import { declareLock } from '#platform/server/locks.ts';

/**
 * Held by whoever asks for another address, so that requests of the same moment are all counted.
 */
export const addressRequestsLock = declareLock({
  name: 'requests for another address',
  number: 7241,
  rank: 78,
  meanwhile: 'Others are changing their addresses',
});
