import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { StoredContact } from '../rules.ts';

type Fields = Pick<StoredContact, 'name' | 'source' | 'date' | 'notes' | 'attributes'> &
  Partial<Pick<StoredContact, 'firstName' | 'lastName'>>;

/**
 * Gives a contact the fields of a merge, or its own fields back. First and last name stay when they
 * are not mentioned.
 */
export async function updateFields(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  fields: Fields,
): Promise<boolean> {
  const attributes = fields.attributes === null ? null : JSON.stringify(fields.attributes);
  const { firstName, lastName } = fields;
  const { numAffectedRows } = await sql`
    update contacts set name = ${fields.name},
      first_name = ${firstName === undefined ? sql`first_name` : firstName},
      last_name = ${lastName === undefined ? sql`last_name` : lastName},
      source = ${fields.source}, date = ${fields.date}, notes = ${fields.notes},
      attributes = ${attributes}::jsonb, changed_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}
