import { sql } from 'kysely';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';

/** A contact who chooses topics. */
export interface ReadingContact {
  id: number;
  local: string;
  domain: string;
}

/** Whom a message went to. */
interface TopicReader {
  contactId: number | null;
  local: string;
  domain: string;
}

/** The contact of a send. When it is gone, the contact that has its address by now. */
export async function selectReader(
  tx: TenantTx,
  workspaceId: number,
  { contactId, local, domain }: TopicReader,
): Promise<ReadingContact | undefined> {
  const { rows } = await sql<ReadingContact>`
    select c.id, c.local, c.domain from contacts c
    where c.workspace_id = ${workspaceId} and c.state <> 2
      and (c.id = ${contactId} or (c.domain = ${domain} and c.local = ${local}))
    order by c.id = ${contactId} desc nulls last limit 1`.execute(tx);
  return rows[0];
}

interface TopicRow {
  id: number;
  name: string;
  description: string | null;
  isChosen: boolean;
}

/** The public lists, A to Z by what readers see, and whether a contact is on each. */
export async function selectTopics(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
): Promise<TopicRow[]> {
  const { rows } = await sql<TopicRow>`
    select l.id, coalesce(l.public_name, l.name) as name, l.public_description as description,
      exists (
        select from list_members m
        where m.workspace_id = ${workspaceId} and m.list_id = l.id and m.contact_id = ${contactId}
      ) and not exists (
        select from topic_leavings t
        where t.workspace_id = ${workspaceId} and t.contact_id = ${contactId} and t.list_id = l.id and t.is_waiting
      ) as "isChosen"
    from lists l
    where l.workspace_id = ${workspaceId} and l.is_public and l.deleted_at is null
    order by lower(coalesce(l.public_name, l.name)), l.id`.execute(tx);
  return rows;
}

/**
 * Writes down that a reader has left a topic. `isWaiting`: they are on its list still, and are
 * taken off later.
 */
export async function insertLeaving(
  tx: TenantTx,
  workspaceId: number,
  { id, local, domain }: ReadingContact,
  { listId, mailingId, isWaiting = false }: { listId: number; mailingId: number; isWaiting?: boolean },
): Promise<void> {
  await sql`
    insert into topic_leavings (workspace_id, list_id, domain, local, contact_id, mailing_id, is_waiting)
    values (${workspaceId}, ${listId}, ${domain}, ${local}, ${id}, ${mailingId}, ${isWaiting})
    on conflict (workspace_id, list_id, domain, local) where ended_at is null
      do update set is_waiting = excluded.is_waiting, contact_id = excluded.contact_id`.execute(tx);
}

/**
 * Writes down what was left at an address, or by its contact, for the address that follows it. They
 * may be on the lists there and are taken off later. `pairs` yields (contact_id, from_local,
 * from_domain, to_local, to_domain).
 */
export async function carryLeavings(tx: TenantTx, workspaceId: number, pairs: Fragment): Promise<void> {
  // Two queries, so that each has its index. The order is the one in which readers leave, too.
  await sql`
    with moved as materialized (${pairs}),
    theirs as (
      select m.to_local, m.to_domain, t.* from moved m
      join topic_leavings t on t.workspace_id = ${workspaceId} and t.domain = m.from_domain and t.local = m.from_local
      union all
      select m.to_local, m.to_domain, t.* from moved m
      join topic_leavings t on t.workspace_id = ${workspaceId} and t.contact_id = m.contact_id
    )
    insert into topic_leavings (workspace_id, list_id, domain, local, contact_id, mailing_id, left_at, is_waiting)
    select distinct on (o.to_domain, o.to_local, o.list_id)
      o.workspace_id, o.list_id, o.to_domain, o.to_local, coalesce(c.id, o.contact_id), o.mailing_id, o.left_at, true
    from theirs o
    left join contacts c
      on c.workspace_id = ${workspaceId} and c.domain = o.to_domain and c.local = o.to_local and c.state <> 2
    where o.ended_at is null
    order by o.to_domain, o.to_local, o.list_id, o.left_at desc
    on conflict (workspace_id, list_id, domain, local) where ended_at is null do nothing`.execute(tx);
}

/** Somebody whose contacts are still on a list that they have left. */
export interface WaitingLeaving {
  id: number;
  listId: number;
}

/** The workspaces in which somebody waits to be taken off a list that they have left. */
export async function selectWorkspacesWithWaiting(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select w.id from workspaces_with_waiting_leavings() w (id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The leavings that wait, the oldest first. Those of deleted lists wait until these come back. */
export async function selectWaiting(tx: TenantTx, workspaceId: number): Promise<WaitingLeaving[]> {
  const { rows } = await sql<WaitingLeaving>`
    select t.id, t.list_id as "listId" from topic_leavings t
    join lists l on l.workspace_id = t.workspace_id and l.id = t.list_id and l.deleted_at is null
    where t.workspace_id = ${workspaceId} and t.is_waiting order by t.id limit 1000`.execute(tx);
  return rows;
}

/**
 * Ends the waiting, and returns the contacts to take off: the one that left, and whoever has its
 * address. None when it was ended meanwhile.
 */
export async function endWaiting(tx: TenantTx, workspaceId: number, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with own as (
      update topic_leavings set is_waiting = false
      where workspace_id = ${workspaceId} and id = ${id} and is_waiting
      returning contact_id, local, domain
    )
    select c.id from own join contacts c on c.workspace_id = ${workspaceId} and c.id = own.contact_id
    union
    select c.id from own
    join contacts c on c.workspace_id = ${workspaceId} and c.domain = own.domain and c.local = own.local`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/** A reader has chosen a topic again. */
export async function endLeaving(
  tx: TenantTx,
  workspaceId: number,
  { id, local, domain }: ReadingContact,
  listId: number,
): Promise<void> {
  await sql`
    update topic_leavings set ended_at = now(), is_waiting = false
    where workspace_id = ${workspaceId} and list_id = ${listId} and ended_at is null
      and ((domain = ${domain} and local = ${local}) or contact_id = ${id})`.execute(tx);
}

/**
 * What somebody has left by themselves, the latest first. What was carried to another address of
 * theirs is told once. `theirs` is a condition on the leaving `t` and its list `l`, which may be
 * gone for good.
 */
export async function selectLeavings(
  tx: TenantTx,
  workspaceId: number,
  theirs: Fragment,
  limit: number,
): Promise<{ listId: number; name: string; at: Date }[]> {
  const { rows } = await sql<{ listId: number; name: string; at: Date }>`
    select distinct t.list_id as "listId", coalesce(l.name, 'A list that was deleted') as name, t.left_at as at
    from topic_leavings t
    left join lists l on l.workspace_id = t.workspace_id and l.id = t.list_id
    where t.workspace_id = ${workspaceId} and ${theirs}
    order by at desc limit ${limit}`.execute(tx);
  return rows;
}

/**
 * Nobody waits any more to be taken off a list that is deleted for good. That they left it stays:
 * what follows up a campaign to it, or was paused, asks for as long as there are campaigns.
 */
export async function endWaitingForGone(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    update topic_leavings t set is_waiting = false
    where t.workspace_id = ${workspaceId} and t.is_waiting and not exists (
      select from lists l where l.workspace_id = t.workspace_id and l.id = t.list_id
    )`.execute(tx);
}

/** Forgets what somebody left. `theirs` is a condition on the leaving `t`. */
export async function deleteLeavings(tx: TenantTx, workspaceId: number, theirs: Fragment): Promise<void> {
  await sql`delete from topic_leavings t where t.workspace_id = ${workspaceId} and ${theirs}`.execute(tx);
}
