import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';

/** Lists, or tags: the tables that hold them and their contacts, and the words for them. */
export interface GroupKind {
  kind: 'list' | 'tag';
  tables: {
    /** With `id`, `name`, `contact_count` and `deleted_at`. */
    groups: string;
    /** With `contact_id`, `added_at`, `source` and `source_id`. */
    members: string;
    /** The column of `members` with the number of the group. */
    key: string;
  };
  /** Where its contacts are shown. */
  link(id: number): string;
  icon: string;
}

export const groupsOf = ({ tables }: GroupKind): Fragment => sql`${sql.table(tables.groups)}`;
export const membersOf = ({ tables }: GroupKind): Fragment => sql`${sql.table(tables.members)}`;
/** The column of the group's number: alone, or of the row with this name. */
export const keyOf = ({ tables }: GroupKind, row?: string): Fragment =>
  sql`${sql.ref(row ? `${row}.${tables.key}` : tables.key)}`;
