import type { Log } from './logging.ts';
import { isPassing } from './work/stopped.ts';

interface EachOptions {
  /** What failed, in a sentence of the log. */
  failed: string;
  log: Pick<Log, 'error' | 'warn'>;
  signal?: AbortSignal | undefined;
}

/**
 * Does the work for one item after the other. A failure is logged, with what `about` says of the
 * item, and does not stop the rest. The failures are returned, for a caller that has to fail in the
 * end. Only the signal ends it early.
 */
export async function each<T>(
  items: Iterable<T>,
  { failed, log, signal, about }: EachOptions & { about: (item: T) => object },
  work: (item: T) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const item of items) {
    signal?.throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      // The work was told to stop, so this is not a failure of the item.
      signal?.throwIfAborted();
      log[isPassing(error) ? 'warn' : 'error']({ err: error, ...about(item) }, failed);
      failures.push(error);
    }
  }
  return failures;
}

/** Does the work in each of these workspaces, as `each` does. */
export async function eachWorkspace(
  workspaces: () => Promise<readonly number[]>,
  options: EachOptions,
  work: (workspaceId: number) => Promise<void>,
): Promise<unknown[]> {
  const about = (workspaceId: number) => ({ workspaceId });
  return each(await workspaces(), { ...options, about }, work);
}
