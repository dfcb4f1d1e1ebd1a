import { setTimeout as sleep } from 'node:timers/promises';
import type { Audience } from '#features/audience/server/index.ts';
import type { TaskContext, Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { LockBusy } from '#platform/server/locks.ts';

/** What calls need that may become tasks. */
export interface WorkContext {
  db: Database;
  tasks: Tasks;
  audience: Audience;
}

/** The call itself changes at most this many entries. More become a task. */
export const fewEntries = 5_000;

const pauseMs = 1_000;

/** Runs a piece of a task, and tries again until nobody holds what it needs. */
export async function whenFree<T>(
  { signal }: Pick<TaskContext<unknown>, 'signal'>,
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
