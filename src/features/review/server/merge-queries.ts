import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { KnownFields } from '../rules/without-merge.ts';
import type { MergeableFields } from '../rules.ts';
/**
 * Records a merge with the contacts in it, and answers its number. What it removed is already in
 * the bin. The caller holds the removals.
 */
export async function insertMerge(
  tx: TenantTx,
  workspaceId: number,
  merge: {
    keptId: number;
    removalId: number;
    before: MergeableFields;
    after: MergeableFields;
    mergedBy: string;
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into merges (workspace_id, kept_id, removal_id, before, after, merged_by, oldest_open_removal)
    values (${workspaceId}, ${merge.keptId}, ${merge.removalId}, ${JSON.stringify(merge.before)}::jsonb,
            ${JSON.stringify(merge.after)}::jsonb, ${merge.mergedBy},
            (select min(m.id) from removals m where m.workspace_id = ${workspaceId} and m.is_open))
    returning id`.execute(tx);
  const id = rows[0]?.id as number;
  await sql`
    insert into merged_contacts (workspace_id, merge_id, contact_id, local, domain)
    select r.workspace_id, ${id}::bigint, r.id, r.local, r.domain from removed_contacts r
    where r.workspace_id = ${workspaceId} and r.removal_id = ${merge.removalId}`.execute(tx);
  return id;
}

export interface StoredMerge {
  id: number;
  removalId: number;
  /**
   * The kept contact's fields. Merges of earlier versions say nothing about first and last names,
   * and changed none.
   */
  before: KnownFields;
  /** What the merge wrote there. Null for merges of earlier versions. */
  after: KnownFields | null;
}

export interface MergeRow extends StoredMerge {
  keptId: number;
  undoneAt: Date | null;
  /** The oldest removal that was open at the merge. Null when none was. */
  oldestOpen: number | null;
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
    select id, kept_id as "keptId", removal_id as "removalId", before, after, undone_at as "undoneAt",
      oldest_open_removal as "oldestOpen"
    from merges
    where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0];
}

/** The later merges into the same contact that were not undone, in their order, locked. */
export async function lockLaterMerges(
  tx: TenantTx,
  workspaceId: number,
  { id, keptId }: Pick<MergeRow, 'id' | 'keptId'>,
): Promise<StoredMerge[]> {
  const { rows } = await sql<StoredMerge>`
    select id, removal_id as "removalId", before, after from merges
    where workspace_id = ${workspaceId} and kept_id = ${keptId} and id > ${id} and undone_at is null
    order by id for update`.execute(tx);
  return rows;
}

/**
 * The later merges in force that have a merge's kept contact among those that went, as `k`. None
 * when that contact is there: one that is back from the bin is itself again.
 */
const passedOn = (workspaceId: number, keptId: Fragment, mergeId: Fragment): Fragment => sql`
  from merged_contacts k
  join merges l on l.workspace_id = k.workspace_id and l.id = k.merge_id and l.undone_at is null
  where k.workspace_id = ${workspaceId} and k.contact_id = ${keptId} and k.merge_id > ${mergeId}
    and not exists (select from contacts c where c.workspace_id = ${workspaceId} and c.id = ${keptId})`;

/** The number of the later merge that has to be undone before a merge. Null when none has. */
export const undoneFirst = (workspaceId: number, keptId: Fragment, mergeId: Fragment): Fragment =>
  sql`(select max(k.merge_id) ${passedOn(workspaceId, keptId, mergeId)})`;

/** The address of a merge's kept contact, where it went into another one since. */
export async function selectPassedOn(
  tx: TenantTx,
  workspaceId: number,
  { id, keptId }: Pick<MergeRow, 'id' | 'keptId'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    select case when k.domain = '' then k.local else k.local || '@' || k.domain end as address
    ${passedOn(workspaceId, sql`${keptId}::bigint`, sql`${id}::bigint`)}
    order by k.merge_id desc limit 1`.execute(tx);
  return rows[0]?.address;
}

/** Writes what merges keep of their contact's fields again. */
export async function rewriteMerges(
  tx: TenantTx,
  workspaceId: number,
  merges: readonly Pick<StoredMerge, 'id' | 'before' | 'after'>[],
): Promise<void> {
  if (merges.length === 0) return;
  const written = merges.map(({ id, before, after }) => ({ id, before, after }));
  await sql`
    update merges m set before = w.before, after = nullif(w.after, 'null')
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as w (id bigint, before jsonb, after jsonb)
    where m.workspace_id = ${workspaceId} and m.id = w.id`.execute(tx);
}

/** Marks a merge as undone. */
export async function closeMerge(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`update merges set undone_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
}

export type MergedContact = MergeableFields & { id: number };

/**
 * What is known of the contacts that a merge removed: those in the bin, and those restored. Oldest
 * first.
 */
export async function selectMerged(
  tx: TenantTx,
  workspaceId: number,
  { id, removalId }: Pick<MergeRow, 'id' | 'removalId'>,
): Promise<MergedContact[]> {
  const fields = sql.raw(
    'x.id, x.name, x.first_name as "firstName", x.last_name as "lastName", x.source, x.date, x.notes, x.attributes',
  );
  const { rows } = await sql<MergedContact>`
    select ${fields} from removed_contacts x
    where x.workspace_id = ${workspaceId} and x.removal_id = ${removalId}
    union all
    select ${fields} from merged_contacts k
    join contacts x on x.workspace_id = k.workspace_id and x.id = k.contact_id
    where k.workspace_id = ${workspaceId} and k.merge_id = ${id}
    order by id`.execute(tx);
  return rows;
}
