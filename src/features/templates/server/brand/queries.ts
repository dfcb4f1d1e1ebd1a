import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Block } from '../../rules/document/places.ts';
import type { Brand } from '../../rules/document/schema.ts';

/** How the workspace's messages look. Undefined: nobody has said. */
export async function selectBrand(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ brand: Brand; savedAt: Date } | undefined> {
  const { rows } = await sql<{ brand: Brand; savedAt: Date }>`
    select brand, saved_at as "savedAt" from template_brands where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0];
}

/** Stores how messages look from now on. */
export async function upsertBrand(
  tx: TenantTx,
  workspaceId: number,
  brand: Brand,
  savedBy: number,
): Promise<void> {
  await sql`
    insert into template_brands (workspace_id, brand, saved_by)
    values (${workspaceId}, ${JSON.stringify(brand)}::jsonb, ${savedBy})
    on conflict (workspace_id) do update
    set brand = excluded.brand, saved_by = excluded.saved_by, saved_at = now()`.execute(tx);
}

export interface BlockSummaryRow {
  id: number;
  name: string;
  type: Block['type'];
  savedAt: Date;
  savedBy: string | null;
}
export type BlockRow = BlockSummaryRow & { block: Block };

const summaryColumns = sql`
  b.id, b.name, b.block ->> 'type' as type, b.saved_at as "savedAt", u.name as "savedBy"`;
const withPeople = sql`template_blocks b left join users u on u.id = b.saved_by`;

/** The blocks that are kept, by name, without what is in them. */
export async function selectBlocks(tx: TenantTx, workspaceId: number): Promise<BlockSummaryRow[]> {
  const { rows } = await sql<BlockSummaryRow>`
    select ${summaryColumns} from ${withPeople}
    where b.workspace_id = ${workspaceId} order by lower(b.name), b.id`.execute(tx);
  return rows;
}

/** One block that is kept. */
export async function selectBlock(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<BlockRow | undefined> {
  const { rows } = await sql<BlockRow>`
    select ${summaryColumns}, b.block from ${withPeople}
    where b.workspace_id = ${workspaceId} and b.id = ${id}`.execute(tx);
  return rows[0];
}

/**
 * Stores a block, unless the workspace keeps `most` of them. Answers its id. Needs `blocksLock`.
 */
export async function insertBlock(
  tx: TenantTx,
  workspaceId: number,
  { name, block, savedBy, most }: { name: string; block: Block; savedBy: number; most: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into template_blocks (workspace_id, name, block, saved_by)
    select ${workspaceId}, ${name}, ${JSON.stringify(block)}::jsonb, ${savedBy}
    where (select count(*) from template_blocks where workspace_id = ${workspaceId}) < ${most}
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** Deletes a block, and answers its name. */
export async function deleteBlock(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from template_blocks where workspace_id = ${workspaceId} and id = ${id} returning name`.execute(
    tx,
  );
  return rows[0]?.name;
}
