import { createLinkKeys } from '#features/links/server/index.ts';
import { mailPort } from '#features/mail/server/index.ts';
import { eachWorkspace } from '#platform/server/each-workspace.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import { trackingEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { addressChangesPort } from './address/changes-port.ts';
import { deleteOldRequests } from './address/request-queries.ts';
import { lastActivity, tellEvents } from './contact-events.ts';
import type { TrackingContext } from './context.ts';
import { EventWriter } from './counting/event-writer.ts';
import { Countries } from './countries.ts';
import { keepEventMonths, keptMonths } from './event-months.ts';
import { Guard } from './http/guard.ts';
import { Turns } from './http/turns.ts';
import { AgentBook } from './judging/agent-book.ts';
import { BurstWatch } from './judging/burst-watch.ts';
import { judgeAgain, judgeBurst } from './judging/judge-again.ts';
import { deleteOldAgents } from './judging/queries.ts';
import { breakOfGone } from './leaving/breaks.ts';
import { deleteOldPauses } from './leaving/pause-queries.ts';
import { WishBook } from './leaving/wish-book.ts';
import { deleteOldWishes, selectWorkspacesWithWishes } from './leaving/wish-queries.ts';
import { carryOutWishes } from './leaving/wishes.ts';
import { personal } from './personal.ts';
import { registerTracking } from './routes.ts';
import { trackedSendsPort } from './sends-port.ts';
import { TargetCache } from './target-cache.ts';
import { topicsPort } from './topics-port.ts';

export { pausesIn, staysAway } from './leaving/pause-queries.ts';
export { carryStayingAway } from './leaving/wishes.ts';
export {
  selectDetails,
  selectFigures,
  selectHoursOfWeek,
  selectOpensByHour,
} from './queries.ts';
export { readersWho, readersWhoFollowed, selectActs, selectPeopleByLink } from './readers.ts';
export { type SendKey, type TrackedSend, type TrackedSends, trackedSendsPort } from './sends-port.ts';
export { storeLinks } from './target-queries.ts';
export { type Topics, topicsPort } from './topics-port.ts';

/** How many days a wish to leave is kept after it was carried out, and a request to move. */
const keptWishDays = 30;

export { addressChangesPort } from './address/changes-port.ts';

export const trackingFeature: ServerFeature = {
  name: 'tracking',
  contract,
  eventKinds: trackingEvents,
  streamTypes: {
    'email.opened': 'messages were opened; `data.human` is false for machines.',
    'email.clicked': 'links of messages were followed; `data.link` is the number of the link.',
    'email.unsubscribed': 'readers left by a link of a message.',
  },
  create,
};

function create({ db, config, log, use, find, jobs }: FeatureContext): FeatureParts {
  const workspaces = use(workspacesPort);
  const keys = createLinkKeys([config.secretKey, ...config.previousSecretKeys]);
  // Asked for when they are needed: what sends, and what has lists, is made after this.
  const sends = () => find(trackedSendsPort);
  const agents = new AgentBook();
  const context: TrackingContext = {
    ...{ db, log, sends, jobs, agents },
    wishes: new WishBook({ db, log, sends }),
    bursts: new BurstWatch((workspaceId, send) =>
      judgeBurst({ db, sends: sends() }, workspaceId, send).catch((error: unknown) =>
        log.warn({ err: error, workspaceId }, 'a burst of clicks could not be judged'),
      ),
    ),
    countries: new Countries(),
    topics: () => find(topicsPort),
    mail: use(mailPort),
    linkBase: config.publicUrl,
    addressChanges: () => find(addressChangesPort),
    site: { publicUrl: config.publicUrl, keys },
    targets: new TargetCache(db),
    guard: new Guard(keys),
    turns: new Turns(),
    events: new EventWriter({ db, sends, agents }),
  };
  return {
    routes: (router) => registerTracking(router, context),
    contactEvents: { scope: 'campaigns:read', tell: tellEvents(sends) },
    lastActivity,
    personal,
    jobs: [
      {
        name: 'tracking.carry-out-wishes',
        schedule: '* * * * *',
        handler: async (_data, { signal }) => {
          const failed = 'Wishes to leave could not be carried out in a workspace';
          await eachWorkspace(
            () => selectWorkspacesWithWishes(db.system),
            { failed, log, signal },
            (workspaceId) => carryOutWishes(context, workspaceId, signal),
          );
        },
      },
      breakOfGone(db, sends),
      {
        // Finds nothing to do until the rules change, and once more a day later.
        name: 'tracking.judge-again',
        schedule: '23 * * * *',
        timeoutSeconds: 3 * 3600,
        handler: async (_data, { signal }) => {
          const failed = 'Events could not be judged again in a workspace';
          await eachWorkspace(workspaces, { failed, log, signal }, (workspaceId) =>
            judgeAgain({ db, sends: sends() }, workspaceId, signal),
          );
        },
      },
      {
        name: 'tracking.keep-months',
        schedule: '11 * * * *',
        handler: async () => void (await keepEventMonths(db.system)),
      },
    ],
    async stopWork() {
      await Promise.all([context.events.stop(), context.wishes.settle()]);
    },
    stop: () => context.bursts.stop(),
    start() {
      // A new installation has no months yet. If this fails, the job does it within an hour.
      if (config.role !== 'web')
        void keepEventMonths(db.system).catch((error: unknown) =>
          log.warn({ err: error }, 'the months of tracking events could not be made'),
        );
    },
    nightly: [
      {
        name: 'tracking.forget',
        run: (workspaceId) =>
          db.asTenant(workspaceId, async (tx) => {
            await deleteOldPauses(tx, workspaceId);
            await deleteOldRequests(tx, workspaceId, keptWishDays);
            await deleteOldWishes(tx, workspaceId, keptWishDays);
            await deleteOldAgents(tx, workspaceId, keptMonths + 1);
          }),
      },
    ],
  };
}
