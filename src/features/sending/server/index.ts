import { hostname } from 'node:os';
import { audiencePort } from '#features/audience/server/index.ts';
import { bouncedMailingsPort, bouncesPort } from '#features/bounces/server/index.ts';
import { mailingSubjectsPort } from '#features/events/server/index.ts';
import { createLinkKeys, type LinkSite } from '#features/links/server/index.ts';
import { pacedWorkPort } from '#features/pace/server/index.ts';
import {
  complaintsPort,
  ownMailHostsPort,
  type Senders,
  sendersPort,
} from '#features/senders/server/index.ts';
import { trackedSendsPort } from '#features/tracking/server/index.ts';
import { mailServersPort } from '#features/verification/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import { WorkRunner } from '#platform/server/work/runner.ts';
import { sendingEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { type MailingKind, mailingKinds } from '../rules/mailing.ts';
import { decideDue } from './ab-test/decide-tests.ts';
import { Books } from './books/books.ts';
import { bouncedMailings } from './bounced-mailings.ts';
import { forgetDirect } from './direct.ts';
import { PartQueue } from './engine/part-queue.ts';
import { NothingGetsThrough } from './engine/part-run.ts';
import { ProviderFinder } from './engine/provider-finder.ts';
import { smtpTransport } from './engine/smtp-transport.ts';
import type { ServerTransport, Transport } from './engine/transport.ts';
import { domainOf } from './engine/writer.ts';
import { WriterThreads } from './engine/writer-threads.ts';
import { FreezeQueue } from './freeze.ts';
import {
  endWaitsForPace,
  type MailingRow,
  needServer,
  selectNeedsServer,
  selectSubjects,
} from './mailing-queries.ts';
import { openSending, type Sending } from './mailings.ts';
import { keepMessages } from './outbox/keep-messages.ts';
import { forgetKept } from './outbox/message-queries.ts';
import { registerOutbox } from './outbox/routes.ts';
import { personal } from './personal.ts';
import { campaignConditions } from './segments/conditions.ts';
import { campaignFields } from './segments/fields.ts';
import { forgetSlowDomains } from './slow-domains.ts';
import { SmtpPool } from './smtp/pool.ts';
import { serverOfUrl } from './smtp/server.ts';
import { complaintsBySender } from './telling/complaints.ts';
import { tellEvents } from './telling/contact-events.ts';
import { trackedSends } from './tracked-sends.ts';

export { type DirectRecipient, forgetData } from './direct.ts';
export { smtpTransport } from './engine/smtp-transport.ts';
export type { ServerTransport, Slot } from './engine/transport.ts';
export type { MailingContent, MailingStanding } from './mailing-queries.ts';
export type { NewMailing, Sending } from './mailings.ts';
export type { RecipientFilter, RecipientRow } from './recipient-queries.ts';
export { SmtpConnection } from './smtp/connection.ts';
export { SmtpPool } from './smtp/pool.ts';
export { replyInWords } from './smtp/replies.ts';
export type { SmtpServer } from './smtp/server.ts';
export { ConnectError } from './smtp/sockets.ts';

/** Sends what other features have to say. */
export const sendingPort = port<Sending>('sending.sending');

/**
 * The mail servers that a workspace has of its own, as one. Null: it has none, and the server of
 * the installation takes its messages.
 */
export const ownTransportsPort =
  port<(workspaceId: number) => Promise<ServerTransport | null>>('sending.own-transports');

/** How many days messages are kept where no mail server is set. */
const keptDays = 30;

/** How many days transactional messages stay in the ledger. Feature `transactional` has the log. */
export const directDays = 90;

/** Connections of one process to the installation's mail server. */
const connections = 20;

export const sendingFeature: ServerFeature = {
  name: 'sending',
  contract,
  streamTypes: {
    'email.sent': 'mail servers took messages.',
    'email.failed': 'they refused them for good; `data.reason` says why.',
    'email.uncertain': 'the connection or the process broke before the answer, so nobody knows.',
    'email.skipped': 'messages were not sent, for `data.reason`.',
    'campaign.started': 'the recipients of a campaign are written down, and its messages leave.',
    'campaign.paused': 'nothing leaves any more, by hand or by itself; `data.notice` says why.',
    'campaign.resumed': 'it goes on.',
    'campaign.cancelled': 'the rest is not sent.',
    'campaign.sent': 'each message of a campaign has its answer.',
  },
  eventKinds: sendingEvents,
  create: createSending,
};

function createSending(context: FeatureContext): FeatureParts {
  const { db, config, log, disk, metrics, use, find, offer } = context;
  const senders = use(sendersPort);
  const secretKeys = [config.secretKey, ...config.previousSecretKeys] as const;
  const bounceDomain = config.bounce.domain ?? null;
  const threads = new WriterThreads();
  const providers = new ProviderFinder(use(mailServersPort), log);
  const site: LinkSite = {
    publicUrl: config.publicUrl,
    keys: createLinkKeys(secretKeys),
  };
  const pool =
    config.smtpUrl === undefined
      ? null
      : new SmtpPool({
          server: serverOfUrl(config.smtpUrl),
          name: hostname() || 'localhost',
          most: connections,
        });
  const transport: Transport = pool ? smtpTransport(pool) : { keep: keepMessages };
  const books = new Books(log, metrics);
  const hasServer = async (tx: TenantTx, workspaceId: number) =>
    pool !== null || ((await find(ownMailHostsPort)?.(tx, workspaceId)) ?? []).length > 0;
  let isAtWork = false;
  let isStopping = false;
  const queueOf = (kind: MailingKind) =>
    new PartQueue({
      ...{ kind, db, log, disk, books, providers, bounces: use(bouncesPort), isStopping: () => isStopping },
      transportFor: transportOf(context, senders, transport),
      async writtenWith(tx, { workspaceId, fromAddress }) {
        const from = domainOf(fromAddress);
        const dkim = await senders.keyFor(tx, workspaceId, from);
        const publicUrl = (await senders.linkSiteFor(tx, workspaceId, from)) ?? config.publicUrl;
        return { publicUrl, secretKeys, dkim, bounceDomain };
      },
      writerOf: (what) => threads.writer(what),
    });
  const runners = mailingKinds.map((kind) => new WorkRunner({ db, log, disk }, queueOf(kind)));
  const wakeParts = () => {
    for (const runner of runners) runner.wake();
  };
  const freezes = new WorkRunner(
    { db, log, disk },
    new FreezeQueue({ db, log, audience: use(audiencePort), onDone: wakeParts }),
  );
  offerLedger(context, site);
  const wake = () => {
    if (!isAtWork) return;
    freezes.wake();
    wakeParts();
  };
  offer(sendingPort, openSending({ db, log, disk, hasServer }, wake));
  offer(pacedWorkPort, { endWaits: endWaitsForPace, wake });
  return {
    routes: (router) => registerOutbox(router, db, hasServer),
    contactEvents: { scope: 'campaigns:read', tell: tellEvents },
    conditions: campaignConditions,
    segmentFields: campaignFields,
    jobs: [
      {
        name: 'sending.decide-tests',
        schedule: '* * * * *',
        handler: () => decideDue(db, log, wakeParts),
      },
    ],
    personal,
    nightly: everyNight(db, books),
    start() {
      if (!sendsHere(context)) return;
      isAtWork = true;
      freezes.begin();
      for (const runner of runners) runner.begin();
    },
    async stopWork() {
      isStopping = true;
      providers.stop();
      await Promise.all([freezes, ...runners].map((runner) => runner.stop()));
    },
    async stop() {
      pool?.close();
      await threads.stop();
    },
  };
}

/** A process that serves people leaves the work to workers. */
function sendsHere({ config: { role, sending }, log }: FeatureContext): boolean {
  if (sending === 'off')
    log.warn('SENDING is off: no campaign, single message or mail of the product leaves');
  return role !== 'web' && sending === 'on';
}

/** Whoever has pressed Send was told that the messages leave, so none is kept in secret. */
const serverGone =
  'No mail server takes its messages any more: yours are off or gone. Turn one on in the settings to go on.';

/** The mail servers of a mailing's workspace, or else that of the installation. */
const transportOf =
  ({ db, find }: FeatureContext, senders: Senders, installations: Transport) =>
  async ({ workspaceId, id, fromAddress, needsServer }: MailingRow): Promise<Transport> => {
    const byServer = async (server: ServerTransport) => {
      if (!needsServer) await db.asTenant(workspaceId, (tx) => needServer(tx, workspaceId, id));
      return server;
    };
    const own = await find(ownTransportsPort)?.(workspaceId);
    if (own) return byServer(own);
    // Since it began, its own servers may be gone, or somebody has proved the domain. Whether it
    // has servers is not asked once more: another answer would let it pass, and not send by them.
    const refusal = await db.asTenant(workspaceId, (tx) => senders.refusalByShared(tx, fromAddress));
    if (refusal !== null) throw new NothingGetsThrough(refusal);
    if (!installations.keep) return byServer(installations);
    // Read anew: another process may have sent by a server meanwhile.
    if (await db.asTenant(workspaceId, (tx) => selectNeedsServer(tx, workspaceId, id)))
      throw new NothingGetsThrough(serverGone);
    return installations;
  };

/** What the features below learn of the ledger. */
function offerLedger({ offer }: FeatureContext, site: LinkSite): void {
  offer(trackedSendsPort, trackedSends(site));
  offer(bouncedMailingsPort, bouncedMailings);
  offer(mailingSubjectsPort, selectSubjects);
  offer(complaintsPort, complaintsBySender);
}

/** What is checked and what is forgotten every night. */
const everyNight = (db: Database, books: Books): NonNullable<FeatureParts['nightly']> => [
  {
    name: 'sending.reconcile',
    run: (workspaceId, signal) => books.reconcileEnded(db, workspaceId, signal),
  },
  {
    name: 'sending.forget-kept',
    run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetKept(tx, workspaceId, keptDays)),
  },
  {
    name: 'sending.forget-direct',
    run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetDirect(tx, workspaceId, directDays)),
  },
  {
    name: 'sending.forget-slow-domains',
    run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetSlowDomains(tx, workspaceId)),
  },
];
