import type { Database } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import type { Log } from '#platform/server/logging.ts';
import type { ParticularCodes } from '#platform/shared/errors.ts';
import type { Definitions } from './definition.ts';
import type { TaskRunner } from './runner.ts';

/** What this feature's calls need. */
export interface TasksContext {
  db: Database;
  log: Log;
  disk?: DiskSpace | undefined;
  runner: TaskRunner;
  definitions: Definitions;
  /** Error codes of features, because a failed task may have one. */
  errors: ParticularCodes;
}
