import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
/**
 * What is recorded about one contact's past. Each query finds its few rows by an index, however
 * many contacts there are.
 */

/** The file of an import, and the email address of the person who imported it. */
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

/** The contact's address when it was added, if it was corrected since. */
export async function selectFirstState(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ state: number }>`
    select old_state as state from corrected_contacts
    where workspace_id = ${workspaceId} and contact_id = ${contactId}
    order by correction_id limit 1`.execute(tx);
  return rows[0]?.state;
}
