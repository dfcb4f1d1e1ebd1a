import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { HowSaid, SaidBasis } from '../../contract.ts';
import { basisOf, codeOf } from '../../rules.ts';

export interface NewChange extends SaidBasis {
  how: HowSaid;
  changedBy: string | null;
  /** The import or the merge. */
  sourceId?: number;
}

/** Whether the change `h` can be undone. What is said of one contact by itself cannot. */
export const canBeUndone = sql`h.how in ('bulk', 'import', 'merge')`;

/** Opens a change. Contacts are then changed by it. */
export async function openChange(tx: TenantTx, workspaceId: number, change: NewChange): Promise<number> {
  const { how, basis, source, givenOn, changedBy, sourceId } = change;
  const { rows } = await sql<{ id: number }>`
    insert into basis_changes (workspace_id, how, basis, source, given_on, source_id, changed_by)
    values (${workspaceId}, ${how}, ${codeOf(basis)}, ${source || null}, ${givenOn ?? null}::date, ${sourceId ?? null},
      ${changedBy})
    returning id`.execute(tx);
  return rows[0]?.id as number;
}

/** Closes a change and answers how many contacts it changed. One that changed none is deleted. */
export async function closeChange(tx: TenantTx, workspaceId: number, id: number): Promise<number> {
  const { rows } = await sql<{ contacts: number }>`
    update basis_changes set is_open = false
    where workspace_id = ${workspaceId} and id = ${id} returning contacts`.execute(tx);
  const contacts = rows[0]?.contacts ?? 0;
  if (contacts === 0)
    await sql`delete from basis_changes where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return contacts;
}

export interface ChangeRow extends SaidBasis {
  id: number;
  source: string | null;
  givenOn: string | null;
  contacts: number;
  isOpen: boolean;
  changedBy: string | null;
  createdAt: Date;
  undoneAt: Date | null;
  undone: number;
}

type StoredRow = Omit<ChangeRow, 'basis'> & { basis: number };

const columns = sql`
  f.id, f.basis, f.source, f.given_on::text as "givenOn", f.contacts, f.is_open as "isOpen",
  f.changed_by as "changedBy", f.created_at as "createdAt", f.undone_at as "undoneAt", f.undone`;

const toRow = ({ basis, ...row }: StoredRow): ChangeRow => ({ ...row, basis: basisOf(basis) });

/**
 * A change of many contacts, locked until the transaction ends. Undefined when the workspace has
 * none with this id.
 */
export async function lockChange(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<ChangeRow | undefined> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from basis_changes f
    where f.workspace_id = ${workspaceId} and f.id = ${id} and f.how = 'bulk' for update`.execute(tx);
  return rows[0] && toRow(rows[0]);
}

/** A page of changes of many contacts, newest first, and how many there are. */
export async function selectChanges(
  tx: TenantTx,
  workspaceId: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: ChangeRow[]; totalCount: number }> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from basis_changes f where f.workspace_id = ${workspaceId} and f.how = 'bulk'
    order by f.id desc offset ${(page - 1) * limit} limit ${limit}`.execute(tx);
  const count = await sql<{ count: number }>`
    select count(*) as count from basis_changes where workspace_id = ${workspaceId} and how = 'bulk'`.execute(
    tx,
  );
  return { rows: rows.map(toRow), totalCount: count.rows[0]?.count ?? 0 };
}

/** Claims a change for its undo, or lets go of it when the undo broke off. */
export async function markUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  isUndone: boolean,
): Promise<void> {
  await sql`
    update basis_changes set undone_at = case when ${isUndone} then now() end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The changes that a merge has made. */
export async function selectMergeChanges(
  tx: TenantTx,
  workspaceId: number,
  mergeId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from basis_changes
    where workspace_id = ${workspaceId} and how = 'merge' and source_id = ${mergeId}`.execute(tx);
  return rows.map(({ id }) => id);
}
