import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { RemovalKind } from './removal-queries.ts';
export interface ReturnRow {
  id: number;
  kind: RemovalKind;
  by: string | null;
  at: Date;
  /**
   * When the contact came back from it. Of one that came back in an earlier version: when the last
   * of its removal did.
   */
  restoredAt: Date | null;
  /** For a merge: its number, and the contact that stayed, with its current address. */
  mergeId: number | null;
  keptId: number | null;
  keptAddress: string | null;
}

/**
 * The removals that a contact came back from: the last one, which the contact itself names, and
 * these others.
 */
export async function selectReturns(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  others: readonly number[],
): Promise<ReturnRow[]> {
  const { rows } = await sql<ReturnRow>`
    select r.id, r.kind, r.removed_by as "by", r.created_at as at,
           coalesce(c.restored_at, r.restored_at) as "restoredAt", m.id as "mergeId", m.kept_id as "keptId",
           coalesce(k.address, case when k.domain = '' then k.local else k.local || '@' || k.domain end) as "keptAddress"
    from removals r
    left join contacts c on c.workspace_id = r.workspace_id and c.id = ${contactId} and c.restored_from = r.id
    left join merges m on m.workspace_id = r.workspace_id and m.removal_id = r.id
    left join contacts k on k.workspace_id = m.workspace_id and k.id = m.kept_id
    where r.workspace_id = ${workspaceId} and r.id = any(${[...others]}::bigint[] || array(
      select c.restored_from from contacts c where c.workspace_id = ${workspaceId} and c.id = ${contactId}
    ))
    order by r.id desc`.execute(tx);
  return rows;
}
