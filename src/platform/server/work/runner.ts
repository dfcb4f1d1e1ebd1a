import { randomUUID } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import { AppError } from '#platform/shared/errors.ts';
import { inBackground } from '../call-context.ts';
import type { Database, TenantTx } from '../database.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import { diskFull, isOutOfRoom } from '../disk/out-of-room.ts';
import type { Log } from '../logging.ts';
import { keepLease } from './heartbeat.ts';
import type { Leases, WorkKey, WorkRun } from './leases.ts';
import { isPassing, stopReason, untilReachable, WorkStopped } from './stopped.ts';

/*
 * The life of a piece of work:
 *
 *   waiting --(claimed)--> held --(the work writes its end)--> ended
 *      ^                    |
 *      |                    +--(cancelled, or failed for good)--> ended by `breakOff`
 *      +--(the process stops, the database is away, or this process cannot do it)
 *                           +--(silent for the length of the lease)--> claimed by another run
 *
 * The record is true at every moment, because a run writes everything under its lease
 * (`Leases.heldBy`), and writes how far it is in the transaction of the work itself.
 * docs/decisions/0026-long-work.md gives the reasons.
 */

/** A record of the work, as far as the runner reads it. */
export interface WorkRecord extends WorkKey {
  /** Runs since the work last made progress, including this one. */
  attempts: number;
  /** Somebody cancelled it before this run began. */
  cancelRequested: boolean;
}

/** Work that this process is doing now. */
export interface HeldWork<Row extends WorkRecord> {
  readonly run: WorkRun;
  readonly row: Row;
  /** Aborted when the work is cancelled, when another run has it, and when the process stops. */
  readonly stopper: AbortController;
  /** Settles when the run is over, however it ended. Never rejects. */
  readonly done: Promise<void>;
}

/**
 * Work that this process cannot do but another can: its input is from a newer version, or its file
 * is on another machine.
 */
export class NotForThisProcess extends Error {}

/** One kind of long work: a table, and what to do with its rows. */
export interface WorkQueue<Row extends WorkRecord> {
  /** What the log calls a piece of the work: "task". */
  name: string;
  leases: Leases;
  /** How many pieces one process works on at once. */
  atOnce: number;
  /** What people read about work whose process died again and again. */
  givenUp: string;
  /**
   * What becomes of running work when the disk is full: it waits and goes on from its checkpoint,
   * or it ends, with nothing done.
   */
  whenFull: 'wait' | 'fail';
  /**
   * Gives the run the next piece that waits or whose process is dead. Null when there is none for
   * this process.
   */
  claim(lease: string, held: readonly HeldWork<Row>[], leaveOut: readonly number[]): Promise<WorkKey | null>;
  /**
   * Reads the record that the run has claimed and counts the attempt. Null when the run no longer
   * holds it.
   *
   * @throws NotForThisProcess, and then the record stays as it was.
   */
  begin(tx: TenantTx, run: WorkRun): Promise<Row | null>;
  /** Records what is worth showing about work that this process cannot do, before it goes back. */
  leave(tx: TenantTx, run: WorkRun): Promise<void>;
  /** The columns that a heartbeat sets along with the lease. */
  told(held: HeldWork<Row>): RawBuilder<unknown>;
  /** Does the work and writes its end, under the lease. */
  work(held: HeldWork<Row>): Promise<void>;
  /** Writes that the work was cancelled or failed for good, under the lease. */
  breakOff(
    held: HeldWork<Row>,
    end: { cancelled: true } | { cancelled: false; error: unknown },
  ): Promise<void>;
}

const lookEveryMs = 1_000;
/** The work is given up after this many runs in a row have died. */
const attemptLimit = 5;
const retrySeconds = 3;
/** How long this process does not claim work that it cannot do. */
const leftAsideMs = 60_000;

export interface RunnerParts {
  db: Database;
  log: Log;
  /** While it is full, no work begins. Absent: nobody looks. */
  disk?: DiskSpace | undefined;
}

/**
 * Claims the work of a queue, a few pieces at once, keeps its leases alive and gives back what it
 * cannot finish.
 */
