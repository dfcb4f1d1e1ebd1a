import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

export interface ListRow {
  id: number;
  name: string;
  description: string | null;
  isDynamic: boolean;
  segmentRules: Record<string, unknown> | null;
  contactCount: number;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = sql`
  l.id, l.name, l.description, l.is_dynamic as "isDynamic", l.segment_rules as "segmentRules",
  l.contact_count as "contactCount", l.created_by as "createdBy", l.created_at as "createdAt",
  l.updated_at as "updatedAt"`;

/** All lists, A to Z. */
export async function selectLists(tx: TenantTx, workspaceId: number): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`
    select ${columns} from lists l where l.workspace_id = ${workspaceId} and l.deleted_at is null
    order by lower(l.name), l.id`.execute(tx);
  return rows;
}

/** One list that is not deleted. */
export async function selectList(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<ListRow | undefined> {
  const { rows } = await sql<ListRow>`
    select ${columns} from lists l
    where l.workspace_id = ${workspaceId} and l.id = ${id} and l.deleted_at is null`.execute(tx);
  return rows[0];
}

/** Makes a list that people fill, and answers its id. */
export async function insertList(
  tx: TenantTx,
  workspaceId: number,
  list: { name: string; description: string | null; createdBy: string | null },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into lists (workspace_id, name, description, created_by)
    values (${workspaceId}, ${list.name}, ${list.description}, ${list.createdBy}) returning id`.execute(tx);
  return rows[0]?.id as number;
}

/** Renames or describes a list. */
export async function updateList(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  list: { name: string; description: string | null },
): Promise<void> {
  await sql`
    update lists set name = ${list.name}, description = ${list.description}, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
