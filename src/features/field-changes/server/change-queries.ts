import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { WhatChanges } from '../contract.ts';
import type { KeptLine } from '../rules/later-changes.ts';
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

/** Keeps what stood in these contacts, of which this transaction has changed so many. */
export async function keepContacts(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  { contacts, changed }: { contacts: readonly KeptContact[]; changed: number },
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
    update field_changes set contacts = contacts + ${changed}
    where workspace_id = ${workspaceId} and id = ${changeId}`.execute(tx);
}

/** What a change has kept of a contact. */
export interface ContactLine extends KeptLine {
  changeId: number;
  contactId: number;
}

const lineColumns = sql`
  k.change_id as "changeId", k.contact_id as "contactId", k.before, k.after,
  k.changed_before::text as "changedBefore", k.changed_at::text as "changedAt"`;

/**
 * When a contact was changed, after whatever its change found: that may have begun earlier and
 * waited for the lock.
 */
const doneAt = sql`greatest(k.changed_at, k.changed_before + interval '1 microsecond')`;

/** What changes have kept of these contacts, oldest first: all of them, or those since this one. */
export async function selectLines(
  tx: TenantTx,
  workspaceId: number,
  contactIds: readonly number[],
  since?: number,
): Promise<ContactLine[]> {
  const begin = sql`
    (select f.created_at from field_changes f where f.workspace_id = ${workspaceId} and f.id = ${since})`;
  const { rows } = await sql<ContactLine>`
    select ${lineColumns} from changed_contacts k
    where k.workspace_id = ${workspaceId} and k.contact_id = any(${[...contactIds]}::bigint[])
      ${since === undefined ? sql`` : sql`and ${doneAt} >= ${begin}`}
    order by k.contact_id, ${doneAt}, k.change_id`.execute(tx);
  return rows;
}

/** Rewrites what changes keep of contacts, and how many contacts each has changed. */
export async function rewriteLines(
  tx: TenantTx,
  workspaceId: number,
  handed: readonly { line: ContactLine; more: number }[],
): Promise<void> {
  const lines = handed.map(({ line }) => line);
  await sql`
    with handed as (
      select * from unnest(
        ${lines.map(({ changeId }) => changeId)}::bigint[],
        ${lines.map(({ contactId }) => contactId)}::bigint[],
        ${lines.map(({ before }) => JSON.stringify(before))}::text[],
        ${lines.map(({ changedBefore }) => changedBefore)}::text[],
        ${handed.map(({ more }) => more)}::int[]
      ) as n (change_id, contact_id, before, changed, more)
    ), counted as (
      update field_changes f set contacts = f.contacts + n.more
      from (select change_id, sum(more) as more from handed group by change_id) n
      where f.workspace_id = ${workspaceId} and f.id = n.change_id and n.more <> 0
    )
    update changed_contacts k set before = n.before::jsonb, changed_before = n.changed::timestamptz
    from handed n
    -- Row by row: whoever plans this as a join of tables reads all that is kept for every piece.
    cross join lateral (
      select x.ctid from changed_contacts x
      where x.workspace_id = ${workspaceId} and x.change_id = n.change_id and x.contact_id = n.contact_id
      offset 0
    ) at
    where k.ctid = at.ctid`.execute(tx);
}

/** Closes a change and answers how many contacts it changed. One that changed none is deleted. */
export async function closeChange(tx: TenantTx, workspaceId: number, id: number): Promise<number> {
  const { rows } = await sql<{ contacts: number }>`
    update field_changes set is_open = false
    where workspace_id = ${workspaceId} and id = ${id} returning contacts`.execute(tx);
  const contacts = rows[0]?.contacts ?? 0;
  if (contacts === 0) {
    await sql`
      delete from changed_contacts where workspace_id = ${workspaceId} and change_id = ${id}`.execute(tx);
    await sql`delete from field_changes where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  }
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

/** What the change has kept of the first contacts, besides those that its undo would not touch. */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  limit: number,
): Promise<ContactLine[]> {
  const { rows } = await sql<ContactLine>`
    select ${lineColumns} from changed_contacts k
    where k.workspace_id = ${workspaceId} and k.change_id = ${changeId} and k.before <> k.after
    order by k.contact_id limit ${limit}`.execute(tx);
  return rows;
}

/**
 * Whether the change keeps more than so many lines. Most may be of contacts that had the value
 * already, which it does not count.
 */
export async function keepsMoreThan(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  lines: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from changed_contacts where workspace_id = ${workspaceId} and change_id = ${changeId}
    order by contact_id offset ${lines} limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Forgets what was kept of the contacts up to this one, or of all, `undone` of which have their old
 * values again.
 */
export async function forgetKept(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  { upTo, undone }: { upTo: number | null; undone: number },
): Promise<void> {
  await sql`
    delete from changed_contacts
    where workspace_id = ${workspaceId} and change_id = ${changeId}
      ${upTo === null ? sql`` : sql`and contact_id <= ${upTo}`}`.execute(tx);
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
