import { createTasks, type Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';

/** Long work for tests of one feature: what a call starts is run at once, in this process. */
export const testTasks = (db: Database): Tasks =>
  createTasks({ db, log: createLogger('silent'), leavesWorkToOthers: false });
