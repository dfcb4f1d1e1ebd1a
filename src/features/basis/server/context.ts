import type { Audience } from '#features/audience/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';

export interface BasisContext {
  db: Database;
  tasks: Tasks;
  audience: Audience;
}

/** The call itself changes at most this many contacts. More become a task. */
export const fewContacts = 5_000;

/** Contacts per transaction. Whoever removes or restores contacts waits at most for one piece. */
export const pieceSize = 20_000;
