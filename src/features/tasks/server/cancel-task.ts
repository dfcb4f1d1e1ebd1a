import type { TenantTx } from '#platform/server/database.ts';
import { storableJson } from '#platform/server/storable-text.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Task } from '../contract.ts';
import type { TasksContext } from './context.ts';
import { cancelledError, understand } from './definition.ts';
import { needTask } from './need-task.ts';
import { presentTask } from './present.ts';
import { noteCleanedUp, requestCancel, selectNotCleanedUp, type TaskRow } from './queries.ts';

/**
 * Stops a task. A waiting one never runs; a running one ends at its next checkpoint. Returns its
 * state now. `record` is called in the same transaction.
 */
export async function cancelOne(
  context: TasksContext,
  workspaceId: number,
  id: number,
  record: (tx: TenantTx, row: TaskRow) => Promise<void> = async () => {},
): Promise<Task> {
  await needTask(context, workspaceId, id);
  const row = await context.db.asTenant(workspaceId, async (tx) => {
    const asked = await requestCancel(tx, workspaceId, id);
    if (!asked) throw new AppError('conflict', 'This task has ended already.');
    await record(tx, asked);
    return asked;
  });
  context.runner.cancel({ workspaceId, id });
  const ended = row.status === 'cancelled' ? await cleanUpAfter(context, row) : row;
  return presentTask(context.definitions, ended);
}

/**
 * Cleans up after tasks that were cancelled before they began, where the process died meanwhile or
 * it failed. Without a result, a task of a kind that cleans up is one of these.
 */
export async function cleanUpCancelled(context: TasksContext, workspaceId: number): Promise<void> {
  const kinds = [...context.definitions.values()].flatMap(({ kind, broken }) => (broken ? [kind] : []));
  const rows = await context.db.asTenant(workspaceId, (tx) => selectNotCleanedUp(tx, workspaceId, kinds));
  for (const row of rows) await cleanUpAfter(context, row);
}

/**
 * For a task that never began. Its call may have left something for it, such as a file. The task
 * has ended already, so a failure is only logged, and comes up again at night.
 */
async function cleanUpAfter({ db, definitions, log }: TasksContext, row: TaskRow): Promise<TaskRow> {
  const known = understand(definitions, row);
  const { workspaceId, id, userId, actor } = row;
  if (!known?.definition.broken) return row;
  try {
    const result = await known.definition.broken(
      {
        ...{ workspaceId, taskId: id, userId, actor, input: known.input, state: null },
        progress() {},
        async checkpoint() {},
        signal: new AbortController().signal,
      },
      { status: 'cancelled', message: cancelledError().message },
    );
    await db.asTenant(workspaceId, (tx) => noteCleanedUp(tx, workspaceId, id, storableJson(result)));
    return { ...row, result };
  } catch (error) {
    log.error({ err: error, task: id, kind: row.kind }, 'a cancelled task could not be cleaned up after');
    return row;
  }
}
