import type { TenantTx } from '#platform/server/database.ts';
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
  /** `record` is called in the transaction that cancels it. */
  cancel(workspaceId: number, id: number, record: RecordTask): Promise<Task>;
  /**
   * Starts a failed task's work again, as a new task in the name of whoever started the first. A
   * failed task has closed what it had open, so it cannot continue. `record` is called in the
   * transaction that adds the new task, with that.
   */
  retry(workspaceId: number, id: number, record: RecordTask): Promise<Task>;
}

type RecordTask = (tx: TenantTx, task: Pick<Task, 'id' | 'title'>) => Promise<void>;

export type { OverseenTaskRow };

export function createOversight(
  context: TasksContext,
  start: (
    workspaceId: number,
    kind: string,
    input: Record<string, unknown>,
    by: { userId: string | null; name: string; email: string },
    record: RecordTask,
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
    cancel: (workspaceId, id, record) => cancelOne(context, workspaceId, id, record),
    async retry(workspaceId, id, record) {
      const row = await needTask(context, workspaceId, id);
      if (row.status !== 'failed') throw new AppError('conflict', 'Only a task that failed can be retried.');
      if (!understand(context.definitions, row))
        throw new AppError('conflict', 'This version of the product does not know this kind of task.');
      const by = { userId: row.userId, name: row.userName, email: row.actor };
      return start(workspaceId, row.kind, row.input, by, record);
    },
  };
}
