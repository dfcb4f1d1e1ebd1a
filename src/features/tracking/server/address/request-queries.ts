import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { AddressKey } from '../leaving/pause-queries.ts';
import type { TrackedSend } from '../sends-port.ts';

/** How long a confirmation can be given. */
export const confirmHours = 24;

export interface AddressRequest extends AddressKey {
  id: number;
  mailingId: number;
  sendId: number;
  contactId: number;
  oldLocal: string;
  oldDomain: string;
  doneAt: Date | null;
  isExpired: boolean;
}

/** The contact of a send as it is now. When it is gone, whoever has its address. */
export async function selectContactOf(
  tx: TenantTx,
  workspaceId: number,
  { contactId, local, domain }: Pick<TrackedSend, 'contactId' | 'local' | 'domain'>,
): Promise<(AddressKey & { id: number }) | undefined> {
  const { rows } = await sql<AddressKey & { id: number }>`
    select c.id, c.local, c.domain from contacts c
    where c.workspace_id = ${workspaceId} and c.state <> 2
      and (c.id = ${contactId} or (c.domain = ${domain} and c.local = ${local}))
    order by c.id = ${contactId} desc nulls last limit 1`.execute(tx);
  return rows[0];
}

/** How many changes were asked for within a day, by one send and to one address. */
export async function countRequests(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId, local, domain }: Pick<AddressRequest, 'mailingId' | 'sendId'> & AddressKey,
): Promise<{ bySend: number; toAddress: number }> {
  const { rows } = await sql<{ bySend: number; toAddress: number }>`
    select
      (select count(*) from address_requests r
       where r.workspace_id = ${workspaceId} and r.mailing_id = ${mailingId} and r.send_id = ${sendId}
         and r.asked_at > now() - interval '1 day') as "bySend",
      (select count(*) from address_requests r
       where r.workspace_id = ${workspaceId} and r.domain = ${domain} and r.local = ${local}
         and r.asked_at > now() - interval '1 day') as "toAddress"`.execute(tx);
  return rows[0] ?? { bySend: 0, toAddress: 0 };
}

/** Writes down what was asked for, and answers its number. */
export async function insertRequest(
  tx: TenantTx,
  workspaceId: number,
  request: Omit<AddressRequest, 'id' | 'doneAt' | 'isExpired'>,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into address_requests
      (workspace_id, mailing_id, send_id, contact_id, old_local, old_domain, local, domain)
    values (${workspaceId}, ${request.mailingId}, ${request.sendId}, ${request.contactId},
      ${request.oldLocal}, ${request.oldDomain}, ${request.local}, ${request.domain})
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

/** One request. With `lock`, nobody else confirms it until the transaction ends. */
export async function selectRequest(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { lock = false } = {},
): Promise<AddressRequest | undefined> {
  const { rows } = await sql<AddressRequest>`
    select r.id, r.mailing_id as "mailingId", r.send_id as "sendId", r.contact_id as "contactId",
      r.old_local as "oldLocal", r.old_domain as "oldDomain", r.local, r.domain, r.done_at as "doneAt",
      r.asked_at < now() - make_interval(hours => ${confirmHours}::int) as "isExpired"
    from address_requests r
    where r.workspace_id = ${workspaceId} and r.id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

/** `toContactId`: the other contact that has the address. Null: it was given to their own. */
export async function endRequest(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  toContactId: number | null,
): Promise<void> {
  await sql`
    update address_requests set done_at = now(), to_contact_id = ${toContactId}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Those of these addresses whose readers have confirmed that of another contact instead. */
export async function selectMovedFrom(
  tx: TenantTx,
  workspaceId: number,
  keys: readonly AddressKey[],
): Promise<AddressKey[]> {
  const { rows } = await sql<AddressKey>`
    select own.local, own.domain
    from unnest(${keys.map(({ local }) => local)}::text[], ${keys.map(({ domain }) => domain)}::text[])
      as own (local, domain)
    where exists (
      select from address_requests r
      where r.workspace_id = ${workspaceId} and r.old_domain = own.domain and r.old_local = own.local
        and r.to_contact_id is not null
    )`.execute(tx);
  return rows;
}

/**
 * Forgets requests of so many days ago. The timeline tells what was changed. What leads to another
 * contact is kept: nobody knows when somebody leaves by an old message.
 */
export async function deleteOldRequests(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from address_requests
    where workspace_id = ${workspaceId} and to_contact_id is null
      and asked_at < now() - make_interval(days => ${days}::int)`.execute(tx);
}
