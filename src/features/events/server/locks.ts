import { declareLock } from '#platform/server/locks.ts';

/** Held by `sequence_events` in the database, so that one process at a time numbers events. */
export const sequencerLock = declareLock({
  name: 'sequencer of events',
  number: 7214,
  rank: 4,
  meanwhile: 'Events are being put in order',
});
