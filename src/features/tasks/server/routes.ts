import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Router } from '#platform/server/http.ts';
import { cancelTask, getTask, listTasks, type Task, taskEvents } from '../contract.ts';
import { isOpen } from '../rules.ts';
import { cancelOne, getOne, listAll, needTask, type TasksContext } from './service.ts';

export function registerTasks(router: Router, context: TasksContext): void {
  router.handle(listTasks, ({ workspaceId, query }) => listAll(context, workspaceId, query));
  router.handle(getTask, ({ workspaceId, params }) => getOne(context, workspaceId, params.id));
  router.handle(cancelTask, ({ workspaceId, params }) => cancelOne(context, workspaceId, params.id));
  router.handle(taskEvents, (call) => streamEvents(context, call));
}

const tickMs = 250;

/** Server-sent events until the task has ended: from this process's own run, or from the record that another keeps. */
async function streamEvents(context: TasksContext, call: Call<typeof taskEvents>): Promise<unknown> {
  const { workspaceId } = call;
  const { id } = call.params;
  await needTask(context, workspaceId, id);
  call.reply.hijack();
  const out = call.reply.raw;
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const send = (event: string, task: Task) => out.write(`event: ${event}\ndata: ${JSON.stringify(task)}\n\n`);
  let shown: Task | undefined;
  try {
    while (!out.destroyed) {
      const running = context.runner.find(workspaceId, id);
      if (running && shown?.status === 'running') {
        shown = { ...shown, ...running.progress };
      } else {
        shown = await getOne(context, workspaceId, id);
        if (!isOpen(shown.status)) {
          send('done', shown);
          break;
        }
      }
      send('progress', shown);
      await (running ? Promise.race([sleep(tickMs), running.done]) : sleep(2 * tickMs));
    }
  } catch (error) {
    call.request.log.warn({ err: error }, 'a progress stream ended early');
  } finally {
    out.end();
  }
  return call.reply;
}
