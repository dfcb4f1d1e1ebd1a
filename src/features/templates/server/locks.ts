import { declareLock } from '#platform/server/locks.ts';

/** Held by whoever keeps a block, so that two at once do not make one too many. */
export const blocksLock = declareLock({
  name: 'template blocks',
  number: 7212,
  rank: 70,
  meanwhile: 'Blocks of this workspace are being kept',
});
