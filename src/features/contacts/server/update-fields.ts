import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { StoredContact } from '../rules.ts';
/** Gives a contact the fields of a merge, or its own fields back. */
export async function updateFields(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  fields: Pick<StoredContact, 'name' | 'source' | 'date' | 'notes' | 'attributes'>,
): Promise<boolean> {
  const attributes = fields.attributes === null ? null : JSON.stringify(fields.attributes);
  const { numAffectedRows } = await sql`
    update contacts set name = ${fields.name}, source = ${fields.source}, date = ${fields.date}, notes = ${fields.notes},
      attributes = ${attributes}::jsonb, changed_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}
