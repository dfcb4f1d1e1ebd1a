import { sql } from 'kysely';
import type { SystemDb } from './database.ts';

/** The state of one kind of background job: how many wait, run or have failed for good. */
export interface QueueState {
  name: string;
  /** A cron expression in UK time. Null: it runs only when something sends it. */
  schedule: string | null;
  waiting: number;
  running: number;
  /** Waiting after a failure. */
  retrying: number;
  failed: number;
  lastCompletedAt: Date | null;
}

export interface NotedJob {
  id: string;
  name: string;
  /** `retrying` waits for another attempt after a failure. `failed` has used its last attempt. */
  state: 'running' | 'retrying' | 'failed';
  attempts: number;
  createdAt: Date;
  startedAt: Date | null;
  failedAt: Date | null;
  /** The last error thrown. */
  error: string | null;
}

/**
 * Every kind of job, with what the queue remembers: it keeps finished jobs for three days. Empty
 * before the queue first starts.
 */
export async function readQueues(db: SystemDb): Promise<QueueState[]> {
  if (!(await isThere(db))) return [];
  const { rows } = await sql<QueueState>`
    select q.name, s.cron as schedule,
           count(*) filter (where j.state = 'created' and j.start_after <= now()) as waiting,
           count(*) filter (where j.state = 'active') as running,
           count(*) filter (where j.state = 'retry') as retrying,
           count(*) filter (where j.state = 'failed') as failed,
           max(j.completed_on) filter (where j.state = 'completed') as "lastCompletedAt"
    from pgboss.queue q
    left join pgboss.schedule s on s.name = q.name
    left join pgboss.job j on j.name = q.name
    where q.name !~ '^__'
    group by q.name, s.cron order by q.name`.execute(db);
  return rows;
}

/** Jobs that may need attention: running, waiting for a retry, or failed for good. Latest first. */
export async function readNotedJobs(db: SystemDb, atMost: number): Promise<NotedJob[]> {
  if (!(await isThere(db))) return [];
  const { rows } = await sql<NotedJob>`
    select j.id, j.name,
           case j.state when 'active' then 'running' when 'retry' then 'retrying' else 'failed' end as state,
           j.retry_count + 1 as attempts, j.created_on as "createdAt", j.started_on as "startedAt",
           case when j.state = 'failed' then j.completed_on end as "failedAt",
           coalesce(j.output ->> 'message', j.output #>> '{value}') as error
    from pgboss.job j where j.state in ('active', 'retry', 'failed')
    order by j.created_on desc, j.id limit ${atMost}`.execute(db);
  return rows;
}

/** The product's first start creates the queue's tables, not a migration. */
async function isThere(db: SystemDb): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('pgboss.job') is not null as there`.execute(db);
  return rows[0]?.there ?? false;
}
