import { createReferences } from '#features/messages/server/index.ts';
import { Batches } from '#platform/server/batches.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import * as contract from '../contract.ts';
import { type TrackingContext, trackedSendsPort } from './context.ts';
import { carryOutWishes } from './leave.ts';
import { writeEvents } from './note-event.ts';
import { forgetEvents } from './queries.ts';
import { registerTracking } from './routes.ts';

export { type TrackedSends, trackedSendsPort } from './context.ts';
export { countedLinks, messageLinks, storeLinks } from './links.ts';
export { type MailingFigures, selectDetails, selectFigures } from './queries.ts';

/** How many months single events are kept. Their figures stay. */
const keptMonths = 25;

export const trackingFeature: ServerFeature = { name: 'tracking', contract, create };

function create({ db, config, log, use, find }: FeatureContext): FeatureParts {
  const workspaces = use(workspacesPort);
  const context: TrackingContext = {
    db,
    references: createReferences([config.secretKey, ...config.previousSecretKeys]),
    sends: () => find(trackedSendsPort),
    events: new Batches((events) => inBackground(() => writeEvents(db, events)), 500),
  };
  return {
    routes: (router) => registerTracking(router, context),
    jobs: [
      {
        name: 'tracking.carry-out-wishes',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => {
          for (const workspaceId of await workspaces()) {
            signal.throwIfAborted();
            await carryOutWishes(db, workspaceId).catch((error: unknown) =>
              log.warn({ err: error, workspaceId }, 'wishes to leave wait for the suppression list'),
            );
          }
        },
      },
    ],
    nightly: [
      {
        name: 'tracking.forget',
        run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetEvents(tx, workspaceId, keptMonths)),
      },
    ],
  };
}
