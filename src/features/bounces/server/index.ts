import { trackedSendsPort } from '#features/tracking/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import { bounceEvents } from '../contract/contact-events.ts';
import { BounceBook, bouncesPort } from './bounces.ts';
import { tellEvents } from './contact-events.ts';
import { bouncedMailingsPort } from './mailings-port.ts';
import { personal } from './personal.ts';
import { forgetBounces } from './queries.ts';

export { type BounceNews, type Bounces, bouncesPort } from './bounces.ts';
export { type BouncedMailings, bouncedMailingsPort } from './mailings-port.ts';
export { type BounceFigures, selectBounceFigures } from './queries.ts';

/** How many months single bounces are kept. Their figures stay. */
const keptMonths = 25;

export const bouncesFeature: ServerFeature = {
  name: 'bounces',
  eventKinds: bounceEvents,
  create,
};

function create({ db, log, use, find, offer }: FeatureContext): FeatureParts {
  const workspaces = use(workspacesPort);
  // Asked for when they are needed: what sends is made after this.
  const sends = () => find(trackedSendsPort);
  const book = new BounceBook({ db, log, sends, mailings: () => find(bouncedMailingsPort) });
  offer(bouncesPort, book);
  return {
    contactEvents: { scope: 'campaigns:read', tell: tellEvents(sends) },
    personal,
    jobs: [
      {
        name: 'bounces.tell-suppressions',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => {
          for (const workspaceId of await workspaces()) {
            signal.throwIfAborted();
            await book
              .carryOut(workspaceId)
              .catch((error: unknown) =>
                log.warn({ err: error, workspaceId }, 'bounces wait for the suppression list'),
              );
          }
        },
      },
    ],
    nightly: [
      {
        name: 'bounces.forget',
        run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetBounces(tx, workspaceId, keptMonths)),
      },
    ],
    stopWork: () => book.settle(),
  };
}
