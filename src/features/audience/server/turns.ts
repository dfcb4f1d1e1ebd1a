/** Does a piece of work when its turn has come. */
export type Turns = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Lets at most so many pieces of work run at once; the others wait, first come first served. Whose
 * signal was aborted by the time it is their turn is passed over: nobody would hear the answer.
 */
export function takeTurns(most: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work, signal) => {
    // A turn is handed on without being given back in between, so that nobody slips in before those
    // who wait.
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
