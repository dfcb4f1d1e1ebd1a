import type { Audience } from '#features/audience/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';

/** What calls need that may become tasks. */
export interface WorkContext {
  db: Database;
  tasks: Tasks;
  audience: Audience;
}

/** The call itself changes at most this many entries. More become a task. */
export const fewEntries = 5_000;
