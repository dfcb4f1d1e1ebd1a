/** Does a piece of work when its turn has come. */
export type Turns = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Lets at most `most` pieces of work run at once. The others wait in order of arrival. A caller
 * whose signal is aborted by the time its turn comes is skipped, because nobody would hear the
 * answer.
 */
export function takeTurns(most: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work, signal) => {
    // A turn passes directly to the next caller, so that nobody can jump the queue.
    if (running >= most) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
