import { declareLock } from '#platform/server/locks.ts';

/** Held by whoever gives a list rules, so that two at once do not lead to each other. */
export const listRulesLock = declareLock({
  name: 'rules of lists',
  number: 7240,
  rank: 72,
  meanwhile: 'Rules of lists are being saved',
});
