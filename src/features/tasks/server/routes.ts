import { setTimeout as sleep } from 'node:timers/promises';
import { answerWithEvents } from '#platform/server/event-stream.ts';
import type { Call, Router } from '#platform/server/http.ts';
import { cancelTask, getTask, listTasks, type Task, taskEvents } from '../contract.ts';
import { isOpen } from '../rules.ts';
import { cancelOne } from './cancel-task.ts';
import type { TasksContext } from './context.ts';
import { getOne } from './get-task.ts';
import { listAll } from './list-tasks.ts';
import { needTask } from './need-task.ts';

export function registerTasks(router: Router, context: TasksContext): void {
  router.handle(listTasks, ({ workspaceId, query }) => listAll(context, workspaceId, query));
  router.handle(getTask, ({ workspaceId, params }) => getOne(context, workspaceId, params.id));
  router.handle(cancelTask, ({ workspaceId, params }) => cancelOne(context, workspaceId, params.id));
  router.handle(taskEvents, (call) => streamEvents(context, call));
}

const tickMs = 250;

/**
 * Sends events until the task has ended: from this process's own run, or from the record that
 * another process keeps.
 */
async function streamEvents(context: TasksContext, call: Call<typeof taskEvents>): Promise<unknown> {
  const { workspaceId } = call;
  const { id } = call.params;
  await needTask(context, workspaceId, id);
  let shown: Task | undefined;
  return answerWithEvents(call, async () => {
    const running = context.runner.find({ workspaceId, id });
    if (running && shown?.status === 'running') {
      shown = { ...shown, ...running.row.progress };
    } else {
      shown = await getOne(context, workspaceId, id);
      if (!isOpen(shown.status)) return { event: 'done', data: shown };
    }
    const until = running ? Promise.race([sleep(tickMs), running.done]) : sleep(2 * tickMs);
    return { event: 'progress', data: shown, until };
  });
}
