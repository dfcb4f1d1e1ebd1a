import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { RemovalKind } from './removal-queries.ts';

/** What is recorded of one contact's past. Each finds its few rows by an index, however many contacts there are. */

/** The file of an import, and the email address of who imported it. */
export async function selectImportOf(
  tx: TenantTx,
  workspaceId: number,
  importId: number,
): Promise<{ fileName: string; by: string | null } | undefined> {
  const { rows } = await sql<{ fileName: string; by: string | null }>`
    select i.file_name as "fileName", coalesce(i.actor, u.email) as "by"
    from imports i left join users u on u.id = i.created_by::bigint
    where i.workspace_id = ${workspaceId} and i.id = ${importId}`.execute(tx);
  return rows[0];
}

export interface CorrectionRow {
  id: number;
  oldLocal: string;
  oldDomain: string;
  /** As it was written, where that differs. */
  oldAddress: string | null;
  oldState: number;
  newLocal: string;
  newDomain: string;
  by: string | null;
  at: Date;
  undoneAt: Date | null;
}

/** The newest corrections that a contact was part of, newest first. */
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

export interface ReturnRow {
  id: number;
  kind: RemovalKind;
  by: string | null;
  at: Date;
  restoredAt: Date | null;
  /** Of a merge: its number, and the contact that stayed with the address it has now. */
  mergeId: number | null;
  keptId: number | null;
  keptAddress: string | null;
}

/** The removals that a contact came back from: the last one, which the contact itself names, and these others. */
export async function selectReturns(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  others: readonly number[],
): Promise<ReturnRow[]> {
  const { rows } = await sql<ReturnRow>`
    select r.id, r.kind, r.removed_by as "by", r.created_at as at, r.restored_at as "restoredAt", m.id as "mergeId",
           m.kept_id as "keptId",
           coalesce(k.address, case when k.domain = '' then k.local else k.local || '@' || k.domain end) as "keptAddress"
    from removals r
    left join merges m on m.workspace_id = r.workspace_id and m.removal_id = r.id
    left join contacts k on k.workspace_id = m.workspace_id and k.id = m.kept_id
    where r.workspace_id = ${workspaceId} and r.id = any(${[...others]}::bigint[] || array(
      select c.restored_from from contacts c where c.workspace_id = ${workspaceId} and c.id = ${contactId}
    ))
    order by r.id desc`.execute(tx);
  return rows;
}
