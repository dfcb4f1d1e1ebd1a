import { AppError } from '#platform/shared/errors.ts';
import type { TasksContext } from './context.ts';
import { findTask, type TaskRow } from './queries.ts';

/** @throws AppError `not_found`: no such task in this workspace. */
export async function needTask(
  { db }: Pick<TasksContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<TaskRow> {
  const row = await db.asTenant(workspaceId, (tx) => findTask(tx, workspaceId, id));
  if (!row) throw new AppError('not_found', 'There is no such task.');
  return row;
}
