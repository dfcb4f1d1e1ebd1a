import pg from 'pg';
import { fromKysely, getConstructionPlans, getMigrationPlans, type Job, PgBoss } from 'pg-boss';
import packageJson from 'pg-boss/package.json' with { type: 'json' };
import type { SystemDb, TenantTx } from './database.ts';
import { applyGrants } from './grants.ts';
import type { Log } from './logging.ts';
import type { PoolFigures } from './pools.ts';
import { holdStart } from './start-locks.ts';

/**
 * Background jobs, on pg-boss. A job waits, runs and is then completed. When its handler throws, it
 * waits for a retry, longer each time. After the last retry it has failed. A process that works on
 * a job reports every few seconds. When it falls silent (SIGKILL, power cut), the job goes back to
 * waiting within `heartbeatSeconds` + `superviseSeconds`. So a handler may run more than once for
 * one job, and repeating it must not change the outcome.
 *
 * Across all processes, the same job (its name and data) waits at most once and runs at most once
 * at a time.
 */
export interface JobDefinition {
  /** The feature and its action: 'contacts.index-search'. */
  name: string;
  /**
   * When it runs by itself: a cron expression of five fields, in UK time. One run makes up for all
   * missed ones.
   */
  schedule?: string;
  /** Number of retries after a failure. Absent: 5. */
  retries?: number;
  /** Seconds after which it counts as failed, even while it is working. Absent: 15 minutes. */
  timeoutSeconds?: number;
  handler(data: Readonly<Record<string, unknown>>, context: JobContext): Promise<void>;
}

export interface JobContext {
  /** Aborted when the job's time is over or the process stops. */
  signal: AbortSignal;
  log: Log;
}

export interface SendJobOptions {
  /**
   * Sends the job within this transaction: it exists once the transaction commits, and not if it
   * rolls back.
   */
  tx?: TenantTx;
  /** Starts no earlier than this many seconds from now. */
  afterSeconds?: number;
}

export interface Jobs {
  /** Queues a job. Does nothing when the same one is already waiting. */
  send(name: string, data?: Record<string, unknown>, options?: SendJobOptions): Promise<void>;
  /**
   * Tries a job once more that has failed for good, once `tx` commits. False: it does not exist or
   * has not failed.
   */
  retry(name: string, id: string, tx: SystemDb): Promise<boolean>;
  /**
   * Cancels a job that has not ended, once `tx` commits. A running job is told by its signal.
   * False: it does not exist or has ended.
   */
  cancel(name: string, id: string, tx: SystemDb): Promise<boolean>;
  /** The queue's own connections to the database. */
  connections(): PoolFigures;
  /**
   * Takes no new jobs, tells running jobs to stop and waits for them. Those that do not stop go
   * back for a retry.
   */
  stop(): Promise<void>;
}

export interface StartJobsOptions {
  /** Same connection as the product's, see `RunningDatabase`. */
  url: string;
  role?: string | undefined;
  log: Log;
  jobs: JobDefinition[];
  /** False in a process that only sends jobs and leaves the work to others. */
  work?: boolean;
  heartbeatSeconds?: number;
  superviseSeconds?: number;
  /** How long `stop` waits for running jobs. */
  stopTimeoutMs?: number;
}

const schema = 'pgboss';
/** The most connections that the queue has for its statements. */
const mostConnections = 3;
const neededVersion = packageJson.pgboss.schema;

/**
 * Brings the queue's own tables (schema `pgboss`) up to this version and gives the app's role
 * access. Runs as the owner, at every start. Costs a few round trips when there is nothing to do.
 */
export async function migrateJobs(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'email-manager migrate' });
  await client.connect();
  try {
    await holdStart(client, 'jobs');
    const installed = await installedVersion(client);
    if (installed === undefined) await client.query(getConstructionPlans(schema));
    else if (installed < neededVersion) await client.query(getMigrationPlans(schema, installed));
    else if (installed > neededVersion) {
      throw new Error(
        `The job queue's tables are of version ${installed}, newer than the ${neededVersion} this version of Email Manager knows.`,
      );
    }
    await applyGrants(client);
  } finally {
    await client.end(); // also lets go of the advisory lock
  }
}

async function installedVersion(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ installed: boolean }>(
    `select to_regclass('${schema}.version') is not null as installed`,
  );
  if (!rows[0]?.installed) return undefined;
  const version = await client.query<{ version: number }>(`select version from ${schema}.version`);
  return version.rows[0]?.version;
}

/**
 * Starts sending jobs and, unless told otherwise, working on them. Call it after `migrateJobs`. It
 * takes about 100 ms, so a web server calls it once its port listens.
 */
