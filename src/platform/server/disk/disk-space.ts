import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging.ts';
import { isOutOfRoom } from './out-of-room.ts';
import { makeReserve, releaseReserve, reserveOf } from './reserve.ts';

/*
 * What happens when a disk fills up:
 *
 *   room --(little is left, or something found no room)--> full --(there is room again)--> room
 *
 * While it is full, the reserve is given to the database, calls that change something are refused,
 * and no work begins. Reading goes on. docs/decisions/0035-full-disk.md gives the reasons.
 */
export interface DiskSpace {
  /** True while nothing is written. */
  readonly isFull: boolean;
  /** Bytes left where least is left. Not a number before the first look. */
  readonly freeBytes: number;
  /** True while the database is down and waits for room. */
  databaseWaits: boolean;
  /** Call it with an error: if it says that there is no room, looks at the disk at once. */
  notice(error: unknown): void;
  /** Calls `listener` at each change. Returns how to stop that. */
  onChange(listener: (isFull: boolean) => void): () => void;
  /** Also watches this folder. With `keepReserve`, keeps room beside it for the database. */
  watch(folder: string, options?: { keepReserve: boolean }): void;
  /** Looks at the disk now. */
  look(): Promise<void>;
  /** Gives the reserve away now. */
  makeRoom(): Promise<void>;
  begin(): void;
  stop(): void;
}

export interface Room {
  freeBytes: number;
  totalBytes: number;
}

export interface DiskSpaceOptions {
  log: Log;
  measure?: (folder: string) => Promise<Room>;
  lookEveryMs?: number;
  /** How long after `begin` the reserve is made. A start has better things to do. */
  reserveAfterMs?: number;
  /** How long an error counts when no watched disk is short of room: it was another machine's. */
  elsewhereMs?: number;
}

const megabyte = 1_048_576;
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Below this, the disk counts as full. */
const leastOf = ({ totalBytes }: Room): number => clamp(totalBytes / 100, 4 * megabyte, 64 * megabyte);

export function openDiskSpace(options: DiskSpaceOptions): DiskSpace {
  return new WatchedDisk(options);
}

class WatchedDisk implements DiskSpace {
  isFull = false;
  freeBytes = Number.NaN;
  databaseWaits = false;
  readonly #options: Required<DiskSpaceOptions>;
  readonly #folders = new Map<string, { keepReserve: boolean }>();
  readonly #listeners = new Set<(isFull: boolean) => void>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** Until then, an error of another machine's disk counts. */
  #fullElsewhereUntil = 0;
  #mayReserve = false;
  #saidUnknown = false;

  constructor(options: DiskSpaceOptions) {
    this.#options = {
      measure: measureFolder,
      lookEveryMs: 1000,
      reserveAfterMs: 5_000,
      elsewhereMs: 10_000,
      ...options,
    };
  }

  watch(folder: string, given = { keepReserve: false }): void {
    this.#folders.set(folder, given);
  }

  onChange(listener: (isFull: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  begin(): void {
    const { lookEveryMs, reserveAfterMs } = this.#options;
    this.#timer = setInterval(() => void this.look(), lookEveryMs);
    this.#timer.unref();
    void sleep(reserveAfterMs, undefined, { ref: false }).then(() => {
      this.#mayReserve = true;
    });
    void this.look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  notice(error: unknown): void {
    if (!isOutOfRoom(error)) return;
    this.#fullElsewhereUntil = Date.now() + this.#options.elsewhereMs;
    void this.look();
  }

  async makeRoom(): Promise<void> {
    for (const [folder, { keepReserve }] of this.#folders) if (keepReserve) await releaseReserve(folder);
  }

  /** One look at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow()
      .catch((error: unknown) => this.#sayUnknown(error))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    let isShort = Date.now() < this.#fullElsewhereUntil;
    let free = Number.POSITIVE_INFINITY;
    for (const [folder, { keepReserve }] of this.#folders) {
      const room = await this.#options.measure(folder);
      const missing = keepReserve ? await reserveOf(folder, room.totalBytes).missing() : 0;
      // The reserve is not there to be used up. Coming back takes more room than going on.
      const needed = this.isFull ? missing + 2 * leastOf(room) : leastOf(room);
      if (room.freeBytes < needed) isShort = true;
      free = Math.min(free, room.freeBytes);
    }
    this.freeBytes = free;
    if (isShort !== this.isFull) await this.#change(isShort);
    if (!isShort) await this.#keepReserves();
    this.#saidUnknown = false;
  }

  /** Said once, and not at each look. */
  #sayUnknown(error: unknown): void {
    if (!this.#saidUnknown)
      this.#options.log.warn({ err: error }, 'It could not be found out how much room the disk has');
    this.#saidUnknown = true;
  }

  async #change(isFull: boolean): Promise<void> {
    const { log } = this.#options;
    this.isFull = isFull;
    if (isFull) await this.makeRoom();
    const left = `${Math.floor(this.freeBytes / megabyte)} MB left on the disk of ${[...this.#folders.keys()].join(' or ')}`;
    if (isFull)
      log.error(`The disk is full (${left}). Reading goes on, and nothing is written until there is room.`);
    else log.info(`There is room on the disk again (${left}).`);
    for (const listener of this.#listeners) listener(isFull);
  }

  async #keepReserves(): Promise<void> {
    if (!this.#mayReserve) return;
    for (const [folder, { keepReserve }] of this.#folders) {
      if (!keepReserve) continue;
      const room = await this.#options.measure(folder);
      const reserve = reserveOf(folder, room.totalBytes);
      const missing = await reserve.missing();
      if (missing > 0 && room.freeBytes > missing + 2 * leastOf(room)) await makeReserve(reserve);
    }
  }
}

async function measureFolder(folder: string): Promise<Room> {
  try {
    const sizes = await statfs(folder);
    return { freeBytes: sizes.bavail * sizes.bsize, totalBytes: sizes.blocks * sizes.bsize };
  } catch (error) {
    // A folder that is not there yet will be on the disk of the one above it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return measureFolder(dirname(folder));
  }
}
