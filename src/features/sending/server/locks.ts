import { declareLock } from '#platform/server/locks.ts';

/**
 * Held by `claim_freeze` in the database, so that two processes never write down two mailings of
 * one workspace at the same time.
 */
export const freezeClaimsLock = declareLock({
  name: 'claims of mailings',
  number: 7213,
  rank: 3,
  meanwhile: 'A mailing is being taken up',
});
