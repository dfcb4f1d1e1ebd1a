import { createTasks, type Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FeatureParts } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';

/** Long work for tests of one feature: what a call starts is run at once, in this process. */
export const testTasks = (db: Database): Tasks =>
  createTasks({ db, log: createLogger('silent'), leavesWorkToOthers: false });

/**
 * What composition does with a feature: its kinds of long work are known, and its calls are there.
 */
export function join(
  parts: FeatureParts,
  { tasks, router }: { tasks: Tasks; router?: Router },
): FeatureParts {
  for (const definition of parts.tasks ?? []) tasks.define(definition);
  if (router) parts.routes?.(router);
  return parts;
}
