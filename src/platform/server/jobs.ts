import pg from 'pg';
import { fromKysely, getConstructionPlans, getMigrationPlans, type Job, PgBoss } from 'pg-boss';
import packageJson from 'pg-boss/package.json' with { type: 'json' };
import type { TenantTx } from './database.ts';
import { applyGrants } from './grants.ts';
import type { Log } from './logging.ts';
import { holdStart } from './start-locks.ts';

/**
 * Background jobs, on pg-boss. A job waits, runs, and is then completed; when its handler throws it
 * waits for a retry, longer each time, and after the last one it has failed. A process at work on a
 * job says so every few seconds; when it falls silent (SIGKILL, power cut), the job goes back to
 * waiting within `heartbeatSeconds` + `superviseSeconds`. So a handler may run more than once for
 * one job: what it does must come to the same however often it is done.
 *
 * The same job (its name and data) waits at most once and runs at most once at a time, in all
 * processes together.
 */
export interface JobDefinition {
  /** The feature and what is done: 'contacts.index-search'. */
  name: string;
  /**
   * When it runs by itself: a cron expression of five fields, in UK time. Missed runs are made up
   * for by one.
   */
  schedule?: string;
  /** How often it is tried again after a failure; 5 when absent. */
  retries?: number;
  /** When it counts as failed however busy it is; 15 minutes when absent. */
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
   * Sends the job with this transaction: it exists when the transaction commits, and not if it
   * rolls back.
   */
  tx?: TenantTx;
  /** Not before this many seconds from now. */
  afterSeconds?: number;
}

export interface Jobs {
  /** Has a job done. Does nothing when the same one is waiting already. */
  send(name: string, data?: Record<string, unknown>, options?: SendJobOptions): Promise<void>;
  /**
   * Has a job that has failed for good tried once more. False: it is not there, or has not failed.
   */
  retry(name: string, id: string): Promise<boolean>;
  /**
   * Takes back a job that has not ended; one at work is told by its signal. False: it is not there,
   * or has ended.
   */
  cancel(name: string, id: string): Promise<boolean>;
  /**
   * Takes no new jobs, tells the running ones to stop, waits for them, and gives back for a retry
   * those that do not.
   */
  stop(): Promise<void>;
}

export interface StartJobsOptions {
  /** As the product connects; see `RunningDatabase`. */
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
const neededVersion = packageJson.pgboss.schema;

/**
 * Brings the queue's own tables (schema `pgboss`) up to this version and lets the app's role work
 * with them. As the owner, at every start; a few round trips when there is nothing to do.
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
 * Starts sending jobs and, unless told otherwise, working on them. After `migrateJobs`. Takes some
 * 100 ms, so a web server does it once its port listens.
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
    retry: async (name, id) => names.has(name) && affected(await boss.retry(name, id)) === 1,
    cancel: async (name, id) => names.has(name) && affected(await boss.cancel(name, id)) === 1,
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
    max: 3,
    migrate: false,
    createSchema: false,
    supervise: work,
    schedule: work,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // Wakes workers the moment a job is sent, so that they need to ask only now and then; costs one
    // connection.
    useListenNotify: work,
    // Needs the owner. The queue stays small: finished jobs go after three days.
    reindex: false,
    monitorVacuum: false,
  });
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

/** The schedules of this version's jobs, and no others. */
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
    // A retry, or a job for later, announces itself to nobody when its time comes: asking finds it.
    { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 },
    async ([one]: Job<Record<string, unknown>>[]) => {
      if (!one) return;
      const began = Date.now();
      try {
        await job.handler(one.data ?? {}, { signal: AbortSignal.any([one.signal, stopping]), log: jobLog });
        jobLog.debug({ id: one.id, ms: Date.now() - began }, 'Job done');
      } catch (error) {
        // pg-boss keeps the error with the job and decides on the retry; it logs nothing.
        if (!stopping.aborted) jobLog.error({ err: error, id: one.id }, 'A job failed');
        throw error;
      }
    },
  );
}

/** Jobs with the same data are the same job, in whatever order its fields were written. */
function sameJobKey(data: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** How many jobs a command of pg-boss changed: it answers that, though its types do not say so. */
const affected = (response: object): number => (response as { affected?: number }).affected ?? 0;
