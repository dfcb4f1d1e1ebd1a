import { setTimeout as sleep } from 'node:timers/promises';
import type { Audience } from '#features/audience/server/index.ts';
import type { TaskContext, Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { ListBusy } from './list-busy.ts';

/** What the calls need that may become tasks. */
export interface WorkContext {
  db: Database;
  tasks: Tasks;
  audience: Audience;
}

/** Up to so many entries are changed within the call; more are a task. */
export const fewEntries = 5_000;

const pauseMs = 1_000;

/** Does a piece of a task, again until no list that comes in holds one of its entries. */
export async function whenFree<T>(
  { signal }: Pick<TaskContext<unknown>, 'signal'>,
  piece: () => Promise<T>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await piece();
    } catch (error) {
      if (!(error instanceof ListBusy)) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
