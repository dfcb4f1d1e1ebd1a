import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import type { TaskStatus } from '../contract.ts';

export interface OverseenTaskRow {
  workspaceId: number;
  id: number;
  kind: string;
  title: string;
  status: TaskStatus;
  done: number;
  total: number | null;
  phase: string | null;
  error: string | null;
  startedBy: string;
  cancelRequested: boolean;
  attempts: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** One page of the tasks of all workspaces in these states, newest first. */
export async function selectTasksEverywhere(
  db: SystemDb,
  statuses: readonly TaskStatus[],
  page: { skip: number; take: number },
): Promise<OverseenTaskRow[]> {
  const { rows } = await sql<OverseenTaskRow>`
    select workspace_id as "workspaceId", id, kind, title, status, done, total, phase, error, user_name as "startedBy",
           cancel_requested as "cancelRequested", attempts, created_at as "createdAt", started_at as "startedAt",
           finished_at as "finishedAt"
    from tasks_everywhere(${[...statuses]}::text[], ${page.skip}::bigint, ${page.take}::bigint)`.execute(db);
  return rows;
}

/** The number of tasks in each state, over all workspaces. States without any are left out. */
export async function countTasksEverywhere(db: SystemDb): Promise<{ status: TaskStatus; tasks: number }[]> {
  const { rows } = await sql<{ status: TaskStatus; tasks: number }>`
    select status, tasks from task_counts_everywhere()`.execute(db);
  return rows;
}
