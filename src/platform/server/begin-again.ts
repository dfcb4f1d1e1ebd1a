import { setTimeout as sleep } from 'node:timers/promises';

/** A transaction gave way to those who wait for a lock that it holds. `cause` is its own error. */
export class Yielded extends Error {
  constructor(cause: unknown) {
    super('the transaction gave way to others', { cause });
    this.name = 'Yielded';
  }
}

const pauses = { firstMs: 100, longestMs: 2_000 };

/**
 * Runs a transaction, and again after each time that it gave way, for as long as a single wait for
 * a lock could have lasted. Throws its last error then. The pauses grow, so that others have the
 * lock for most of the time. Nothing is held in between.
 */
export async function beginAgain<T>(
  { limitMs, signal }: { limitMs: number; signal?: AbortSignal | undefined },
  attempt: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + limitMs;
  for (let pauseMs = pauses.firstMs; ; pauseMs = Math.min(2 * pauseMs, pauses.longestMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Yielded)) throw error;
      if (performance.now() + pauseMs > until) throw error.cause;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }
}
