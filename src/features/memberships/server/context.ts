import type { Audience } from '#features/audience/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FindUses } from '#platform/server/feature.ts';
import type { GroupKind } from './group-kind.ts';

export interface MembershipsContext {
  db: Database;
  tasks: Tasks;
  audience: Audience;
  /** Lists and tags, as far as the product has them. */
  kinds: ReadonlyMap<string, GroupKind>;
  /** What other features keep may ask for a group. */
  askers(): readonly FindUses[];
}

/** The call itself adds or removes at most this many contacts. More become a task. */
export const fewContacts = 10_000;

/** Contacts per transaction of a task. Whoever removes or restores some waits for one piece. */
export const pieceSize = 20_000;
