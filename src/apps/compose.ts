import { join } from 'node:path';
import fastifyHelmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createActivities, deleteOldActivities } from '#features/activities/server/index.ts';
import { type AdminOptions, createAdmin } from '#features/admin/server/index.ts';
import { createApiKeys } from '#features/api-keys/server/index.ts';
import { createAudit } from '#features/audit/server/index.ts';
import {
  contactEvents,
  createContacts,
  indexRecentBlocks,
  purgeBin,
} from '#features/contacts/server/index.ts';
import { createIdentity, type IdentityOptions, workspaceIds } from '#features/identity/server/index.ts';
import { createImports, type Imports, importFigures } from '#features/imports/server/index.ts';
import { createMail } from '#features/mail/server/index.ts';
import { createMaintenance } from '#features/maintenance/server/index.ts';
import { createSettings, readSettings } from '#features/settings/server/index.ts';
import {
  createSuppressions,
  type Suppressions,
  suppressionEvents,
} from '#features/suppressions/server/index.ts';
import { createTasks, type Tasks } from '#features/tasks/server/index.ts';
import { createTimeline, type TimelineOptions } from '#features/timeline/server/index.ts';
import {
  createVerification,
  verificationEvents,
  verificationFigures,
  verifyNow,
  whyDead,
} from '#features/verification/server/index.ts';
import { createViews } from '#features/views/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { openFileStore } from '#platform/server/files.ts';
import { createHttp } from '#platform/server/http.ts';
import { type JobDefinition, type Jobs, startJobs } from '#platform/server/jobs.ts';
import type { Log } from '#platform/server/logging.ts';
import { createMetrics } from '#platform/server/metrics.ts';
import { registerOperations } from '#platform/server/operations.ts';
import { apiDocument } from './openapi.ts';

export interface Composition {
  app: FastifyInstance;
  database: Database;
  imports: Imports;
  tasks: Tasks;
  /** Starts what works in the background; call it once the application listens. */
  startWork(): Promise<void>;
  /** Forgets in every workspace what has been kept as long as its settings say; runs by itself every night. */
  keepRetention(): Promise<void>;
  /** Stops everything in good order. */
  stop(): Promise<void>;
}

export interface ComposeOptions {
  config: Config;
  log: Log;
  /** The running, migrated database. */
  running: { appUrl: string; appRole?: string | undefined };
  rateLimits?: IdentityOptions['rateLimits'];
  /** Calls an API key may make a minute; the product's own limit when absent. */
  apiKeyLimit?: number | undefined;
  /** The built web application; absent: the API alone. */
  webFolder?: string | undefined;
}

/** All features put together on one database and one port. Tests compose the same way as the product. */
export async function compose({
  config,
  log,
  running,
  rateLimits,
  apiKeyLimit,
  webFolder,
}: ComposeOptions): Promise<Composition> {
  const database = openDatabase({
    url: running.appUrl,
    role: running.appRole,
    onIdleError: (error) => log.warn({ err: error }, 'A database connection broke'),
  });
  const mail = createMail({ db: database, config, log });
  const { limits } = config;
  const { signIns, signUps } = limits;
  const identity = createIdentity({
    database,
    config,
    log,
    mail,
    rateLimits: { signIns, signUps, ...rateLimits },
  });
  const apiKeys = createApiKeys({ db: database, limit: apiKeyLimit ?? limits.keyCalls });
  const { app, router } = createHttp({
    authenticate: apiKeys.authenticate(identity.authenticate),
    idempotency: apiKeys.idempotency,
    log,
    trustedOrigins: [new URL(config.publicUrl).origin],
    trustProxy: config.trustProxy,
  });
  // Before any route: what is measured is the routes added after it.
  const metrics = createMetrics(app, database.pool);
  await app.register(fastifyHelmet, securityHeaders(config));
  registerOperations(app, { pool: database.pool, metrics, metricsToken: config.metricsToken, apiDocument });
  const indexer = oneAtATime(() => indexRecentBlocks(database), log, 'search blocks were not indexed');
  const tasks = createTasks({ db: database, log, leavesWorkToOthers: config.role === 'web' });
  const verification = createVerification({
    db: database,
    tasks,
    dnsServers: config.dnsServers,
    // Half of a minute's worth at once, the other half bit by bit.
    allowance: { burst: Math.ceil(limits.verifications / 2), perSecond: limits.verifications / 60 },
  });
  const contacts = createContacts({
    db: database,
    tasks,
    judge: verifyNow,
    whyDead: (domain) => whyDead(verification.mailServers, domain),
  });
  const files = openFileStore(join(config.dataDir, 'files'));
  const suppressions = createSuppressions({ db: database, files, tasks, limits: limits.imports });
  const imports = createImports({
    db: database,
    database: { url: running.appUrl, role: running.appRole },
    dnsServers: config.dnsServers,
    files,
    log,
    tasks,
    limits: limits.imports,
    onFinished: (finished) => {
      metrics.importFinished(finished);
      indexer.soon();
    },
  });
  const maintenance = createMaintenance({ db: database, tasks, imports });
  let jobs: Jobs | undefined;
  const admin = createAdmin({
    db: database,
    config,
    log,
    users: identity.administration,
    tasks: tasks.oversight,
    mail: mail.oversight,
    files,
    jobs: () => jobs,
    ...whatIsCounted,
  });
  // A worker answers its health, and nothing that people call.
  if (config.role !== 'worker') {
    identity.register(router);
    contacts.register(router);
    imports.register(router);
    maintenance.register(router);
    mail.register(router);
    apiKeys.register(router);
    createAudit({ db: database }).register(router);
    suppressions.register(router);
    createActivities({ db: database }).register(router);
    createSettings({ db: database }).register(router);
    tasks.register(router);
    verification.register(router);
    createTimeline({ db: database, sources: whoTellsOfContacts }).register(router);
    createViews({ db: database }).register(router);
    admin.register(router);
  }
  const hasPages = webFolder !== undefined && config.role !== 'worker';
  if (hasPages) await serveWeb(app, webFolder);
  answerTheRest(app, hasPages);
  return {
    app,
    database,
    imports,
    tasks,
    keepRetention: () => keepRetention(database, imports),
    async startWork() {
      // Every process that takes uploads keeps the files it took, so it also takes up what of them was broken off.
      imports.startRecovery();
      tasks.startWork();
      admin.startWork();
      jobs = await startJobs({
        url: running.appUrl,
        role: running.appRole,
        log,
        jobs: [
          ...recurringJobs(database, imports, tasks),
          tidySuppressions(database, suppressions),
          ...mail.jobs,
          { name: 'verification.tidy', schedule: '29 4 * * *', handler: () => verification.tidy() },
        ],
        work: config.role !== 'web',
      });
      mail.attach(jobs);
      indexer.soon();
    },
    async stop() {
      await app.close();
      await admin.stop();
      identity.close();
      await jobs?.stop();
      await tasks.stop();
      verification.close();
      await imports.stop();
      await indexer.idle();
      await database.close();
    },
  };
}

