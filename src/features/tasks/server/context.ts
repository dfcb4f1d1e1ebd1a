import type { Database } from '#platform/server/database.ts';
import type { ParticularCodes } from '#platform/shared/errors.ts';
import type { Definitions } from './definition.ts';
import type { TaskRunner } from './runner.ts';

/** What the verbs of this feature stand on. */
export interface TasksContext {
  db: Database;
  runner: TaskRunner;
  definitions: Definitions;
  /** Error codes of features, as a task that failed may have one. */
  errors: ParticularCodes;
}
