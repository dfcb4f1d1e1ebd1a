import type { Task } from '../contract.ts';
import type { TasksContext } from './context.ts';
import { needTask } from './need-task.ts';
import { presentTask } from './present.ts';

export async function getOne(context: TasksContext, workspaceId: number, id: number): Promise<Task> {
  const row = await needTask(context, workspaceId, id);
  return presentTask(context.definitions, row, context.runner.find({ workspaceId, id })?.row.progress);
}
