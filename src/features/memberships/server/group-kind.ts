import { sql } from 'kysely';
import { contactsNoted, noteEvents } from '#features/events/server/thread.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

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
    /**
     * Addresses whose owners have left a group themselves, with `domain`, `local`, `ended_at` and
     * the column of the group's number. Nobody else puts them back.
     */
    leavings?: string;
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

/** What the stream says of contacts that come and go. */
const inStream = {
  list: { added: 'list.joined', removed: 'list.left' },
  tag: { added: 'tag.added', removed: 'tag.removed' },
};

/** Writes into the stream that contacts came or went. `rows` is a table with `contact_id`. */
export const membersNoted = (
  workspaceId: number,
  { kind }: GroupKind,
  groupId: number,
  what: 'added' | 'removed',
  rows: Fragment,
): Fragment =>
  contactsNoted(
    workspaceId,
    { type: inStream[kind][what], subjectId: groupId },
    sql`select contact_id as id from ${rows}`,
  );

/** Says in the stream what became of a group itself. */
export const noteGroup = (
  tx: TenantTx,
  workspaceId: number,
  { kind }: GroupKind,
  id: number,
  change: 'created' | 'changed' | 'deleted' | 'restored',
): Promise<void> =>
  noteEvents(tx, workspaceId, [{ type: `${kind}.updated`, subjectId: id, data: { change } }]);
