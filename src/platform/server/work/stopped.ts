import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../database.ts';
import { asAppError } from '../error-map.ts';
import { isBusy, LockBusy } from '../locks.ts';

/** Why a run ended early. None of these is a failure of the work. */
export type StopReason = 'cancelled' | 'lost' | 'stopping';

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

/** Retries for longer than the database takes to restart. */
export async function untilReachable(write: () => Promise<unknown>): Promise<void> {
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
