import { declareLock } from '#platform/server/locks.ts';

/**
 * Held by whoever starts to import a suppression list, so that many starts at the same moment are
 * all counted.
 */
export const listStartsLock = declareLock({
  name: 'starts of suppression lists',
  number: 7206,
  rank: 15,
  meanwhile: 'Another suppression list is being begun',
});

/** Lets one list at a time come into a workspace. */
export const listLock = declareLock({
  name: 'incoming suppression list',
  number: 7204,
  rank: 20,
  meanwhile: 'Another suppression list is coming in',
});
