import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

export interface NewChange {
  kind: 'list' | 'tag';
  groupId: number;
  isRemoval: boolean;
  changedBy: string | null;
  /** The import whose undo takes contacts out. */
  importId?: number;
}

export interface ChangeRow extends Omit<NewChange, 'importId'> {
  id: number;
  contacts: number;
  /** Which were added, if they were few. */
  contactIds: number[] | null;
  isOpen: boolean;
  createdAt: Date;
  undoneAt: Date | null;
  undone: number;
}

/** Opens a change. Contacts are then added or removed under its number. */
export async function openChange(tx: TenantTx, workspaceId: number, change: NewChange): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into membership_changes (workspace_id, kind, group_id, is_removal, changed_by, import_id)
    values (${workspaceId}, ${change.kind}, ${change.groupId}, ${change.isRemoval}, ${change.changedBy},
      ${change.importId ?? null})
    returning id`.execute(tx);
  return rows[0]?.id as number;
}

/** Closes a change. One that changed nothing is deleted. */
export async function closeChange(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { contacts, contactIds }: { contacts: number; contactIds: readonly number[] | null },
): Promise<void> {
  if (contacts === 0) {
    await sql`delete from membership_changes where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
    return;
  }
  await sql`
    update membership_changes
    set is_open = false, contacts = ${contacts}, contact_ids = ${contactIds && [...contactIds]}::bigint[]
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The change, locked until the transaction ends. */
export async function lockChange(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<ChangeRow | undefined> {
  const { rows } = await sql<Omit<ChangeRow, 'contactIds'> & { contactIds: string[] | null }>`
    select h.id, h.kind, h.group_id as "groupId", h.is_removal as "isRemoval", h.contacts,
      h.contact_ids as "contactIds", h.is_open as "isOpen", h.changed_by as "changedBy",
      h.created_at as "createdAt", h.undone_at as "undoneAt", h.undone
    from membership_changes h
    where h.workspace_id = ${workspaceId} and h.id = ${id} for update`.execute(tx);
  const row = rows[0];
  return row && { ...row, contactIds: row.contactIds?.map(Number) ?? null };
}

/** Claims a change for its undo, or lets go of it when the undo broke off. */
export async function markUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { isUndone, more = 0 }: { isUndone: boolean; more?: number },
): Promise<void> {
  await sql`
    update membership_changes
    set undone_at = case when ${isUndone} then now() end, undone = undone + ${more}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Deletes changes that are too old to be undone, and keep nothing any more. */
export async function purgeChanges(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from membership_changes h
    where h.workspace_id = ${workspaceId} and not h.is_open
      and h.created_at < now() - make_interval(days => ${days}::int)
      and not exists (
        select from removed_memberships r where r.workspace_id = h.workspace_id and r.change_id = h.id
      )`.execute(tx);
}
