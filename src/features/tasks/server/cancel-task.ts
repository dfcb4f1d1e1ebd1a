import { AppError } from '#platform/shared/errors.ts';
import type { Task } from '../contract.ts';
import type { TasksContext } from './context.ts';
import { needTask } from './need-task.ts';
import { presentTask } from './present.ts';
import { requestCancel } from './queries.ts';

/**
 * Stops a task. A waiting one never runs; a running one ends at its next checkpoint. Returns its
 * state now.
 */
export async function cancelOne(context: TasksContext, workspaceId: number, id: number): Promise<Task> {
  await needTask(context, workspaceId, id);
  const row = await context.db.asTenant(workspaceId, (tx) => requestCancel(tx, workspaceId, id));
  if (!row) throw new AppError('conflict', 'This task has ended already.');
  context.runner.cancel({ workspaceId, id });
  return presentTask(context.definitions, row);
}
