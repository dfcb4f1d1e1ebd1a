import { sql } from 'kysely';
import type { GroupKind } from '#features/memberships/server/index.ts';
import type { SegmentRules } from '#features/segments/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';

export interface ListRow {
  id: number;
  name: string;
  description: string | null;
  isDynamic: boolean;
  isPublic: boolean;
  publicName: string | null;
  publicDescription: string | null;
  segmentRules: SegmentRules | null;
  contactCount: number;
  countedAt: Date | null;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = sql`
  l.id, l.name, l.description, l.is_dynamic as "isDynamic", l.is_public as "isPublic",
  l.public_name as "publicName", l.public_description as "publicDescription", l.segment_rules as "segmentRules",
  l.contact_count as "contactCount", l.counted_at as "countedAt", l.created_by as "createdBy", l.created_at as "createdAt",
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

/** What readers see of a list. */
export type Shown = Pick<ListRow, 'isPublic' | 'publicName' | 'publicDescription'>;

/** Makes a list and answers its id. With rules, it fills itself. */
export async function insertList(
  tx: TenantTx,
  workspaceId: number,
  list: Shown & Pick<ListRow, 'name' | 'description' | 'segmentRules' | 'createdBy'>,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into lists (workspace_id, name, description, created_by, is_dynamic, segment_rules,
      is_public, public_name, public_description)
    values (${workspaceId}, ${list.name}, ${list.description}, ${list.createdBy},
      ${list.segmentRules !== null}, ${rulesText(list)}::jsonb,
      ${list.isPublic}, ${list.publicName}, ${list.publicDescription})
    returning id`.execute(tx);
  return rows[0]?.id as number;
}

/**
 * Renames or describes a list, or gives it other rules, which makes its count out of date. Each
 * change has a later time than the one before, in the milliseconds that callers see.
 */
export async function updateList(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  list: Shown & Pick<ListRow, 'name' | 'description' | 'segmentRules'>,
): Promise<void> {
  await sql`
    update lists set name = ${list.name}, description = ${list.description},
      updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
      counted_at = case when segment_rules is not distinct from ${rulesText(list)}::jsonb then counted_at end,
      segment_rules = ${rulesText(list)}::jsonb, is_public = ${list.isPublic},
      public_name = ${list.publicName}, public_description = ${list.publicDescription}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

const rulesText = ({ segmentRules }: Pick<ListRow, 'segmentRules'>): string | null =>
  segmentRules === null ? null : JSON.stringify(segmentRules);

/** The rules of those of these lists that fill themselves and are not deleted. */
export async function selectRules(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string; segmentRules: SegmentRules }[]> {
  const { rows } = await sql<{ id: number; name: string; segmentRules: SegmentRules }>`
    select l.id, l.name, l.segment_rules as "segmentRules" from lists l
    where l.workspace_id = ${workspaceId} and l.id = any(${[...ids]}::bigint[])
      and l.is_dynamic and l.deleted_at is null
    order by l.id`.execute(tx);
  return rows;
}

/** All lists that fill themselves, A to Z. */
export async function selectDynamic(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ id: number; name: string; segmentRules: SegmentRules }[]> {
  const { rows } = await sql<{ id: number; name: string; segmentRules: SegmentRules }>`
    select l.id, l.name, l.segment_rules as "segmentRules" from lists l
    where l.workspace_id = ${workspaceId} and l.is_dynamic and l.deleted_at is null
    order by lower(l.name), l.id`.execute(tx);
  return rows;
}

/** What a list or a tag is called, deleted or not. */
export async function selectName(
  tx: TenantTx,
  workspaceId: number,
  { tables }: GroupKind,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(tables.groups)} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
  return rows[0]?.name;
}

/** Notes how many contacts a list has by these rules, unless it has other rules by now. */
export async function noteCount(
  tx: TenantTx,
  workspaceId: number,
  list: Pick<ListRow, 'id' | 'segmentRules'>,
  contacts: number,
): Promise<void> {
  await sql`
    update lists set contact_count = ${contacts}, counted_at = now()
    where workspace_id = ${workspaceId} and id = ${list.id} and segment_rules = ${rulesText(list)}::jsonb`.execute(
    tx,
  );
}
