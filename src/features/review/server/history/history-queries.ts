import { sql } from 'kysely';
import { cannotComeBack } from '#features/bin/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { undoneFirst } from '../merge-queries.ts';

/** Past decisions of a review: corrections and merges, which belong to the contacts. */

export interface DecisionRow {
  kind: 'correction' | 'merge';
  id: number;
  contacts: number;
  from: string | null;
  to: string | null;
  keptId: number | null;
  removalId: number | null;
  keptAddress: string | null;
  by: string | null;
  createdAt: Date;
  undoneAt: Date | null;
  /** For a merge: what it removed has left the bin for good, or may at any moment. */
  isExpired: boolean;
  /** For a merge: the later one that has to be undone before. */
  undoFirst: number | null;
}

/**
 * One page of corrections and merges, newest first. Each kind yields no more than the page can
 * need, by its own index.
 */
export async function selectDecisions(
  tx: TenantTx,
  workspaceId: number,
  { skip, take }: { skip: number; take: number },
  binDays: number,
): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select d.kind, d.id, coalesce(d.contacts, m.contacts, 0) as contacts, d.from_domain as "from", d.to_domain as "to",
           d.kept_id as "keptId", d.removal_id as "removalId", k.local || '@' || k.domain as "keptAddress", d.by,
           d.created_at as "createdAt", d.undone_at as "undoneAt",
           coalesce(${cannotComeBack(binDays)}, d.kind = 'merge') as "isExpired",
           case when d.undone_at is null then ${undoneFirst(workspaceId, sql`d.kept_id`, sql`d.id`)} end as "undoFirst"
    from (
      (select 'correction' as kind, id, contacts, from_domain, to_domain, null::bigint as kept_id,
              null::bigint as removal_id, corrected_by as by, created_at, undone_at
       from corrections where workspace_id = ${workspaceId} order by created_at desc, id desc limit ${skip + take})
      union all
      (select 'merge', id, null, null, null, kept_id, removal_id, merged_by, created_at, undone_at
       from merges where workspace_id = ${workspaceId} order by created_at desc, id desc limit ${skip + take})
    ) d
    left join removals m on m.workspace_id = ${workspaceId} and m.id = d.removal_id
    left join contacts k on k.workspace_id = ${workspaceId} and k.id = d.kept_id
    order by d.created_at desc, d.kind, d.id desc offset ${skip} limit ${take}`.execute(tx);
  return rows;
}

/** How many corrections and merges there are. */
export async function countDecisions(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from corrections where workspace_id = ${workspaceId})
         + (select count(*) from merges where workspace_id = ${workspaceId}) as count`.execute(tx);
  return rows[0]?.count ?? 0;
}

export interface DecisionSample {
  of: number;
  id: number;
  before: string;
  after: string;
}

/** The first few contacts of each of these corrections, before and after. */
export async function selectCorrectionSamples(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
  each: number,
): Promise<DecisionSample[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<DecisionSample>`
    select c.id as of, one.*
    from unnest(${[...ids]}::bigint[]) as c (id)
    cross join lateral (
      select k.contact_id as id, k.old_local || '@' || k.old_domain as before, k.new_local || '@' || k.new_domain as after
      from corrected_contacts k where k.workspace_id = ${workspaceId} and k.correction_id = c.id
      order by k.contact_id limit ${each}
    ) one`.execute(tx);
  return rows;
}

/** The first few contacts in the bin for each of these removals. */
export async function selectMergeSamples(
  tx: TenantTx,
  workspaceId: number,
  removalIds: readonly number[],
  each: number,
): Promise<Omit<DecisionSample, 'after'>[]> {
  if (removalIds.length === 0) return [];
  const { rows } = await sql<Omit<DecisionSample, 'after'>>`
    select r.id as of, one.*
    from unnest(${[...removalIds]}::bigint[]) as r (id)
    cross join lateral (
      select b.id, b.local || '@' || b.domain as before from removed_contacts b
      where b.workspace_id = ${workspaceId} and b.removal_id = r.id order by b.id limit ${each}
    ) one`.execute(tx);
  return rows;
}

/** How many contacts a correction has. Undefined when the workspace has no such correction. */
export async function selectCorrectionSize(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ contacts: number }>`
    select contacts from corrections where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return rows[0]?.contacts;
}

/** One page of a correction's contacts: the address before, after, and now. */
export async function selectCorrectedContacts(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  page: { skip: number; take: number },
): Promise<{ id: number; before: string; after: string; now: string | null }[]> {
  const { rows } = await sql<{ id: number; before: string; after: string; now: string | null }>`
    select k.contact_id as id, k.old_local || '@' || k.old_domain as before, k.new_local || '@' || k.new_domain as after,
           c.local || '@' || c.domain as now
    from (
      select * from corrected_contacts where workspace_id = ${workspaceId} and correction_id = ${id}
      order by contact_id offset ${page.skip} limit ${page.take}
    ) k
    left join contacts c on c.workspace_id = k.workspace_id and c.id = k.contact_id
    order by k.contact_id`.execute(tx);
  return rows;
}
