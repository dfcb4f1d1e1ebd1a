import { setTimeout as sleep } from 'node:timers/promises';
import { LockBusy } from '../locks.ts';

const pauseMs = 1_000;

/** Runs a piece of a task, and tries again until nobody holds what it needs. */
export async function whenFree<T>(
  { signal }: { readonly signal: AbortSignal },
  piece: () => Promise<T>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await piece();
    } catch (error) {
      if (!(error instanceof LockBusy)) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
