import { createTasks, type Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FeatureParts } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';

/** Long work for tests of one feature: work that a call starts runs at once, in this process. */
export const testTasks = (db: Database): Tasks =>
  createTasks({ db, log: createLogger('silent'), leavesWorkToOthers: false });

/** What composition does with a feature: makes its kinds of long work known and adds its calls. */
export function join(
  parts: FeatureParts,
  { tasks, router }: { tasks: Tasks; router?: Router },
): FeatureParts {
  for (const definition of parts.tasks ?? []) tasks.define(definition);
  if (router) parts.routes?.(router);
  return parts;
}
