import { declareLock } from '#platform/server/locks.ts';

/**
 * Guards a workspace's figures and its suppression list. Whoever adds or removes contacts takes it
 * shared; whoever changes the list takes it exclusively. The function `suppress_hashed_contacts`
 * takes it too.
 */
export const figuresLock = declareLock({
  name: 'figures',
  number: 7201,
  rank: 50,
  meanwhile: "The workspace's contacts or its suppression list are being changed",
});
