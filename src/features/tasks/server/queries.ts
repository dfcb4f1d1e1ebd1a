import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import { changesCountAtOnce } from '#platform/server/statistics.ts';
import {
  Leases,
  leaseFromNow,
  leaseSeconds,
  type WorkKey,
  type WorkRun,
} from '#platform/server/work/leases.ts';
import type { TaskStatus } from '../contract.ts';

/** A task's own record. */
export interface TaskRow {
  workspaceId: number;
  id: number;
  kind: string;
  title: string;
  status: TaskStatus;
  input: Record<string, unknown>;
  state: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
  link: string | null;
  done: number;
  total: number | null;
  phase: string | null;
  error: string | null;
  errorCode: string | null;
  userId: string | null;
  userName: string;
  actor: string;
  cancelRequested: boolean;
  attempts: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** Who holds which task. A task that is claimed but not begun still waits. */
export const leases = new Leases({
  name: 'tasks',
  underWay: ['waiting', 'running'],
  givenBackAs: 'waiting',
  canBeCancelled: true,
});

const columns = sql.raw(`
  workspace_id as "workspaceId", id, kind, title, status, input, state, result, link, done, total, phase, error,
  error_code as "errorCode", user_id as "userId", user_name as "userName", actor, cancel_requested as "cancelRequested",
  attempts, created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`);

/** Adds a task that waits to run. */
export async function insertTask(
  tx: TenantTx,
  workspaceId: number,
  task: Pick<TaskRow, 'kind' | 'title' | 'userId' | 'userName' | 'actor'> & { input: string },
): Promise<TaskRow> {
  const { rows } = await sql<TaskRow>`
    insert into tasks (workspace_id, kind, title, input, user_id, user_name, actor)
    values (${workspaceId}, ${task.kind}, ${task.title}, ${task.input}::jsonb, ${task.userId}, ${task.userName},
            ${task.actor})
    returning ${columns}`.execute(tx);
  return rows[0] as TaskRow;
}

export async function findTask(tx: TenantTx, workspaceId: number, id: number): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`
    select ${columns} from tasks where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * One page of tasks, newest first, and how many there are: all, the open ones, or those that have
 * ended.
 */
export async function listTaskRows(
  tx: TenantTx,
  workspaceId: number,
  page: { open: boolean | undefined; after: number | null; offset: number; limit: number },
): Promise<{ rows: TaskRow[]; totalCount: number }> {
  const which =
    page.open === undefined
      ? sql``
      : page.open
        ? sql`and status in ('waiting', 'running')`
        : sql`and status not in ('waiting', 'running')`;
  const { rows } = await sql<TaskRow>`
    select ${columns} from tasks
    where workspace_id = ${workspaceId} ${which} ${page.after === null ? sql`` : sql`and id < ${page.after}`}
    order by id desc offset ${page.offset} limit ${page.limit}`.execute(tx);
  const count = await sql<{ count: number }>`
    select count(*) from tasks where workspace_id = ${workspaceId} ${which}`.execute(tx);
  return { rows, totalCount: count.rows[0]?.count ?? 0 };
}

/** Gives this run a task that waits, or whose process is dead. Null when there is none. */
export async function claimTask(
  db: SystemDb,
  claim: {
    lease: string;
    kinds: string[];
    eachWorkspace: number;
    patienceSeconds: number;
    leaveOut: readonly number[];
  },
): Promise<WorkKey | null> {
  const { rows } = await sql<WorkKey>`
    select workspace_id as "workspaceId", id
    from claim_waiting_task(${claim.lease}::uuid, ${claim.kinds}::text[], ${leaseSeconds}::int,
      ${claim.eachWorkspace}::int, ${claim.patienceSeconds}::int, ${[...claim.leaveOut]}::bigint[])`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The phase of a task that no process of this version can run. */
export const waitsForNewer = 'Waiting for a newer version';

/**
 * Begins the task that this run has claimed, and counts the attempt. Null when this run no longer
 * holds it.
 */
export async function beginTask(tx: TenantTx, run: WorkRun): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`
    update tasks
    set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp()),
        phase = nullif(phase, ${waitsForNewer})
    where ${leases.heldBy(run)}
    returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** Shows on a task of this age that it waits for a newer version of the product. */
