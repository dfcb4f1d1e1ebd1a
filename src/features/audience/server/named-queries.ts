import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
/** True for these contacts `c`, however many. */
export const hasId = (ids: readonly number[]): Fragment => sql`c.id = any(${[...ids]}::bigint[])`;

/** The ids of those of these contacts that are there. */
export const namedContacts = (workspaceId: number, ids: readonly number[]): Fragment =>
  sql`select c.id from contacts c where c.workspace_id = ${workspaceId} and ${hasId(ids)}`;

/** How many contacts `c` there are for which a condition is true. */
export async function countContacts(tx: TenantTx, workspaceId: number, condition: Fragment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from contacts c where c.workspace_id = ${workspaceId} and ${condition}`.execute(tx);
  return rows[0]?.count ?? 0;
}
