import { sql } from 'kysely';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';
import type { SendKey } from '../sends-port.ts';
import type { AddressKey } from './pause-queries.ts';

/** A wish to leave. It has a row for each address of its reader. */
export interface Wish extends SendKey {
  /** Null when it went to nobody who was a contact. */
  contactId: number | null;
  /** The name of the mailing, for the note of the entries. */
  mailing: string | null;
}

/** A row of a wish. */
export type WishRow = Pick<Wish, 'contactId' | 'mailing'> & AddressKey;

/**
 * Writes down that somebody wants to leave, at all their addresses. `isDone`: they have left there.
 */
export async function insertWish(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId, contactId, mailing }: Wish,
  addresses: readonly AddressKey[],
  { isDone = false } = {},
): Promise<void> {
  await sql`
    insert into leave_wishes (workspace_id, mailing_id, send_id, contact_id, local, domain, mailing, done_at)
    select ${workspaceId}::bigint, ${mailingId}::bigint, ${sendId}::bigint, ${contactId}::bigint, local, domain, ${mailing},
      case when ${isDone}::boolean then clock_timestamp() end
    from unnest(${addresses.map(({ local }) => local)}::text[], ${addresses.map(({ domain }) => domain)}::text[])
      as own (local, domain)`.execute(tx);
}

/** The workspaces that have wishes which are not carried out yet. */
export async function selectWorkspacesWithWishes(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select w.id from workspaces_with_open_wishes() w (id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Whose wishes are not carried out yet, the oldest first. */
export async function selectOpenWishes(
  tx: TenantTx,
  workspaceId: number,
): Promise<(SendKey & Pick<Wish, 'contactId'>)[]> {
  const { rows } = await sql<SendKey & Pick<Wish, 'contactId'>>`
    select mailing_id as "mailingId", send_id as "sendId", min(contact_id) as "contactId" from leave_wishes
    where workspace_id = ${workspaceId} and done_at is null
    group by mailing_id, send_id order by min(id) limit 1000`.execute(tx);
  return rows;
}

/**
 * Ends the wish of a reader, and returns its rows. None when there is no open one, and when
 * somebody else is carrying it out just now: nobody waits for them.
 */
export async function endWish(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId }: SendKey,
): Promise<WishRow[]> {
  const { rows } = await sql<WishRow>`
    with own as (
      select id from leave_wishes
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId} and done_at is null
      order by id for update skip locked
    )
    update leave_wishes w set done_at = clock_timestamp() from own
    where w.workspace_id = ${workspaceId} and w.id = own.id
    returning w.contact_id as "contactId", w.mailing, w.local, w.domain`.execute(tx);
  return rows;
}

/**
 * Where a contact, or whoever it is by now, wants to leave, and where it left by a wish that was
 * carried out so many minutes ago at most.
 */
export async function selectAddressesOfWishes(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | null,
  minutes: number,
): Promise<AddressKey[]> {
  if (contactId === null) return [];
  const { rows } = await sql<AddressKey>`
    select distinct w.local, w.domain from leave_wishes w
    where w.workspace_id = ${workspaceId}
      and w.contact_id = any(array(select contacts_by_now(${workspaceId}, array[${contactId}]::bigint[])))
      and (w.done_at is null or w.done_at > clock_timestamp() - make_interval(mins => ${minutes}::int))`.execute(
    tx,
  );
  return rows;
}

/** Whether the reader of a message has ever left by it. */
export async function hasLeftBy(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId }: SendKey,
): Promise<boolean> {
  const { rows } = await sql`
    select from tracked_sends
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId} and left_at is not null`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function hasOpenWish(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from leave_wishes
    where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local} and done_at is null
    limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Somebody who wanted to leave has thought better of it: deletes the open wishes at these
 * addresses and those of the contact, with all their rows. Returns whether there were any.
 */
export async function deleteOpenWishes(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | null,
  addresses: readonly AddressKey[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from leave_wishes
    where workspace_id = ${workspaceId} and done_at is null and (mailing_id, send_id) in (
      select mailing_id, send_id from leave_wishes
      where workspace_id = ${workspaceId} and contact_id = ${contactId} and done_at is null
      union
      select w.mailing_id, w.send_id
      from unnest(${addresses.map(({ local }) => local)}::text[], ${addresses.map(({ domain }) => domain)}::text[])
        as own (local, domain)
      join leave_wishes w
        on w.workspace_id = ${workspaceId} and w.domain = own.domain and w.local = own.local and w.done_at is null
    )`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

/**
 * For contacts that get another address, or several that become one: whoever waits to leave waits
 * there too. `pairs` yields (from_local, from_domain, to_local, to_domain).
 */
export async function carryOpenWishes(tx: TenantTx, workspaceId: number, pairs: Fragment): Promise<void> {
  await sql`
    insert into leave_wishes (workspace_id, mailing_id, send_id, contact_id, mailing, at, local, domain)
    select distinct w.workspace_id, w.mailing_id, w.send_id, w.contact_id, w.mailing, w.at, p.to_local, p.to_domain
    from (${pairs}) p
    join leave_wishes w
      on w.workspace_id = ${workspaceId} and w.domain = p.from_domain and w.local = p.from_local and w.done_at is null
    where not exists (
      select from leave_wishes o
      where o.workspace_id = ${workspaceId} and o.mailing_id = w.mailing_id and o.send_id = w.send_id
        and o.domain = p.to_domain and o.local = p.to_local and o.done_at is null
    )`.execute(tx);
}

/** Forgets wishes that were carried out so many days ago. The suppression list has the entries. */
export async function deleteOldWishes(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from leave_wishes
    where workspace_id = ${workspaceId} and done_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
