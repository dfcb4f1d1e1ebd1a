import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import type { AddressKey } from './pause-queries.ts';

export interface OpenWish extends AddressKey {
  id: number;
  mailingId: number;
  sendId: number;
  /** Null when it went to nobody who was a contact. */
  contactId: number | null;
  /** The name of the mailing, for the note of the entry. */
  mailing: string | null;
}

/** Writes down that somebody wants to leave. */
export async function insertWish(
  tx: TenantTx,
  workspaceId: number,
  wish: Omit<OpenWish, 'id'>,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into leave_wishes (workspace_id, mailing_id, send_id, contact_id, local, domain, mailing)
    values (${workspaceId}, ${wish.mailingId}, ${wish.sendId}, ${wish.contactId}, ${wish.local}, ${wish.domain},
      ${wish.mailing})
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

/** The workspaces that have wishes which are not carried out yet. */
export async function selectWorkspacesWithWishes(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select w.id from workspaces_with_open_wishes() w (id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Wishes that are not carried out yet. */
export async function selectOpenWishes(tx: TenantTx, workspaceId: number): Promise<OpenWish[]> {
  const { rows } = await sql<OpenWish>`
    select id, mailing_id as "mailingId", send_id as "sendId", contact_id as "contactId", local, domain, mailing
    from leave_wishes
    where workspace_id = ${workspaceId} and done_at is null order by id limit 1000`.execute(tx);
  return rows;
}

export async function endWish(tx: TenantTx, workspaceId: number, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update leave_wishes set done_at = clock_timestamp()
    where workspace_id = ${workspaceId} and id = ${id} and done_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
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

/** Somebody who wanted to leave has thought better of it. */
export async function deleteOpenWishes(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from leave_wishes
    where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local} and done_at is null`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0) > 0;
}

/** Forgets wishes that were carried out so many days ago. The suppression list has the entries. */
export async function deleteOldWishes(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from leave_wishes
    where workspace_id = ${workspaceId} and done_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