/** The features that know what happened to a contact. One that sends campaigns is named here. */
const whoTellsOfContacts: TimelineOptions['sources'] = [
  { scope: 'contacts:read', tell: contactEvents },
  { scope: 'verify', tell: verificationEvents },
  { scope: 'suppressions:read', tell: suppressionEvents },
];

/** What each feature adds to the administrator's figures. A feature that sends campaigns, or sells plans, is named here. */
const whatIsCounted: Pick<AdminOptions, 'counted' | 'importSpeed' | 'planPrices'> = {
  counted: {
    emails: [
      async (db, times) => {
        const { rowsEver, rowsThisMonth } = await importFigures(db, times);
        return { ever: rowsEver, thisMonth: rowsThisMonth };
      },
      async (db, times) => {
        const { contactsEver, contactsThisMonth } = await verificationFigures(db, times);
        return { ever: contactsEver, thisMonth: contactsThisMonth };
      },
    ],
    aiJobs: [async (db, times) => (await verificationFigures(db, times)).runsToday],
    campaigns: [],
  },
  importSpeed: async (db, times) => (await importFigures(db, times)).recent,
  planPrices: { free: 0 },
};

function recurringJobs(database: Database, imports: Imports, tasks: Tasks): JobDefinition[] {
  return [
    {
      name: 'contacts.index-search',
      schedule: '* * * * *',
      handler: async (_data, { signal }) => void (await indexRecentBlocks(database, { signal })),
    },
    {
      name: 'settings.keep-retention',
      schedule: '17 3 * * *',
      timeoutSeconds: 3600,
      handler: (_data, { signal }) => keepRetention(database, imports, signal),
    },
    { name: 'tasks.tidy', schedule: '51 3 * * *', handler: () => tasks.tidy() },
  ];
}

async function keepRetention(database: Database, imports: Imports, signal?: AbortSignal): Promise<void> {
  for (const id of await workspaceIds(database.system)) {
    signal?.throwIfAborted();
    const { retention } = await database.asTenant(id, (tx) => readSettings(tx, id));
    await purgeBin(database, id, retention.binDays, { signal });
    await database.asTenant(id, (tx) => deleteOldActivities(tx, id, retention.activityDays));
    await imports.tidy(id, retention);
  }
}

const tidySuppressions = (database: Database, suppressions: Suppressions): JobDefinition => ({
  name: 'suppressions.tidy',
  schedule: '27 3 * * *',
  timeoutSeconds: 3600,
  handler: async () => {
    for (const id of await workspaceIds(database.system)) await suppressions.tidy(id);
  },
});

/** Runs a piece of background work when asked, once more if asked meanwhile, never twice at once. */
function oneAtATime(work: () => Promise<unknown>, log: Log, failure: string) {
  let running: Promise<void> | null = null;
  let again = false;
  const soon = (): void => {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await work().catch((error: unknown) => log.warn({ err: error }, failure));
      }
      running = null;
    })();
  };
  return { soon, idle: async () => void (await running) };
}

/** The page loads nothing from elsewhere and may not be framed. Mantine sets styles on elements. */
function securityHeaders(config: Config) {
  const secure = config.publicUrl.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
  };
}

const aYear = 31_536_000;

/** The web application: hashed assets for ever, its page afresh each time. */
async function serveWeb(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      const hashed = path.includes(`${join(folder, 'assets')}`);
      response.header('cache-control', hashed ? `public, max-age=${aYear}, immutable` : 'no-cache');
    },
  });
}

/** What is no route: the web application's page, which knows routes of its own, or an error like any other. */
function answerTheRest(app: FastifyInstance, hasPages: boolean): void {
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (hasPages && isRead && !/^\/(api|assets)([/?]|$)/.test(request.url))
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    return reply.code(404).send({ message: 'There is nothing at this address.', code: 'not_found' });
  });
}
