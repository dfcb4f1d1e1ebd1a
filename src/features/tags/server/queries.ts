import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

export interface TagRow {
  id: number;
  name: string;
  color: string;
  contactCount: number;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = sql`
  t.id, t.name, t.color, t.contact_count as "contactCount", t.created_by as "createdBy",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;

/** All tags, A to Z. */
export async function selectTags(tx: TenantTx, workspaceId: number): Promise<TagRow[]> {
  const { rows } = await sql<TagRow>`
    select ${columns} from tags t where t.workspace_id = ${workspaceId} and t.deleted_at is null
    order by t.name_key, t.id`.execute(tx);
  return rows;
}

/** One tag that is not deleted. */
export async function selectTag(tx: TenantTx, workspaceId: number, id: number): Promise<TagRow | undefined> {
  const { rows } = await sql<TagRow>`
    select ${columns} from tags t
    where t.workspace_id = ${workspaceId} and t.id = ${id} and t.deleted_at is null`.execute(tx);
  return rows[0];
}

/** The tag with this name, in whatever case. */
export async function selectNamed(
  tx: TenantTx,
  workspaceId: number,
  nameKey: string,
): Promise<Pick<TagRow, 'id' | 'name'> | undefined> {
  const { rows } = await sql<Pick<TagRow, 'id' | 'name'>>`
    select t.id, t.name from tags t
    where t.workspace_id = ${workspaceId} and t.name_key = ${nameKey} and t.deleted_at is null`.execute(tx);
  return rows[0];
}

/** The compared name of a tag, deleted or not. */
export async function selectNameKey(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ nameKey: string }>`
    select t.name_key as "nameKey" from tags t where t.workspace_id = ${workspaceId} and t.id = ${id}`.execute(
    tx,
  );
  return rows[0]?.nameKey;
}

/** Makes a tag and answers its id. Undefined when another has its name. */
export async function insertTag(
  tx: TenantTx,
  workspaceId: number,
  tag: { name: string; nameKey: string; color: string; createdBy: string | null },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into tags (workspace_id, name, name_key, color, created_by)
    values (${workspaceId}, ${tag.name}, ${tag.nameKey}, ${tag.color}, ${tag.createdBy})
    on conflict (workspace_id, name_key) where deleted_at is null do nothing returning id`.execute(tx);
  return rows[0]?.id;
}

/**
 * Renames or recolours a tag. Fails with 23505 when another has the name. Each change has a later
 * time than the one before, in the milliseconds that callers see.
 */
export async function updateTag(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  tag: { name: string; nameKey: string; color: string },
): Promise<void> {
  await sql`
    update tags set name = ${tag.name}, name_key = ${tag.nameKey}, color = ${tag.color},
      updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
