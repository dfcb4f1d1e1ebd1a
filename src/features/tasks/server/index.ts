import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import { errorsOfAll, type ServerFeature } from '#platform/server/feature.ts';
import { goneSignal, type Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { port } from '#platform/server/ports.ts';
import { renewStatistics } from '#platform/server/statistics.ts';
import { storableJson } from '#platform/server/storable-text.ts';
import type { ParticularCodes } from '#platform/shared/errors.ts';
import type { StartedTask, Task } from '../contract.ts';
import * as contract from '../contract.ts';
import { tasksWords } from '../rules/words.ts';
import { keptDays } from '../rules.ts';
import { cleanUpCancelled } from './cancel-task.ts';
import type { TaskDefinition } from './definition.ts';
import { createOversight, type TaskOversight } from './oversight.ts';
import { presentTask } from './present.ts';
import { expireTasks, insertTask, type TaskRow } from './queries.ts';
import { registerTasks } from './routes.ts';
import { createRunner } from './runner.ts';
import { resultOf, waitForEnd } from './wait-for-end.ts';

export type { BrokenEnd, TaskContext, TaskDefinition } from './definition.ts';
export type { OverseenTaskRow, TaskOversight } from './oversight.ts';
export { type ToldUndo, type Undoing, undoChange, undoTaskOf } from './undo.ts';

/** Who starts a task; a `Caller` will do. The audit log names `email`, if there is one. */
export interface TaskStarter {
  userId: string | null;
  name: string;
  email?: string;
}

interface AnsweredCall {
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Tasks {
  /**
   * Registers a kind of work. Call it before `startWork`, and in every process that may run the
   * work.
   */
  define<Input>(definition: TaskDefinition<Input>): void;
  /** Has the work done, in this process or another, and returns its record at once. */
  start(workspaceId: number, kind: string, input: Record<string, unknown>, by: TaskStarter): Promise<Task>;
  /** Waits for the end, whatever it is. Giving up on waiting does not stop the task. */
  finished(workspaceId: number, taskId: number, options?: { signal?: AbortSignal }): Promise<Task>;
  /**
   * The answer of a call that has started a task: `{taskId}` with 202 if the caller prefers that
   * (RFC 7240 section 4.1), otherwise the task's result once it is there. Throws the task's error.
   * When the caller hangs up, the waiting ends and the task goes on.
   */
  answer<Result>(
    call: AnsweredCall,
    workspaceId: number,
    task: Pick<Task, 'id'>,
  ): Promise<StartedTask | Result>;
  register(router: Router): void;
  /** For the administrator of the installation. */
  oversight: TaskOversight;
  /** From now on, this process runs tasks. */
  startWork(): void;
  /** Deletes what ended long ago. */
  tidy(): Promise<void>;
  /** Cleans up after cancelled tasks of a workspace where that has failed so far. */
  cleanUp(workspaceId: number): Promise<void>;
  /** Stops the tasks that run here, at their next checkpoint. Other processes continue them. */
  stop(): Promise<void>;
}

export interface TasksOptions {
  db: Database;
  log: Log;
  disk?: DiskSpace;
  /**
   * True in a process that only serves the web. It runs tasks only when no worker takes them within
   * seconds.
   */
  leavesWorkToOthers: boolean;
  /** Error codes of features. */
  errors?: ParticularCodes;
}

export function createTasks({ db, log, disk, leavesWorkToOthers, errors = {} }: TasksOptions): Tasks {
  const definitions = new Map<string, TaskDefinition<unknown>>();
  const runner = createRunner({ db, log, disk, definitions, leavesWorkToOthers });
  const context = { db, log, disk, runner, definitions, errors };
  /** `record` is called in the transaction that adds the task. */
  const start = async (
    workspaceId: number,
    kind: string,
    input: Record<string, unknown>,
    by: TaskStarter,
    record: (tx: TenantTx, row: TaskRow) => Promise<void> = async () => {},
  ) => {
    const definition = definitions.get(kind);
    if (!definition) throw new RangeError(`no task of kind ${kind}`);
    const row = await db.asTenant(
      workspaceId,
      async (tx) => {
        const added = await insertTask(tx, workspaceId, {
          kind,
          title: definition.title(input),
          input: storableJson(definition.input.parse(input)),
          userId: by.userId,
          userName: by.name || by.email || '',
          actor: by.email ?? by.name,
        });
        await record(tx, added);
        return added;
      },
      { answer: ({ id }) => ({ ...begunAnswer(id), isInterim: true }) },
    );
    runner.wake();
    return presentTask(definitions, row);
  };
  return {
    define(definition) {
      if (definitions.has(definition.kind)) throw new RangeError(`${definition.kind} is defined twice`);
      definitions.set(definition.kind, definition as TaskDefinition<unknown>);
    },
    start: (workspaceId, kind, input, by) => start(workspaceId, kind, input, by),
    oversight: createOversight(context, start),
    finished: (workspaceId, taskId, options) => waitForEnd(context, workspaceId, taskId, options?.signal),
    async answer<Result>({ request, reply }: AnsweredCall, workspaceId: number, { id }: Pick<Task, 'id'>) {
      if (prefersNotToWait(request)) {
        reply.code(begunAnswer(id).status).header('preference-applied', 'respond-async');
        return begunAnswer(id).body;
      }
      await waitForEnd(context, workspaceId, id, goneSignal(reply));
      return (await resultOf(context, workspaceId, id)) as Result;
    },
    register: (router) => registerTasks(router, context),
    startWork: () => runner.begin(),
    async tidy() {
      const gone = await expireTasks(db.system, keptDays);
      if (gone > 0) log.info({ tasks: gone }, 'forgot tasks that ended long ago');
    },
    cleanUp: (workspaceId) => cleanUpCancelled(context, workspaceId),
    stop: () => runner.stop(),
  };
}

/** The long work of this process. */
export const tasksPort = port<Tasks>('tasks.tasks');

export const tasksFeature: ServerFeature = {
  name: 'tasks',
  contract,
  words: tasksWords,
  create({ db, log, disk, config, features, offer }) {
    const tasks = createTasks({
      db,
      log,
      disk,
      leavesWorkToOthers: config.role === 'web',
      errors: errorsOfAll(features),
    });
    offer(tasksPort, tasks);
    return {
      gather(all) {
        for (const definition of all.flatMap((one) => one.tasks ?? [])) tasks.define(definition);
      },
      routes: (router) => tasks.register(router),
      jobs: [
        { name: 'tasks.tidy', schedule: '51 3 * * *', handler: () => tasks.tidy() },
        // For what grows in small steps, and for what the end of some work has left alone.
        {
          name: 'tasks.renew-statistics',
          schedule: '* * * * *',
          handler: () => renewStatistics({ db, log }),
        },
      ],
      nightly: [{ name: 'tasks.clean-up', run: (workspaceId) => tasks.cleanUp(workspaceId) }],
      start: () => tasks.startWork(),
      stopWork: () => tasks.stop(),
    };
  },
};

/** The answer for a task that has begun. */
const begunAnswer = (taskId: number) => ({ status: 202, body: { taskId } });

const prefersNotToWait = (request: FastifyRequest): boolean =>
  /(^|,)\s*respond-async\s*(;|,|$)/i.test(String(request.headers.prefer ?? ''));
