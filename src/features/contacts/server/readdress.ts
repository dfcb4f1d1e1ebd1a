import { sql } from 'kysely';
import { noteEvents } from '#features/events/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
/**
 * Gives contacts other addresses and answers which contacts got theirs. `changes` yields (id,
 * local, domain, address, state) and whatever `only` needs. `only` is a condition on the contact
 * `c` and its change `n`. A unique violation (23505) means that somebody has just added one of the
 * addresses.
 */
export async function readdress(
  tx: TenantTx,
  workspaceId: number,
  changes: Fragment,
  only: Fragment = sql`true`,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update contacts c
    set local = n.local, domain = n.domain, address = n.address, state = n.state, changed_at = now()
    from (${changes}) n
    where c.workspace_id = ${workspaceId} and c.id = n.id and ${only}
    returning c.id`.execute(tx);
  const ids = rows.map((row) => row.id);
  if (ids.length > 0)
    await noteEvents(tx, workspaceId, [
      { type: 'contact.updated', data: { fields: ['email'] }, contactIds: ids },
    ]);
  return ids;
}
