import { AppError } from '#platform/shared/errors.ts';
import { type Task, type TaskStatus, taskStatuses } from '../contract.ts';
import { cancelOne } from './cancel-task.ts';
import type { TasksContext } from './context.ts';
import { understand } from './definition.ts';
import { needTask } from './need-task.ts';
import { countTasksEverywhere, type OverseenTaskRow, selectTasksEverywhere } from './oversight-queries.ts';
import { phaseOf } from './present.ts';

/**
 * The tasks of all workspaces, for the person who runs the installation. Their data stays in their
 * workspaces.
 */
export interface TaskOversight {
  list(
    statuses: readonly TaskStatus[],
    page: { skip: number; take: number },
  ): Promise<{ items: OverseenTaskRow[]; counts: Record<TaskStatus, number> }>;
  cancel(workspaceId: number, id: number): Promise<Task>;
  /**
   * Starts a failed task's work again, as a new task in the name of whoever started the first. A
   * failed task has closed what it had open, so it cannot continue.
   */
  retry(workspaceId: number, id: number): Promise<Task>;
}

export type { OverseenTaskRow };

export function createOversight(
  context: TasksContext,
  start: (
    workspaceId: number,
    kind: string,
    input: Record<string, unknown>,
    by: { userId: string | null; name: string; email: string },
  ) => Promise<Task>,
): TaskOversight {
  return {
    async list(statuses, page) {
      const rows = await selectTasksEverywhere(context.db.system, statuses, page);
      const items = rows.map((row) => ({ ...row, phase: phaseOf(context.definitions, row) }));
      const counts = Object.fromEntries(taskStatuses.map((status) => [status, 0])) as Record<
        TaskStatus,
        number
      >;
      for (const { status, tasks } of await countTasksEverywhere(context.db.system)) counts[status] = tasks;
      return { items, counts };
    },
    cancel: (workspaceId, id) => cancelOne(context, workspaceId, id),
    async retry(workspaceId, id) {
      const row = await needTask(context, workspaceId, id);
      if (row.status !== 'failed') throw new AppError('conflict', 'Only a task that failed can be retried.');
      if (!understand(context.definitions, row))
        throw new AppError('conflict', 'This version of the product does not know this kind of task.');
      return start(workspaceId, row.kind, row.input, {
        userId: row.userId,
        name: row.userName,
        email: row.actor,
      });
    },
  };
}
