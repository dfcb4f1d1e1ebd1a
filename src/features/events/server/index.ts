import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { streamTypesOfAll } from '#platform/server/feature.ts';
import { eventCalls, keptDays } from '../contract.ts';
import { eventWords } from '../rules/words.ts';
import { contactsInStream } from './follow-contacts.ts';
import { listEvents } from './list-events.ts';
import { mailingSubjectsPort } from './mailings-port.ts';
import { forgetOldest } from './queries.ts';
import { Sequencer } from './sequencer.ts';

export { type MailingSubject, mailingSubjectsPort } from './mailings-port.ts';
export { eventsNoted, noteEvents } from './write-events.ts';

export const eventsFeature: ServerFeature = {
  name: 'events',
  contract: (all) => eventCalls(streamTypesOfAll(all)),
  words: eventWords,
  streamTypes: {
    'contact.removed': 'contacts went to the bin.',
    'contact.restored': 'they came back.',
    'contact.merged': 'contacts became one; the subject is the one that is kept.',
  },
  create,
};

/** Deleted in one transaction. */
const forgottenAtOnce = 10_000;

function create({ db, log, config, features, find }: FeatureContext): FeatureParts {
  const sequencer = new Sequencer({ db: db.system, log });
  const calls = eventCalls(streamTypesOfAll(features));
  return {
    routes(router) {
      router.handle(calls.listEvents, ({ workspaceId, query }) =>
        db.asTenant(workspaceId, (tx) => listEvents(tx, workspaceId, query, find(mailingSubjectsPort))),
      );
    },
    contactFollower: contactsInStream,
    nightly: [
      {
        name: 'events.forget',
        async run(workspaceId) {
          const range = { days: keptDays, most: forgottenAtOnce };
          while (
            (await db.asTenant(workspaceId, (tx) => forgetOldest(tx, workspaceId, range))) >= forgottenAtOnce
          );
        },
      },
    ],
    start() {
      // A process that serves people leaves the work to workers.
      if (config.role !== 'web') sequencer.begin();
    },
    stopWork: () => sequencer.stop(),
  };
}
