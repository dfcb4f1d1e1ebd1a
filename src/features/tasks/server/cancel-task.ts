import { AppError } from '#platform/shared/errors.ts';
import type { Task } from '../contract.ts';
import type { TasksContext } from './context.ts';
import { cancelledError, understand } from './definition.ts';
import { needTask } from './need-task.ts';
import { presentTask } from './present.ts';
import { requestCancel, type TaskRow } from './queries.ts';

/**
 * Stops a task. A waiting one never runs; a running one ends at its next checkpoint. Returns its
 * state now.
 */
export async function cancelOne(context: TasksContext, workspaceId: number, id: number): Promise<Task> {
  await needTask(context, workspaceId, id);
  const row = await context.db.asTenant(workspaceId, (tx) => requestCancel(tx, workspaceId, id));
  if (!row) throw new AppError('conflict', 'This task has ended already.');
  context.runner.cancel({ workspaceId, id });
  if (row.status === 'cancelled') await cleanUpAfter(context, row);
  return presentTask(context.definitions, row);
}

/** For a task that never began. Its call may have left something for it, such as a file. */
async function cleanUpAfter({ definitions }: TasksContext, row: TaskRow): Promise<void> {
  const known = understand(definitions, row);
  const { workspaceId, id, userId, actor } = row;
  await known?.definition.broken?.(
    {
      ...{ workspaceId, taskId: id, userId, actor, input: known.input, state: null },
      progress() {},
      async checkpoint() {},
      signal: new AbortController().signal,
    },
    { status: 'cancelled', message: cancelledError().message },
  );
}
