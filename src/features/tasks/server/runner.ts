import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, sqlState } from '#platform/server/database.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Log } from '#platform/server/logging.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  cancelledError,
  type Definitions,
  type StopReason,
  type TaskContext,
  type TaskDefinition,
  TaskStopped,
} from './definition.ts';
import {
  claimTask,
  endTask,
  findTask,
  type Progress,
  readLease,
  releaseTask,
  renewLease,
  saveCheckpoint,
  type TaskEnd,
  type TaskRow,
  type TaskRun,
} from './queries.ts';
import { toJson } from './stored-json.ts';

/*
 * A task's life:
 *
 *   waiting --(claimed)--> running --(run answers)--> completed
 *      ^                      |----(run throws)-----> failed
 *      |                      |----(cancel)---------> cancelled
 *      |                      |
 *      +--(process stops, or the database is away)
 *                             +--(silent for the lease)--> claimed by another run
 *
 * The record tells the truth at every moment, because everything a run writes is written under its lease: `checkpoint` in
 * the transaction of the work itself.
 */

/** Tasks at work at once in one process; they mostly wait for the database. */
const atOnce = 4;
/** Of one kind: a slot stays free for a quick clean while verifications take hours. */
const eachKindAtOnce = 3;
/** Of one workspace, in all processes together. */
const eachWorkspaceAtOnce = 2;
const heartbeatMs = 2_000;
const lookEveryMs = 1_000;
/** How long a process that leaves work to workers waits for one to take it. */
const webPatienceSeconds = 4;
/** Runs without a checkpoint between them before a task is given up. */
const attemptLimit = 5;
const retrySeconds = 3;

interface Running {
  run: TaskRun;
  kind: string;
  progress: Progress;
  stopper: AbortController;
  done: Promise<void>;
}

export interface RunnerOptions {
  db: Database;
  log: Log;
  definitions: Definitions;
  /** True in a process beside which workers may run. */
  leavesWorkToOthers: boolean;
}

