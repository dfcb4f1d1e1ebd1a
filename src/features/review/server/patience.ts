import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState, type TenantTx } from '#platform/server/database.ts';
import { LockBusy, waitAtMost } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';

/** How long a call waits for all others together. Less than a second, as for suppressions. */
const callMs = 800;

/** Does what somebody waits for. It fails with a message rather than let them wait long. */
export const forCaller = <T>(tx: TenantTx, work: () => Promise<T>): Promise<T> =>
  waitAtMost(tx, callMs, 'Others are changing these contacts just now. Try again in a moment.', work);

/** An address that somebody is adding right now is not a fault of the product. */
const isBeingAdded = (error: unknown): boolean => error instanceof LockBusy || sqlState(error) === '23505'; // unique_violation

export function explain(error: unknown): never {
  if (error instanceof LockBusy || !isBeingAdded(error)) throw error;
  throw new AppError('conflict', 'One of these addresses is being added at this moment. Try again.', {
    cause: error,
  });
}

/** How long a piece of a task is tried while others hold what it needs. */
const taskMs = 60_000;
const pauseMs = 500;

/** Does a piece of a task, which has time to try again. */
export async function forTask<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + taskMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBeingAdded(error)) throw error;
      if (performance.now() > until) return explain(error);
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
