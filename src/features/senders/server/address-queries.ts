import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

export interface AddressRow {
  id: number;
  name: string;
  address: string;
  replyTo: string;
}

type Written = Omit<AddressRow, 'id'>;

const columns = sql`a.id, a.name, a.address, a.reply_to as "replyTo"`;

/** The sender addresses of a workspace, by name. */
export async function selectAddresses(tx: TenantTx, workspaceId: number): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select ${columns} from sender_addresses a where a.workspace_id = ${workspaceId}
    order by lower(a.name), lower(a.address), a.id`.execute(tx);
  return rows;
}

/** One sender address. Nobody else changes it until the transaction ends. */
export async function lockAddress(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    select ${columns} from sender_addresses a
    where a.workspace_id = ${workspaceId} and a.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Adds a sender address. Undefined when it is there already under the same name. */
export async function insertAddress(
  tx: TenantTx,
  workspaceId: number,
  { name, address, replyTo, createdBy }: Written & { createdBy: string },
): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    insert into sender_addresses as a (workspace_id, name, address, reply_to, created_by)
    values (${workspaceId}, ${name}, ${address}, ${replyTo}, ${createdBy})
    on conflict do nothing
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** Writes a sender address, unless another one is the same. */
export async function updateAddress(
  tx: TenantTx,
  workspaceId: number,
  { id, name, address, replyTo }: AddressRow,
): Promise<boolean> {
  const { rows } = await sql`
    update sender_addresses a set name = ${name}, address = ${address}, reply_to = ${replyTo}
    where a.workspace_id = ${workspaceId} and a.id = ${id} and not exists (
      select from sender_addresses o
      where o.workspace_id = ${workspaceId} and o.id <> ${id}
        and lower(o.address) = lower(${address}) and o.name = ${name})
    returning a.id`.execute(tx);
  return rows.length > 0;
}

/** Removes a sender address. */
export async function removeAddress(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`delete from sender_addresses where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
