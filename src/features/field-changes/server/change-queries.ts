import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { WhatChanges } from '../contract.ts';
import type { Kept } from '../rules.ts';

/** Opens a change. Contacts are then changed and kept in it. */
export async function openChange(
  tx: TenantTx,
  workspaceId: number,
  change: { what: WhatChanges; changedBy: string | null },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into field_changes (workspace_id, what, changed_by)
    values (${workspaceId}, ${JSON.stringify(change.what)}::jsonb, ${change.changedBy}) returning id`.execute(
    tx,
  );
  return rows[0]?.id as number;
}

export interface KeptContact extends Kept {
  contactId: number;
  /** The contact's `changed_at` before the change, as PostgreSQL writes it. */
  changedBefore: string | null;
}

/** Keeps what stood in these contacts, which this transaction has changed. */
export async function keepContacts(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  contacts: readonly KeptContact[],
): Promise<void> {
  await sql`
    insert into changed_contacts (workspace_id, change_id, contact_id, before, after, changed_before)
    select ${workspaceId}::bigint, ${changeId}::bigint, n.id, n.before::jsonb, n.after::jsonb, n.changed::timestamptz
    from unnest(
      ${contacts.map(({ contactId }) => contactId)}::bigint[],
      ${contacts.map(({ before }) => JSON.stringify(before))}::text[],
      ${contacts.map(({ after }) => JSON.stringify(after))}::text[],
      ${contacts.map(({ changedBefore }) => changedBefore)}::text[]
    ) as n (id, before, after, changed)`.execute(tx);
  await sql`
    update field_changes set contacts = contacts + ${contacts.length}
    where workspace_id = ${workspaceId} and id = ${changeId}`.execute(tx);
}

/** Closes a change and answers how many contacts it changed. One that changed none is deleted. */
export async function closeChange(tx: TenantTx, workspaceId: number, id: number): Promise<number> {
  const { rows } = await sql<{ contacts: number }>`
    update field_changes set is_open = false
    where workspace_id = ${workspaceId} and id = ${id} returning contacts`.execute(tx);
  const contacts = rows[0]?.contacts ?? 0;
  if (contacts === 0)
    await sql`delete from field_changes where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return contacts;
}

export interface ChangeRow {
  id: number;
  what: WhatChanges;
  contacts: number;
  isOpen: boolean;
  changedBy: string | null;
  createdAt: Date;
  undoneAt: Date | null;
  undone: number;
}

const columns = sql`
  f.id, f.what, f.contacts, f.is_open as "isOpen", f.changed_by as "changedBy", f.created_at as "createdAt",
  f.undone_at as "undoneAt", f.undone`;

/**
 * The change, locked until the transaction ends. Undefined when the workspace has none with this
 * id.
 */
export async function lockChange(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<ChangeRow | undefined> {
  const { rows } = await sql<ChangeRow>`
    select ${columns} from field_changes f
    where f.workspace_id = ${workspaceId} and f.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** A page of changes, newest first, and how many there are. */
export async function selectChanges(
  tx: TenantTx,
  workspaceId: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: ChangeRow[]; totalCount: number }> {
  const { rows } = await sql<ChangeRow>`
    select ${columns} from field_changes f where f.workspace_id = ${workspaceId}
    order by f.id desc offset ${(page - 1) * limit} limit ${limit}`.execute(tx);
  const count = await sql<{ count: number }>`
    select count(*) as count from field_changes where workspace_id = ${workspaceId}`.execute(tx);
  return { rows, totalCount: count.rows[0]?.count ?? 0 };
}

/** Claims a change for its undo, or lets go of it when the undo broke off. */
export async function markUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  isUndone: boolean,
): Promise<void> {
  await sql`
    update field_changes set undone_at = case when ${isUndone} then now() end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** What the change has kept of the first contacts. */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  limit: number,
): Promise<(KeptContact & { changedAt: string })[]> {
  const { rows } = await sql<KeptContact & { changedAt: string }>`
    select contact_id as "contactId", before, after, changed_before::text as "changedBefore",
           changed_at::text as "changedAt"
    from changed_contacts where workspace_id = ${workspaceId} and change_id = ${changeId}
    order by contact_id limit ${limit}`.execute(tx);
  return rows;
}

/** Forgets what was kept of these contacts, `undone` of which have their old values again. */
export async function forgetKept(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  contactIds: readonly number[],
  undone: number,
): Promise<void> {
  await sql`
    delete from changed_contacts
    where workspace_id = ${workspaceId} and change_id = ${changeId}
      and contact_id = any(${[...contactIds]}::bigint[])`.execute(tx);
  await sql`
    update field_changes set undone = undone + ${undone}
    where workspace_id = ${workspaceId} and id = ${changeId}`.execute(tx);
}

/**
 * Deletes up to `limit` contacts kept by changes that are too old to be undone. Answers how many.
 */
export async function purgeKept(
  tx: TenantTx,
  workspaceId: number,
  days: number,
  limit: number,
): Promise<number> {
  const gone = await sql`
    delete from changed_contacts where ctid = any(array(
      select k.ctid from field_changes f
      cross join lateral (
        select x.ctid from changed_contacts x
        where x.workspace_id = ${workspaceId} and x.change_id = f.id order by x.contact_id limit ${limit}
      ) k
      where f.workspace_id = ${workspaceId} and not f.is_open
        and f.created_at < now() - make_interval(days => ${days}::int)
      limit ${limit}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}

/** Deletes changes that are too old to be undone and keep nothing any more. */
export async function purgeChanges(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from field_changes f
    where f.workspace_id = ${workspaceId} and not f.is_open
      and f.created_at < now() - make_interval(days => ${days}::int)
      and not exists (
        select from changed_contacts k where k.workspace_id = f.workspace_id and k.change_id = f.id
      )`.execute(tx);
}
