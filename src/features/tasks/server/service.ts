import { setTimeout as sleep } from 'node:timers/promises';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { listTasks, type Task } from '../contract.ts';
import { isOpen } from '../rules.ts';
import { cancelledError, type Definitions } from './definition.ts';
import { findTask, listTaskRows, type Progress, requestCancel, type TaskRow } from './queries.ts';
import type { TaskRunner } from './runner.ts';

export interface TasksContext {
  db: Database;
  runner: TaskRunner;
  definitions: Definitions;
}

/** @throws AppError `not_found`: no such task in this workspace. */
export async function needTask({ db }: Pick<TasksContext, 'db'>, workspaceId: number, id: number) {
  const row = await db.asTenant(workspaceId, (tx) => findTask(tx, workspaceId, id));
  if (!row) throw new AppError('not_found', 'There is no such task.');
  return row;
}

export async function listAll(
  context: TasksContext,
  workspaceId: number,
  query: { open?: boolean | undefined; page: number; limit: number; cursor?: string | undefined },
): Promise<ResponseOf<typeof listTasks>> {
  const scope = { workspaceId, list: listTasks.path, of: { open: query.open } };
  const { after, offset } = placeById(scope, query);
  const { rows, totalCount } = await context.db.asTenant(workspaceId, (tx) =>
    listTaskRows(tx, workspaceId, { open: query.open, after, offset, limit: query.limit + 1 }),
  );
  const page = pageOfRows(scope, rows, query.limit);
  return {
    items: page.rows.map((row) =>
      presentTask(context, row, context.runner.find(workspaceId, row.id)?.progress),
    ),
    totalCount,
    nextCursor: page.nextCursor,
  };
}

export async function getOne(context: TasksContext, workspaceId: number, id: number): Promise<Task> {
  const row = await needTask(context, workspaceId, id);
  return presentTask(context, row, context.runner.find(workspaceId, id)?.progress);
}

/** Stops a task. The one at work ends at its next checkpoint; the answer tells how it stands now. */
export async function cancelOne(context: TasksContext, workspaceId: number, id: number): Promise<Task> {
  await needTask(context, workspaceId, id);
  const row = await context.db.asTenant(workspaceId, (tx) => requestCancel(tx, workspaceId, id));
  if (!row) throw new AppError('conflict', 'This task has ended already.');
  context.runner.cancel(workspaceId, id);
  return presentTask(context, row, undefined);
}

const slowestLookMs = 1_000;

/** Waits until a task has ended, whichever process runs it. */
export async function waitForEnd(
  context: TasksContext,
  workspaceId: number,
  id: number,
  signal?: AbortSignal,
): Promise<Task> {
  for (let pause = 20; ; pause = Math.min(pause * 2, slowestLookMs)) {
    signal?.throwIfAborted();
    const running = context.runner.find(workspaceId, id);
    if (running) {
      await Promise.race([running.done, pauseFor(slowestLookMs, signal)]);
      if (context.runner.find(workspaceId, id)) continue;
    }
    const row = await needTask(context, workspaceId, id);
    if (!isOpen(row.status)) return presentTask(context, row, undefined);
    await pauseFor(pause, signal);
  }
}

/** Over at once when nobody waits any more. */
const pauseFor = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);

/** What a finished task answered. @throws AppError what it failed of, or that it was cancelled. */
export async function resultOf(
  { db }: TasksContext,
  workspaceId: number,
  id: number,
): Promise<Record<string, unknown>> {
  const row = await needTask({ db }, workspaceId, id);
  if (row.status === 'completed') return row.result ?? {};
  if (row.status === 'cancelled') throw cancelledError();
  throw new AppError(row.errorCode ?? 'internal', row.error ?? 'The task failed.');
}

export function presentTask(
  { definitions }: Pick<TasksContext, 'definitions'>,
  row: TaskRow,
  progress: Progress | undefined,
): Task {
  const { done, total, phase } = isOpen(row.status) && progress ? progress : row;
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    status: row.status,
    done,
    total,
    phase,
    result: row.result,
    link: row.link,
    summary: row.result ? (definitions.get(row.kind)?.summary?.(row.result, row.input) ?? null) : null,
    error: row.error,
    startedBy: row.userName,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
