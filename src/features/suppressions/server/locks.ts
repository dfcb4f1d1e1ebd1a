import { declareLock } from '#platform/server/locks.ts';

/**
 * Of who begins to bring in a suppression list, so that of many at the same moment each is counted.
 */
export const listStartsLock = declareLock({
  name: 'starts of suppression lists',
  number: 7206,
  rank: 15,
  meanwhile: 'Another suppression list is being begun',
});

/** Of the one list that comes into a workspace at a time. */
export const listLock = declareLock({
  name: 'incoming suppression list',
  number: 7204,
  rank: 20,
  meanwhile: 'Another suppression list is coming in',
});
