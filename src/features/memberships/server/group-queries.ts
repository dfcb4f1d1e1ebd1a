import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type GroupKind, groupsOf, keyOf, membersOf } from './group-kind.ts';

export interface GroupRow {
  id: number;
  name: string;
  contacts: number;
  /** A list that fills itself. */
  isDynamic: boolean;
  deletedAt: Date | null;
}

const columnsOf = ({ kind }: GroupKind): Fragment => sql`
  g.id, g.name, g.contact_count as contacts, ${kind === 'list' ? sql`g.is_dynamic` : sql`false`} as "isDynamic",
  g.deleted_at as "deletedAt"`;

/** These groups, deleted ones included. */
export async function selectGroups(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  ids: readonly number[],
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select ${columnsOf(kind)} from ${groupsOf(kind)} g
    where g.workspace_id = ${workspaceId} and g.id = any(${[...ids]}::bigint[])`.execute(tx);
  return rows;
}

/** All groups that contacts are put in, A to Z, with lists that fill themselves or without. */
export async function selectChoices(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  withDynamic: boolean,
): Promise<Pick<GroupRow, 'id' | 'name'>[]> {
  const { rows } = await sql<Pick<GroupRow, 'id' | 'name'>>`
    select g.id, g.name from ${groupsOf(kind)} g
    where g.workspace_id = ${workspaceId} and g.deleted_at is null
      and ${kind.kind === 'list' && !withDynamic ? sql`not g.is_dynamic` : sql`true`}
    order by g.name, g.id`.execute(tx);
  return rows;
}

/** The groups that a contact is in, A to Z. */
export async function selectGroupsOfContact(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  contactId: number,
): Promise<Pick<GroupRow, 'id' | 'name'>[]> {
  const { rows } = await sql<Pick<GroupRow, 'id' | 'name'>>`
    select g.id, g.name from ${membersOf(kind)} m
    join ${groupsOf(kind)} g on g.workspace_id = m.workspace_id and g.id = ${keyOf(kind, 'm')}
    where m.workspace_id = ${workspaceId} and m.contact_id = ${contactId} and g.deleted_at is null
    order by g.name, g.id`.execute(tx);
  return rows;
}

/** A group, locked until the transaction ends. */
export async function lockGroup(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`
    select ${columnsOf(kind)} from ${groupsOf(kind)} g
    where g.workspace_id = ${workspaceId} and g.id = ${id} for no key update`.execute(tx);
  return rows[0];
}

/** Marks a group as deleted, or takes that back. Fails with 23505 when its name is taken. */
export async function markDeleted(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
  isDeleted: boolean,
): Promise<void> {
  await sql`
    update ${groupsOf(kind)} set deleted_at = case when ${isDeleted} then now() end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** How many groups there are, without deleted ones. */
export async function countGroups(tx: TenantTx, workspaceId: number, kind: GroupKind): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${groupsOf(kind)} g
    where g.workspace_id = ${workspaceId} and g.deleted_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/**
 * A statement that adds to the counts of groups. `changes` yields (id, contacts). It locks them in
 * the order of their ids, as an import does that adds to several.
 */
export const addedToCounts = (workspaceId: number, kind: GroupKind, changes: Fragment): Fragment => sql`
  update ${groupsOf(kind)} g set contact_count = g.contact_count + n.contacts
  from (
    select changed.id, changed.contacts from ${groupsOf(kind)} o
    join (${changes}) changed on changed.id = o.id
    where o.workspace_id = ${workspaceId} and changed.contacts <> 0
    order by o.id for no key update of o
  ) n
  where g.workspace_id = ${workspaceId} and g.id = n.id`;

const isLongDeleted = (days: number): Fragment =>
  sql`g.deleted_at < now() - make_interval(days => ${days}::int)`;

/** The groups that were deleted more than so many days ago. */
export async function selectLongDeleted(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  days: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select g.id from ${groupsOf(kind)} g
    where g.workspace_id = ${workspaceId} and ${isLongDeleted(days)}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Whether a group is still one of these. It is locked then until the transaction ends. */
export async function lockLongDeleted(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
  days: number,
): Promise<boolean> {
  const { rows } = await sql`
    select g.id from ${groupsOf(kind)} g
    where g.workspace_id = ${workspaceId} and g.id = ${id} and ${isLongDeleted(days)} for no key update`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Deletes a group for good. Its members go before. Returns how many groups that were. */
export async function deleteGroup(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
): Promise<number> {
  const gone = await sql`
    delete from ${groupsOf(kind)} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}