export async function startJobs(options: StartJobsOptions): Promise<Jobs> {
  const { log, jobs, work = true, stopTimeoutMs = 10_000 } = options;
  const boss = createBoss(options);
  boss.on('error', (error) => log.error({ err: error }, 'The job queue had a failure'));
  boss.on('warning', ({ message, data }) => log.warn({ data }, `The job queue: ${message}`));
  await boss.start();
  const stopping = new AbortController();
  try {
    await createQueues(boss, options);
    if (work) {
      await keepSchedules(boss, jobs);
      for (const job of jobs) await workOn(boss, job, log, stopping.signal);
    }
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  const names = new Set(jobs.map((job) => job.name));
  return {
    async send(name, data = {}, { tx, afterSeconds } = {}) {
      if (!names.has(name)) throw new RangeError(`no job ${name}`);
      await boss.send(name, data, {
        singletonKey: sameJobKey(data),
        ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
        ...(tx ? { db: fromKysely(tx) } : {}),
      });
    },
    retry: async (name, id, tx) =>
      names.has(name) && affected(await boss.retry(name, id, { db: fromKysely(tx) })) === 1,
    cancel: async (name, id, tx) =>
      names.has(name) && affected(await boss.cancel(name, id, { db: fromKysely(tx) })) === 1,
    connections: () => connectionsOf(boss, work),
    async stop() {
      stopping.abort(new Error('the process stops'));
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };
}

function createBoss({ url, role, work = true, superviseSeconds = 10 }: StartJobsOptions): PgBoss {
  return new PgBoss({
    connectionString: url,
    ...(role ? { options: `-c role=${role}` } : {}),
    schema,
    application_name: 'email-manager jobs',
    max: mostConnections,
    migrate: false,
    createSchema: false,
    supervise: work,
    schedule: work,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // Wakes workers as soon as a job is sent, so that they rarely need to poll. Costs one
    // connection.
    useListenNotify: work,
    // Only the owner could do these. The queue stays small, because finished jobs go after three
    // days.
    reindex: false,
    monitorVacuum: false,
  });
}

/**
 * How the queue uses its connections. pg-boss does not say, so this looks at its pool. Beside that
 * it has one connection that listens, where there is work.
 */
function connectionsOf(boss: PgBoss, listens: boolean): PoolFigures {
  const { pool } = boss.getDb() as unknown as { pool: pg.Pool };
  const listening = listens ? 1 : 0;
  return {
    purpose: 'jobs',
    most: mostConnections + listening,
    open: pool.totalCount + listening,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  };
}

async function createQueues(boss: PgBoss, { jobs, heartbeatSeconds = 15 }: StartJobsOptions): Promise<void> {
  const existing = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const job of jobs) {
    const settings = {
      notify: true,
      retryLimit: job.retries ?? 5,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 600,
      expireInSeconds: job.timeoutSeconds ?? 900,
      heartbeatSeconds,
      deleteAfterSeconds: 3 * 24 * 3600,
    };
    if (existing.has(job.name)) await boss.updateQueue(job.name, settings);
    else await boss.createQueue(job.name, { ...settings, policy: 'stately' });
  }
}

/** Keeps the schedules of this version's jobs and removes all others. */
async function keepSchedules(boss: PgBoss, jobs: JobDefinition[]): Promise<void> {
  const scheduled = jobs.filter((job) => job.schedule !== undefined);
  const names = new Set(scheduled.map((job) => job.name));
  for (const old of await boss.getSchedules()) {
    if (!names.has(old.name)) await boss.unschedule(old.name, old.key);
  }
  for (const { name, schedule = '' } of scheduled) {
    await boss.schedule(
      name,
      schedule,
      {},
      { tz: 'Europe/London', missed: 'once', singletonKey: sameJobKey({}) },
    );
  }
}

async function workOn(boss: PgBoss, job: JobDefinition, log: Log, stopping: AbortSignal): Promise<void> {
  const jobLog = log.child({ job: job.name });
  await boss.work(
    job.name,
    // A retry or a delayed job announces nothing when its time comes. Only polling finds it.
    { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 },
    async ([one]: Job<Record<string, unknown>>[]) => {
      if (!one) return;
      const began = Date.now();
      try {
        await job.handler(one.data ?? {}, { signal: AbortSignal.any([one.signal, stopping]), log: jobLog });
        jobLog.debug({ id: one.id, ms: Date.now() - began }, 'Job done');
      } catch (error) {
        // pg-boss stores the error with the job and decides about the retry, but it logs nothing.
        if (!stopping.aborted) jobLog.error({ err: error, id: one.id }, 'A job failed');
        throw error;
      }
    },
  );
}

/** Jobs with the same data are the same job, whatever the order of the fields. */
function sameJobKey(data: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** How many jobs a pg-boss command changed. It returns that, though its types do not say so. */
const affected = (response: object): number => (response as { affected?: number }).affected ?? 0;
