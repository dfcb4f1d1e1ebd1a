import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { MergeableFields } from '../rules.ts';
/**
 * Records a merge with the contacts in it, and answers its number. What it removed is already in
 * the bin.
 */
export async function insertMerge(
  tx: TenantTx,
  workspaceId: number,
  merge: { keptId: number; removalId: number; before: MergeableFields; mergedBy: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into merges (workspace_id, kept_id, removal_id, before, merged_by)
    values (${workspaceId}, ${merge.keptId}, ${merge.removalId}, ${JSON.stringify(merge.before)}::jsonb, ${merge.mergedBy})
    returning id`.execute(tx);
  const id = rows[0]?.id as number;
  await sql`
    insert into merged_contacts (workspace_id, merge_id, contact_id, local, domain)
    select r.workspace_id, ${id}::bigint, r.id, r.local, r.domain from removed_contacts r
    where r.workspace_id = ${workspaceId} and r.removal_id = ${merge.removalId}`.execute(tx);
  return id;
}

export interface MergeRow {
  keptId: number;
  removalId: number;
  /** Merges of earlier versions say nothing about first and last names, and changed none. */
  before: Omit<MergeableFields, 'firstName' | 'lastName'> & Partial<MergeableFields>;
  undoneAt: Date | null;
}

/**
 * The merge, locked until the transaction ends. Undefined when the workspace has none with this id.
 */
export async function lockMerge(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<MergeRow | undefined> {
  const { rows } = await sql<MergeRow>`
    select kept_id as "keptId", removal_id as "removalId", before, undone_at as "undoneAt" from merges
    where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Marks a merge as undone. */
export async function closeMerge(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`update merges set undone_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
}

/** The ids that a removal holds in the bin. */
export async function selectBinnedIds(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from removed_contacts where workspace_id = ${workspaceId} and removal_id = ${removalId}`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}
