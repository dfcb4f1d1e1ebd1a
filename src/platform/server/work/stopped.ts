import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../database.ts';
import { isOutOfRoom } from '../disk/out-of-room.ts';
import { asAppError } from '../error-map.ts';
import { isBusy, LockBusy } from '../locks.ts';

/** Why a run ended early. None of these is a failure of the work. */
export type StopReason = 'cancelled' | 'lost' | 'stopping' | 'no room';

export class WorkStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the work was ${reason}`);
    this.name = 'WorkStopped';
    this.reason = reason;
  }
}

/**
 * Why the run was told to stop. Whatever the work threw afterwards is only a consequence. Null:
 * nobody told it to stop.
 */
export function stopReason(error: unknown, signal: AbortSignal): StopReason | null {
  if (error instanceof WorkStopped) return error.reason;
  return signal.reason instanceof WorkStopped ? signal.reason.reason : null;
}

/**
 * Failures that the next run will not meet: the database was down, it resolved a deadlock, or
 * somebody held a lock for long.
 */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  const isBeaten = state === '40P01' || state === '40001' || isBusy(error) || error instanceof LockBusy;
  return isBeaten || asAppError(error).code === 'unavailable';
}

/** How often an end is written again. It takes half a minute at most. */
const mostWrites = 12;

/**
 * Writes an end again and again for longer than the database takes to restart, or to get room on a
 * full disk. `goesOn`: whether it is written for even longer, asked before each further try.
 */
export async function untilReachable(
  write: () => Promise<unknown>,
  { goesOn, wait = sleep }: { goesOn?: () => boolean; wait?: (ms: number) => Promise<unknown> } = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await write();
      return;
    } catch (error) {
      const mayPass = isPassing(error) || isOutOfRoom(error);
      if (!mayPass || (attempt >= mostWrites && !goesOn?.())) throw error;
      await wait(Math.min(attempt * 500, 3_000));
    }
  }
}
