import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { SuppressionReason } from '../contract.ts';
import type { AddressKey } from './queries.ts';

/**
 * Entries that cover one address, on the lists and taken off them. Each query uses an index. The
 * domains are its own and its parents.
 */

export interface CoveringEntry {
  id: number;
  /** Null for an entry of the address itself. */
  onDomain: string | null;
  reason: SuppressionReason;
  note: string | null;
  by: string | null;
  at: Date;
  fileName: string | null;
}

/** The entries on the lists now. */
export async function selectEntriesOver(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
): Promise<CoveringEntry[]> {
  const columns = sql`id, reason, note, created_by as "by", created_at as at, batch_id`;
  const { rows } = await sql<CoveringEntry>`
    select e.id, e."onDomain", e.reason, e.note, e."by", e.at, b.file_name as "fileName"
    from (
      select null::text as "onDomain", ${columns} from suppressions
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
      union all
      select domain, ${columns} from domain_suppressions
      where workspace_id = ${workspaceId} and domain = any(domain_and_parents(${domain}))
    ) e
    left join suppression_batches b on b.workspace_id = ${workspaceId} and b.id = e.batch_id`.execute(tx);
  return rows;
}

export interface LiftedEntry extends CoveringEntry {
  liftingId: number;
  liftedBy: string | null;
  why: string | null;
  liftedAt: Date;
  undoneAt: Date | null;
}

/** The newest entries that were taken off and can still be put back. */
export async function selectLiftedEntriesOver(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
  limit: number,
): Promise<LiftedEntry[]> {
  const { rows } = await sql<LiftedEntry>`
    select e.id, case when e.local is null then e.domain end as "onDomain", e.reason, e.note, e.created_by as "by",
           e.created_at as at, b.file_name as "fileName", l.id as "liftingId", l.lifted_by as "liftedBy", l.why,
           l.created_at as "liftedAt", l.undone_at as "undoneAt"
    from (
      select * from lifted_suppressions
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
      union all
      select * from lifted_suppressions
      where workspace_id = ${workspaceId} and domain = any(domain_and_parents(${domain})) and local is null
    ) e
    join suppression_liftings l on l.workspace_id = ${workspaceId} and l.id = e.lifting_id
    left join suppression_batches b on b.workspace_id = ${workspaceId} and b.id = e.batch_id
    order by l.id desc limit ${limit}`.execute(tx);
  return rows;
}
