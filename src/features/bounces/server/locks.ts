import { declareLock } from '#platform/server/locks.ts';

/** Held by whoever keeps a mail for reading, so that mails of the same moment are all counted. */
export const keptMailsLock = declareLock({
  name: 'kept bounce mails',
  number: 7215,
  rank: 76,
  meanwhile: 'Mails that came back are being kept',
});
