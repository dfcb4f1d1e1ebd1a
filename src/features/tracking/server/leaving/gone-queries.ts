import { sql } from 'kysely';
import { sqlState, type TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { AddressKey } from './pause-queries.ts';

/**
 * The contacts of a reader that are not there now and may have had another address than the message
 * went to: their own if it was corrected, what it was merged into, and whoever has the address that
 * they have confirmed.
 */
async function selectGone(tx: TenantTx, workspaceId: number, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.id from contacts_by_now(${workspaceId}, array[${contactId}]::bigint[]) s (id)
    where not exists (select from contacts c where c.workspace_id = ${workspaceId} and c.id = s.id)
      and (s.id <> ${contactId} or exists (
        select from corrected_contacts k where k.workspace_id = ${workspaceId} and k.contact_id = s.id))`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Whether `selectAddressesOfGone` may find any. It does not look into the bin. */
export const hasGone = async (
  tx: TenantTx,
  workspaceId: number,
  contactId: number | null,
): Promise<boolean> => contactId !== null && (await selectGone(tx, workspaceId, contactId)).length > 0;

/**
 * Where the contacts of a reader that are gone would be mailed if they came back: the addresses
 * that they have in the bin, and those of their last corrections, which outlive the bin. The bin is
 * in the order of its removals. It is gone through from one that holds contacts to the next, one
 * index look-up each, and only for the few readers who have such a contact.
 */
export async function selectAddressesOfGone(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | null,
): Promise<AddressKey[]> {
  const gone = contactId === null ? [] : await selectGone(tx, workspaceId, contactId);
  if (gone.length === 0) return [];
  const { rows } = await sql<AddressKey>`
    with recursive holding (id) as (
      select 0::bigint
      union all
      select (
        select x.removal_id from removed_contacts x
        where x.workspace_id = ${workspaceId} and x.removal_id > h.id order by x.removal_id limit 1
      ) from holding h where h.id is not null
    )
    select x.local, x.domain from holding h
    cross join lateral (
      select r.local, r.domain from removed_contacts r
      where r.workspace_id = ${workspaceId} and r.removal_id = h.id and r.id = any(${gone}::bigint[])
      offset 0
    ) x
    union
    select k.local, k.domain from unnest(${gone}::bigint[]) g (id)
    cross join lateral (
      select k.new_local as local, k.new_domain as domain from corrected_contacts k
      where k.workspace_id = ${workspaceId} and k.contact_id = g.id and k.undone_at is null
      order by k.correction_id desc limit 1
    ) k`.execute(tx);
  return rows;
}

/**
 * The same for a caller who cannot wait: a bin with very many removals takes seconds.
 * @throws AppError `timeout` when it takes longer than so many milliseconds.
 */
export async function selectAddressesOfGoneWithin(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | null,
  milliseconds: number,
): Promise<AddressKey[]> {
  await sql`set local statement_timeout = ${sql.lit(milliseconds)}`.execute(tx);
  try {
    const addresses = await selectAddressesOfGone(tx, workspaceId, contactId);
    await sql`set local statement_timeout = default`.execute(tx);
    return addresses;
  } catch (error) {
    // query_canceled
    if (sqlState(error) !== '57014') throw error;
    throw new AppError('timeout', 'The bin could not be gone through in time.', { cause: error });
  }
}
