import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
/** Moves contacts' rows to the bin and back. The bin keeps these columns of each. */
export const contactColumns = sql.raw(
  'id, local, domain, address, state, name, source, date, attributes, notes, import_id, created_at, changed_at, first_name, last_name',
);

/**
 * A statement for a WITH: removes the contacts `c` for which `chosen` is true, and yields their
 * columns plus one more, such as why they were removed.
 */
export const takenOut = (workspaceId: number, chosen: Fragment, more: Fragment): Fragment => sql`
  delete from contacts c where c.workspace_id = ${workspaceId} and (${chosen})
  returning ${contactColumns}, ${more}`;

/**
 * Puts contacts back under their old ids and answers which ones came back. `kept` yields
 * `contactColumns` and each contact's removal, in the order of the identity key. Everything that
 * adds contacts uses this order, so two transactions adding the same ones cannot deadlock. An
 * address that exists again stays as it is.
 */
export async function putBack(tx: TenantTx, kept: Fragment): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into contacts (${contactColumns}, restored_from, workspace_id, restored_at) overriding system value
    select kept.*, now() from (${kept}) kept
    on conflict (workspace_id, domain, local) where state <> 2 do nothing
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}
