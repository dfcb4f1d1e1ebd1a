import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Log } from '#platform/server/logging.ts';
import { renewStatistics } from '#platform/server/statistics.ts';
import { storableJson } from '#platform/server/storable-text.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import {
  type HeldWork,
  NotForThisProcess,
  type WorkQueue,
  WorkRunner,
} from '#platform/server/work/runner.ts';
import { untilReachable, WorkStopped } from '#platform/server/work/stopped.ts';
import {
  type BrokenEnd,
  cancelledError,
  type Definitions,
  type TaskContext,
  type TaskDefinition,
  understand,
} from './definition.ts';
import { quietSeconds } from './present.ts';
import {
  beginTask,
  claimTask,
  endTask,
  findTask,
  leases,
  noteNotUnderstood,
  type Progress,
  saveCheckpoint,
  type TaskEnd,
  type TaskRow,
  toldOf,
} from './queries.ts';

/*
 * A task's life:
 *
 *   waiting --(begun)--> running --(run answers)--> completed
 *      ^                    |------(run throws)---> failed
 *      |                    |------(cancel)-------> cancelled
 *      +--(the process stops, or the database is away)
 *
 * The platform decides who may run it and who takes it up when a process dies:
 * platform/server/work/runner.ts.
 */

/** Tasks that run at once in one process. They mostly wait for the database. */
const atOnce = 4;
/** Per kind: a slot stays free for a quick clean while verifications take hours. */
const eachKindAtOnce = 3;
/** Per workspace, in all processes together. */
const eachWorkspaceAtOnce = 2;
/** How long a process that leaves work to workers waits for one to take it. */
const webPatienceSeconds = 4;

export interface RunnerOptions {
  db: Database;
  log: Log;
  disk?: DiskSpace | undefined;
  definitions: Definitions;
  /** True in a process that may have workers beside it. */
  leavesWorkToOthers: boolean;
}

/** A task that runs here: its record, its input as its kind understands it, and how far it is. */
interface RunningTask extends TaskRow {
  definition: TaskDefinition<unknown>;
  understood: unknown;
  progress: Progress;
}

type Held = HeldWork<RunningTask>;

/** How work came to an early end. A checkpoint of its clean-up keeps it with the state. */
interface EarlyEnd extends BrokenEnd {
  code: string;
}

const earlyEndIn = (state: TaskRow['state']) => state?.brokenOff as EarlyEnd | undefined;

export type TaskRunner = WorkRunner<RunningTask>;

/** Runs the tasks of all workspaces, a few at once, and keeps their records alive meanwhile. */
export const createRunner = (options: RunnerOptions): TaskRunner =>
  new WorkRunner(options, new TaskQueue(options));

class TaskQueue implements WorkQueue<RunningTask> {
  readonly name = 'task';
  readonly leases = leases;
  readonly atOnce = atOnce;
  readonly whenFull = 'wait';
  readonly givenUp = 'This was broken off again and again and has been given up.';
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  claim(lease: string, held: readonly Held[], leaveOut: readonly number[]) {
    const { db, definitions, leavesWorkToOthers } = this.#options;
    const atWork = (kind: string) => held.filter(({ row }) => row.kind === kind).length;
    return claimTask(db.system, {
      lease,
      kinds: [...definitions.keys()].filter((kind) => atWork(kind) < eachKindAtOnce),
      eachWorkspace: eachWorkspaceAtOnce,
      patienceSeconds: leavesWorkToOthers ? webPatienceSeconds : 0,
      leaveOut,
    });
  }

  async begin(tx: TenantTx, run: WorkRun): Promise<RunningTask | null> {
    const row = await beginTask(tx, run);
    if (!row) return null;
    const known = understand(this.#options.definitions, row);
    if (!known) throw new NotForThisProcess(`its input (${row.kind}) is of a newer version`);
    const { done, total, phase } = row;
    return {
      ...row,
      definition: known.definition,
      understood: known.input,
      progress: { done, total, phase },
    };
  }

  leave(tx: TenantTx, run: WorkRun): Promise<void> {
    return noteNotUnderstood(tx, run, quietSeconds);
  }

  told({ row }: Held) {
    return toldOf(row.progress);
  }

  async work(held: Held): Promise<void> {
    const { row } = held;
    const { definition, understood } = row;
    // The process died between the clean-up and the end.
    const ended = earlyEndIn(row.state);
    if (ended) return this.#cleanUp(held, ended);
    const result = await definition.run(contextOf(held));
    await renewStatistics(this.#options);
    const link = definition.link?.(result, understood) ?? null;
    await this.#end(held, { status: 'completed', result: storableJson(result), link });
    this.#options.log.info({ task: row.id, kind: row.kind }, 'task done');
  }

  async breakOff(held: Held, end: { cancelled: true } | { cancelled: false; error: unknown }): Promise<void> {
    const { row } = held;
    if (!end.cancelled)
      this.#options.log.warn({ task: row.id, kind: row.kind, err: end.error }, 'task failed');
    const { message, code } = end.cancelled ? cancelledError() : asAppError(end.error);
    await this.#cleanUp(held, { status: end.cancelled ? 'cancelled' : 'failed', message, code });
  }

  async #cleanUp(held: Held, now: EarlyEnd): Promise<void> {
    const { definition, understood } = held.row;
    const state = await this.#latestState(held.row);
    const end = earlyEndIn(state) ?? now;
    const { status, message, code } = end;
    const context: TaskContext<unknown> = {
      ...contextOf(held),
      state,
      checkpoint: (tx, next) => saveState(held, tx, { ...next, brokenOff: end }, true),
    };
    const result = await definition.broken?.(context, { status, message });
    await this.#end(held, {
      status,
      result: result ? storableJson(result) : null,
      link: result ? (definition.link?.(result, understood) ?? null) : null,
      ...(status === 'failed' && { error: message, errorCode: code }),
    });
  }

  async #latestState({ workspaceId, id }: TaskRow): Promise<TaskRow['state']> {
    const row = await this.#options.db.asTenant(workspaceId, (tx) => findTask(tx, workspaceId, id));
    return row?.state ?? null;
  }

  async #end({ run, row }: Held, end: TaskEnd): Promise<void> {
    await untilReachable(() =>
      this.#options.db.asTenant(run.workspaceId, (tx) => endTask(tx, run, row.progress, end)),
    );
  }
}

async function saveState(
  { run, row }: Held,
  tx: TenantTx,
  state: Record<string, unknown>,
  alsoIfCancelled: boolean,
): Promise<void> {
  if (await saveCheckpoint(tx, run, storableJson(state), row.progress, alsoIfCancelled)) return;
  const standing = await leases.standing(tx, run);
  throw new WorkStopped(standing === 'cancelled' ? 'cancelled' : 'lost');
}

function contextOf(held: Held): TaskContext<unknown> {
  const { row, stopper } = held;
  return {
    workspaceId: row.workspaceId,
    taskId: row.id,
    userId: row.userId,
    actor: row.actor,
    input: row.understood,
    state: row.state,
    signal: stopper.signal,
    progress(done, total, phase) {
      row.progress = {
        done: Math.round(done),
        total: total === null ? null : Math.round(total),
        phase: phase ?? null,
      };
    },
    async checkpoint(tx, state) {
      stopper.signal.throwIfAborted();
      await saveState(held, tx, state, false);
    },
  };
}