export class WorkRunner<Row extends WorkRecord> {
  readonly #db: Database;
  readonly #log: Log;
  readonly #disk: DiskSpace | undefined;
  readonly #queue: WorkQueue<Row>;
  readonly #held = new Map<string, HeldWork<Row>>();
  /** Work that this process cannot do: by id, the time until which it is not claimed. */
  readonly #aside = new Map<number, number>();
  readonly #leaveDisk: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor({ db, log, disk }: RunnerParts, queue: WorkQueue<Row>) {
    this.#db = db;
    this.#log = log;
    this.#disk = disk;
    this.#queue = queue;
    this.#leaveDisk = disk?.onChange((isFull) => (isFull ? this.#pause() : this.wake()));
  }

  /** From now on, this process does waiting work and takes over what a dead process left. */
  begin(): void {
    this.#timer = setInterval(() => this.wake(), lookEveryMs);
    this.wake();
  }

  /** Looks for work now. Works before `begin` too, so that work started here gets done. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    // The caller that woke it does not wait for the work.
    this.#looking ??= inBackground(() => this.#look());
  }

  /** Looks for work now, and returns once it has taken as much as there is room for. */
  async look(): Promise<void> {
    this.wake();
    await this.#looking;
  }

  find(key: WorkKey): HeldWork<Row> | undefined {
    return this.#held.get(keyOf(key));
  }

  /** Tells running work that it is cancelled. Work in another process learns it from its record. */
  cancel(key: WorkKey): void {
    this.find(key)?.stopper.abort(new WorkStopped('cancelled'));
  }

  /** Claims nothing more, tells running work to stop, and gives it back for others. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#leaveDisk?.();
    for (const { stopper } of this.#held.values()) stopper.abort(new WorkStopped('stopping'));
    await this.#looking;
    await Promise.all([...this.#held.values()].map(({ done }) => done));
  }

  /** The disk is full: what runs would only take the last room. */
  #pause(): void {
    for (const { stopper } of this.#held.values()) stopper.abort(this.#noRoom());
  }

  #noRoom(): Error {
    return this.#queue.whenFull === 'wait' ? new WorkStopped('no room') : diskFull();
  }

  async #look(): Promise<void> {
    // Waits one turn, so that `#looking` is set before this can end.
    await null;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        while (await this.#takeOne());
      } catch (error) {
        this.#log.warn({ err: error }, `could not look for the next ${this.#queue.name}`);
      }
    }
    // In the same turn as the last look at `#again`, so that no wake-up is lost in between.
    this.#looking = null;
  }

  /** Takes one more piece of work. Returns false when there is none, or no room for it. */
  async #takeOne(): Promise<boolean> {
    if (this.#stopped || this.#disk?.isFull || this.#held.size >= this.#queue.atOnce) return false;
    const lease = randomUUID();
    const key = await this.#queue.claim(lease, [...this.#held.values()], this.#leftAside());
    if (!key) return false;
    const run = { ...key, lease };
    if (this.#stopped) {
      await this.#giveBack(run, 0);
      return false;
    }
    try {
      const row = await this.#db.asTenant(run.workspaceId, (tx) => this.#queue.begin(tx, run));
      if (row) this.#hold(run, row);
    } catch (error) {
      if (!(error instanceof NotForThisProcess)) throw error;
      await this.#leave(run, error);
    }
    return true;
  }

  #leftAside(): number[] {
    const now = performance.now();
    return [...this.#aside].filter(([, until]) => until > now).map(([id]) => id);
  }

  /** Puts back unchanged what this process cannot do, and logs it once. */
  async #leave(run: WorkRun, reason: NotForThisProcess): Promise<void> {
    const { name, leases } = this.#queue;
    if (!this.#aside.has(run.id))
      this.#log.warn({ [name]: run.id }, `${name} left to another process: ${reason.message}`);
    this.#aside.set(run.id, performance.now() + leftAsideMs);
    await this.#db.asTenant(run.workspaceId, async (tx) => {
      await this.#queue.leave(tx, run);
      await leases.release(tx, run, 0);
    });
  }

  #hold(run: WorkRun, row: Row): void {
    const key = keyOf(run);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const held: HeldWork<Row> = { run, row, stopper: new AbortController(), done };
    this.#aside.delete(run.id);
    this.#held.set(key, held);
    if (row.cancelRequested) held.stopper.abort(new WorkStopped('cancelled'));
    // The process may have been told to stop, or the disk may have filled up, while the record was
    // read.
    if (this.#stopped) held.stopper.abort(new WorkStopped('stopping'));
    if (this.#disk?.isFull) held.stopper.abort(this.#noRoom());
    void this.#run(held).finally(() => {
      // Work that was queued again right away may already be held by a new run.
      if (this.#held.get(key) === held) this.#held.delete(key);
      resolve();
      this.wake();
    });
  }

  /**
   * Does the work, and makes sure that its end is recorded or that it is given back. Never throws.
   */
  async #run(held: HeldWork<Row>): Promise<void> {
    const { name, leases, givenUp } = this.#queue;
    const { run, row, stopper } = held;
    const options = { db: this.#db, log: this.#log, leases, run, stopper };
    const stopBeating = keepLease({ ...options, told: () => this.#queue.told(held) });
    try {
      stopper.signal.throwIfAborted();
      if (row.attempts > attemptLimit) throw new AppError('internal', givenUp);
      await this.#queue.work(held);
    } catch (error) {
      await this.#endEarly(held, error).catch((cause: unknown) =>
        // The lease expires and another run takes the work.
        this.#log.error({ err: cause, [name]: row.id }, `${name}: its end could not be written down`),
      );
    } finally {
      stopBeating();
    }
  }

  async #endEarly(held: HeldWork<Row>, thrown: unknown): Promise<void> {
    const { name } = this.#queue;
    const { run, row, stopper } = held;
    this.#disk?.notice(thrown);
    // Whatever is thrown by work that was told to stop is only a consequence.
    const error = stopper.signal.reason instanceof AppError ? stopper.signal.reason : thrown;
    const reason = stopReason(error, stopper.signal);
    // The heartbeat may not know yet. The work and its files now belong to the other run. An end
    // that is written stays, whatever was thrown after it.
    if (reason === 'lost' || (await this.#isOver(run))) return;
    const mayPass = reason === null && row.attempts <= attemptLimit && this.#mayPass(error);
    if (reason === 'stopping' || reason === 'no room' || mayPass) {
      this.#log.info({ [name]: row.id, err: mayPass ? error : undefined }, `${name} given back`);
      const isFull = reason === 'no room' || (mayPass && isOutOfRoom(error));
      const isUncounted = reason === 'stopping' || isFull;
      await untilReachable(() => this.#giveBack(run, mayPass ? retrySeconds : 0, isUncounted));
      return;
    }
    await this.#queue.breakOff(
      held,
      reason === 'cancelled' ? { cancelled: true } : { cancelled: false, error },
    );
  }

  #mayPass(error: unknown): boolean {
    return isPassing(error) || (this.#queue.whenFull === 'wait' && isOutOfRoom(error));
  }

  async #isOver(run: WorkRun): Promise<boolean> {
    const { leases } = this.#queue;
    const asked = this.#db.asTenant(run.workspaceId, (tx) => leases.standing(tx, run));
    // Without an answer, the run assumes that it still holds the work. It writes only under its
    // lease anyway.
    const standing = await asked.catch(() => 'held');
    return standing === 'lost' || standing === 'ended';
  }

  /**
   * A run that found no room or whose process stopped is not counted: no later run is given up for
   * it.
   */
  async #giveBack(run: WorkRun, seconds: number, isUncounted = false): Promise<void> {
    const { leases } = this.#queue;
    await this.#db.asTenant(run.workspaceId, (tx) => leases.release(tx, run, seconds, isUncounted));
  }
}

const keyOf = ({ workspaceId, id }: WorkKey): string => `${workspaceId}/${id}`;