export async function noteNotUnderstood(tx: TenantTx, run: WorkRun, seconds: number): Promise<void> {
  await sql`
    update tasks set phase = ${waitsForNewer}
    where ${leases.heldBy(run)} and created_at <= clock_timestamp() - make_interval(secs => ${seconds}::int)`.execute(
    tx,
  );
}

export interface Progress {
  done: number;
  total: number | null;
  phase: string | null;
}

/** The columns that tell how far a task is. */
export const toldOf = (progress: Progress) =>
  sql`done = ${progress.done}, total = ${progress.total}, phase = ${progress.phase}`;

/**
 * Saves how far the work is, in the work's own transaction. Returns false when this run may not go
 * on.
 */
export async function saveCheckpoint(
  tx: TenantTx,
  run: WorkRun,
  state: string,
  progress: Progress,
  alsoIfCancelled: boolean,
): Promise<boolean> {
  const saved = await sql`
    update tasks
    set state = ${state}::jsonb, attempts = 1, lease_until = ${leaseFromNow},
        ${toldOf(progress)}
    where ${leases.heldBy(run)} ${alsoIfCancelled ? sql`` : sql`and not cancel_requested`}
    returning ${changesCountAtOnce}`.execute(tx);
  return Number(saved.numAffectedRows ?? 0) === 1;
}

export interface TaskEnd {
  status: 'completed' | 'failed' | 'cancelled';
  result: string | null;
  link: string | null;
  error?: string;
  errorCode?: string;
}

/** Records how a run ended. Returns false when another run holds the task. */
export async function endTask(
  tx: TenantTx,
  run: WorkRun,
  progress: Progress,
  end: TaskEnd,
): Promise<boolean> {
  const ended = await sql`
    update tasks
    set status = ${end.status}, result = ${end.result}::jsonb, link = ${end.link}, error = ${end.error ?? null},
        error_code = ${end.errorCode ?? null}, lease = null, lease_until = null, finished_at = clock_timestamp(),
        ${toldOf({ ...progress, phase: null })}
    where ${leases.heldBy(run)}`.execute(tx);
  return Number(ended.numAffectedRows ?? 0) === 1;
}

/**
 * Asks a task to end. One that nobody has begun ends here; a running one finds the request in its
 * record.
 */
export async function requestCancel(tx: TenantTx, workspaceId: number, id: number): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`
    update tasks set
      cancel_requested = true,
      status = case when started_at is null then 'cancelled' else status end,
      finished_at = case when started_at is null then clock_timestamp() end,
      lease_until = case when status = 'waiting' then null else lease_until end
    where workspace_id = ${workspaceId} and id = ${id} and status in ('waiting', 'running')
    returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** The tasks of these kinds that were cancelled before they began, and have no result. */
export async function selectNotCleanedUp(
  tx: TenantTx,
  workspaceId: number,
  kinds: string[],
): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${columns} from tasks
    where workspace_id = ${workspaceId} and status = 'cancelled' and started_at is null and result is null
      and kind = any(${kinds}::text[])
    order by id`.execute(tx);
  return rows;
}

/** Gives a task that was cancelled before it began its result. */
export async function noteCleanedUp(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  result: string,
): Promise<void> {
  await sql`
    update tasks set result = ${result}::jsonb
    where workspace_id = ${workspaceId} and id = ${id} and status = 'cancelled'`.execute(tx);
}

/** Deletes tasks of all workspaces that ended long ago. Returns how many. */
export async function expireTasks(db: SystemDb, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select expire_tasks(${days}::int) as count`.execute(db);
  return rows[0]?.count ?? 0;
}
