import { declareLock } from '#platform/server/locks.ts';

/**
 * Held by whoever adds images to a workspace or removes them for good, so that what they take up is
 * counted once, and none is brought back while its file goes.
 */
export const imagesLock = declareLock({
  name: 'images',
  number: 7211,
  rank: 60,
  meanwhile: 'Images of this workspace are being stored',
});
