import { declareLock } from '#platform/server/locks.ts';

/**
 * Of a workspace's figures and its suppression list: shared for who adds or removes contacts,
 * exclusive for who changes the list. The function `suppress_hashed_contacts` takes it too.
 */
export const figuresLock = declareLock({
  name: 'figures',
  number: 7201,
  rank: 50,
  meanwhile: "The workspace's contacts or its suppression list are being changed",
});
