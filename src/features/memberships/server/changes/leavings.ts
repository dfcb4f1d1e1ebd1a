import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type GroupKind, keyOf } from '../group-kind.ts';

/*
 * Readers leave a topic on the page of their preferences. Whoever adds contacts to its list passes
 * these readers over, and says how many there were.
 */

/**
 * That the owner of the address in this row has left the group. A row `c` of contacts is also known
 * by its number, when its address has been corrected since.
 */
export const hasLeft = (
  workspaceId: number,
  kind: GroupKind,
  groupId: number | Fragment,
  row: string,
): Fragment =>
  kind.tables.leavings === undefined
    ? sql`false`
    : sql`(exists (
        select from ${sql.table(kind.tables.leavings)} t
        where t.workspace_id = ${workspaceId} and ${keyOf(kind, 't')} = ${groupId} and t.ended_at is null
          and t.domain = ${sql.ref(`${row}.domain`)} and t.local = ${sql.ref(`${row}.local`)}
      ) or ${row === 'c' ? ofContact(workspaceId, kind.tables.leavings, keyOf(kind, 't'), groupId) : sql`false`})`;

const ofContact = (
  workspaceId: number,
  leavings: string,
  key: Fragment,
  groupId: number | Fragment,
): Fragment => sql`exists (
  select from ${sql.table(leavings)} t
  where t.workspace_id = ${workspaceId} and ${key} = ${groupId} and t.ended_at is null and t.contact_id = c.id
)`;

/** The contacts of `chosen`, by id, whose owners have left the group. */
export const leftOf = (workspaceId: number, kind: GroupKind, groupId: number, chosen: string): Fragment =>
  kind.tables.leavings === undefined
    ? sql`select null::bigint as id where false`
    : sql`
        select c.id from ${sql.table(kind.tables.leavings)} t
        join contacts c on c.workspace_id = t.workspace_id and c.domain = t.domain and c.local = t.local
        where t.workspace_id = ${workspaceId} and ${keyOf(kind, 't')} = ${groupId} and t.ended_at is null
          and c.id = any(array(select id from ${sql.table(chosen)}))
        union
        select t.contact_id from ${sql.table(kind.tables.leavings)} t
        where t.workspace_id = ${workspaceId} and ${keyOf(kind, 't')} = ${groupId} and t.ended_at is null
          and t.contact_id = any(array(select id from ${sql.table(chosen)}))`;

/** Whether anybody has left the group themselves. An import looks no further when nobody has. */
export async function hasLeavings(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  groupId: number,
): Promise<boolean> {
  if (kind.tables.leavings === undefined) return false;
  const { rows } = await sql`
    select 1 from ${sql.table(kind.tables.leavings)} t
    where t.workspace_id = ${workspaceId} and ${keyOf(kind, 't')} = ${groupId} and t.ended_at is null
    limit 1`.execute(tx);
  return rows.length > 0;
}