/** Runs the tasks of all workspaces, a few at once, and keeps their records alive meanwhile. */
export class TaskRunner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<string, Running>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** From now on, takes tasks that wait and those whose process has died. */
  begin(): void {
    this.#timer = setInterval(() => this.wake(), lookEveryMs);
    this.wake();
  }

  /** Looks for work now; also before `begin`, so that what is started here is run. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#looking ??= this.#look();
  }

  /** How far a task is that this process runs, and its end; undefined for any other. */
  find(workspaceId: number, id: number): { progress: Progress; done: Promise<void> } | undefined {
    return this.#running.get(keyOf(workspaceId, id));
  }

  /** Tells a task that it is cancelled; one that another process runs finds out from its record. */
  cancel(workspaceId: number, id: number): void {
    this.#running.get(keyOf(workspaceId, id))?.stopper.abort(new TaskStopped('cancelled'));
  }

  /** Takes no more tasks, stops those at work at their next checkpoint and gives them back for others. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    for (const { stopper } of this.#running.values()) stopper.abort(new TaskStopped('stopping'));
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #look(): Promise<void> {
    const { db, log } = this.#options;
    // A turn later, so that this has been noted as under way before it can end.
    await null;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        while (this.#running.size < atOnce && !this.#stopped) {
          const lease = randomUUID();
          const claimed = await claimTask(db.system, {
            lease,
            kinds: this.#kindsWanted(),
            eachWorkspace: eachWorkspaceAtOnce,
            patienceSeconds: this.#options.leavesWorkToOthers ? webPatienceSeconds : 0,
          });
          if (!claimed) break;
          await this.#take({ ...claimed, lease });
        }
      } catch (error) {
        log.warn({ err: error }, 'could not look for tasks');
      }
    }
    // In the same turn as the last look at `#again`: nobody's wish is lost between them.
    this.#looking = null;
  }

  #kindsWanted(): string[] {
    const busy = [...this.#running.values()].map(({ kind }) => kind);
    return [...this.#options.definitions.keys()].filter(
      (kind) => busy.filter((one) => one === kind).length < eachKindAtOnce,
    );
  }

  async #take(run: TaskRun): Promise<void> {
    const { db } = this.#options;
    const row = await db.asTenant(run.workspaceId, (tx) => findTask(tx, run.workspaceId, run.id));
    if (!row) return;
    const { done, total, phase } = row;
    const running: Running = {
      run,
      kind: row.kind,
      progress: { done, total, phase },
      stopper: new AbortController(),
      done: Promise.resolve(),
    };
    if (row.cancelRequested) running.stopper.abort(new TaskStopped('cancelled'));
    const key = keyOf(run.workspaceId, run.id);
    this.#running.set(key, running);
    running.done = this.#run(row, running).finally(() => {
      this.#running.delete(key);
      this.wake();
    });
  }

  /** Runs a task to its end and writes that down. Never throws. */
  async #run(row: TaskRow, running: Running): Promise<void> {
    const { log, definitions } = this.#options;
    const definition = definitions.get(row.kind) as TaskDefinition<unknown>;
    const context = this.#contextOf(row, running);
    const heart = setInterval(() => void this.#beat(running), heartbeatMs);
    try {
      if (row.attempts > attemptLimit) {
        throw new AppError('internal', 'This was broken off again and again and has been given up.');
      }
      running.stopper.signal.throwIfAborted();
      const result = await definition.run(context);
      const link = definition.link?.(result, row.input) ?? null;
      await this.#end(running, { status: 'completed', result: toJson(result), link });
      log.info({ task: row.id, kind: row.kind }, 'task done');
    } catch (error) {
      await this.#breakOff(row, running, context, definition, error).catch((cause: unknown) =>
        // The lease runs out and the task is taken up again.
        log.error(
          { err: cause, task: row.id, kind: row.kind },
          'the end of a task could not be written down',
        ),
      );
    } finally {
      clearInterval(heart);
    }
  }

  async #breakOff(
    row: TaskRow,
    running: Running,
    context: TaskContext<unknown>,
    definition: TaskDefinition<unknown>,
    error: unknown,
  ): Promise<void> {
    const { db, log } = this.#options;
    const reason = stopReason(error, running.stopper.signal);
    if (reason === 'lost') return;
    if (reason === 'stopping' || (reason === null && isPassing(error) && row.attempts <= attemptLimit)) {
      log.info({ task: row.id, kind: row.kind, err: reason ? undefined : error }, 'task given back');
      const seconds = reason === 'stopping' ? 0 : retrySeconds;
      await db.asTenant(row.workspaceId, (tx) => releaseTask(tx, running.run, seconds));
      return;
    }
    const failure = reason === 'cancelled' ? cancelledError() : asAppError(error);
    const status = reason === 'cancelled' ? 'cancelled' : 'failed';
    if (status === 'failed') log.warn({ task: row.id, kind: row.kind, err: error }, 'task failed');
    const state = await this.#latestState(row);
    const result = await definition.broken?.({ ...context, state }, { status, message: failure.message });
    await this.#end(running, {
      status,
      result: result ? toJson(result) : null,
      link: result ? (definition.link?.(result, row.input) ?? null) : null,
      ...(status === 'failed' ? { error: failure.message, errorCode: failure.code } : {}),
    });
  }

  async #latestState({ workspaceId, id }: TaskRow): Promise<TaskRow['state']> {
    const row = await this.#options.db.asTenant(workspaceId, (tx) => findTask(tx, workspaceId, id));
    return row?.state ?? null;
  }

  async #end({ run, progress }: Running, end: TaskEnd): Promise<void> {
    await untilReachable(() =>
      this.#options.db.asTenant(run.workspaceId, (tx) => endTask(tx, run, progress, end)),
    );
  }

  #contextOf(row: TaskRow, running: Running): TaskContext<unknown> {
    const { run, stopper } = running;
    return {
      workspaceId: row.workspaceId,
      taskId: row.id,
      userId: row.userId,
      actor: row.actor,
      input: row.input,
      state: row.state,
      signal: stopper.signal,
      progress(done, total, phase) {
        running.progress = {
          done: Math.round(done),
          total: total === null ? null : Math.round(total),
          phase: phase ?? null,
        };
      },
      async checkpoint(tx, state) {
        stopper.signal.throwIfAborted();
        if (await saveCheckpoint(tx, run, toJson(state), running.progress)) return;
        const { isMine } = await readLease(tx, run);
        throw new TaskStopped(isMine ? 'cancelled' : 'lost');
      },
    };
  }

  /** Prolongs the lease, writes the progress down, and looks whether the task may go on. */
  async #beat({ run, progress, stopper }: Running): Promise<void> {
    try {
      await this.#options.db.asTenant(run.workspaceId, async (tx) => {
        const { isMine, cancelRequested } = await readLease(tx, run);
        if (!isMine) stopper.abort(new TaskStopped('lost'));
        else if (cancelRequested) stopper.abort(new TaskStopped('cancelled'));
        if (isMine) await renewLease(tx, run, progress);
      });
    } catch (error) {
      // A missed beat is made up by the next; the work notices by itself when the database is away.
      this.#options.log.debug({ err: error, task: run.id }, 'the lease of a task was not renewed');
    }
  }
}

const keyOf = (workspaceId: number, id: number): string => `${workspaceId}/${id}`;

/** Why the run was told to stop, if that is what it died of: whatever it threw then is only a consequence. */
function stopReason(error: unknown, signal: AbortSignal): StopReason | null {
  if (error instanceof TaskStopped) return error.reason;
  return signal.reason instanceof TaskStopped ? signal.reason.reason : null;
}

/** Failures that another run does not meet again: the database was away, or chose this transaction to end a deadlock. */
function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40P01' || state === '40001' || asAppError(error).code === 'unavailable';
}

/** Tries for a while longer than a restart of the database takes. */
async function untilReachable(write: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await write();
      return;
    } catch (error) {
      if (attempt >= 4 || asAppError(error).code !== 'unavailable') throw error;
      await sleep(attempt * 500);
    }
  }
}
