import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
export interface CorrectionRow {
  id: number;
  oldLocal: string;
  oldDomain: string;
  /** As it was written, if that differs. */
  oldAddress: string | null;
  oldState: number;
  newLocal: string;
  newDomain: string;
  by: string | null;
  at: Date;
  undoneAt: Date | null;
}

/** The newest corrections that include a contact, newest first. */
export async function selectCorrectionsOf(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  limit: number,
): Promise<CorrectionRow[]> {
  const { rows } = await sql<CorrectionRow>`
    select c.id, k.old_local as "oldLocal", k.old_domain as "oldDomain", k.old_address as "oldAddress",
           k.old_state as "oldState", k.new_local as "newLocal", k.new_domain as "newDomain", c.corrected_by as "by",
           c.created_at as at, c.undone_at as "undoneAt"
    from corrected_contacts k join corrections c on c.workspace_id = k.workspace_id and c.id = k.correction_id
    where k.workspace_id = ${workspaceId} and k.contact_id = ${contactId}
    order by k.correction_id desc limit ${limit}`.execute(tx);
  return rows;
}

export interface MergeIntoRow {
  id: number;
  contacts: number;
  by: string | null;
  at: Date;
  undoneAt: Date | null;
}

/** The newest merges of others into a contact, newest first. */
export async function selectMergesInto(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  limit: number,
): Promise<MergeIntoRow[]> {
  const { rows } = await sql<MergeIntoRow>`
    select m.id, r.contacts, m.merged_by as "by", m.created_at as at, m.undone_at as "undoneAt"
    from merges m join removals r on r.workspace_id = m.workspace_id and r.id = m.removal_id
    where m.workspace_id = ${workspaceId} and m.kept_id = ${contactId}
    order by m.id desc limit ${limit}`.execute(tx);
  return rows;
}
