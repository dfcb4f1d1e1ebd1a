import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Router } from '#platform/server/http.ts';
import type { StartLimits } from '#platform/server/start-limits.ts';
import { liftingDays } from '../rules.ts';
import { listImportTask } from './import-list.ts';
import { purgeLiftings } from './lifting-queries.ts';
import { defineLiftingTasks } from './lifting-tasks.ts';
import { registerLists } from './list-routes.ts';
import { registerSuppressions } from './routes.ts';
import { defineSuppressTask } from './suppress-selection.ts';

export { carrySuppressions } from './carry.ts';
export { suppressionEvents } from './contact-events.ts';

export interface Suppressions {
  register(router: Router): void;
  /** Forgets, of one workspace, what was lifted so long ago that it cannot be put back any more. */
  tidy(workspaceId: number): Promise<void>;
}

export interface SuppressionsOptions {
  db: Database;
  files: FileStore;
  tasks: Tasks;
  /** How many lists may be begun and be under way; the usual limits when absent. */
  limits?: StartLimits;
}

export function createSuppressions(options: SuppressionsOptions): Suppressions {
  const { db, tasks } = options;
  tasks.define(listImportTask(options));
  defineLiftingTasks(options);
  defineSuppressTask(options);
  return {
    register(router) {
      registerSuppressions(router, options);
      registerLists(router, options);
    },
    tidy: (workspaceId) => db.asTenant(workspaceId, (tx) => purgeLiftings(tx, workspaceId, liftingDays)),
  };
}
