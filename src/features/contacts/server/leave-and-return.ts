import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
/** Contacts' rows on their way to the bin and back. The bin keeps these columns of each. */
export const contactColumns = sql.raw(
  'id, local, domain, address, state, name, source, date, attributes, notes, import_id, created_at, changed_at',
);

/**
 * A statement to stand in a WITH: takes the contacts `c` out for which `chosen` is true, and yields
 * their columns with one more, such as why they went.
 */
export const takenOut = (workspaceId: number, chosen: Fragment, more: Fragment): Fragment => sql`
  delete from contacts c where c.workspace_id = ${workspaceId} and (${chosen})
  returning ${contactColumns}, ${more}`;

/**
 * Puts contacts back under their old ids and answers which came. `kept` yields `contactColumns` and
 * the removal that each was in, in the order of the identity key, like everything that adds
 * contacts, so that two that add the same ones do not wait in a circle. An address that exists
 * again stays as it is.
 */
export async function putBack(tx: TenantTx, kept: Fragment): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into contacts (${contactColumns}, restored_from, workspace_id) overriding system value
    ${kept}
    on conflict (workspace_id, domain, local) where state <> 2 do nothing
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}
