import { sql } from 'kysely';
import type { Database, TenantTx } from '#platform/server/database.ts';

const pieceToPurge = 50_000;

/** Forgets what was said of contacts that have left the bin for good. */
export async function purge(
  db: Database,
  workspaceId: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after = 0;
  while (!signal?.aborted) {
    const last = await db.asTenant(workspaceId, (tx) => forgetGone(tx, workspaceId, after));
    if (last === null) return;
    after = last;
  }
}

/**
 * Looks at the history of the next contacts. Answers the last of them; null when there are no more.
 */
async function forgetGone(tx: TenantTx, workspaceId: number, after: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with next as materialized (
      select f.contact_id from former_bases f
      where f.workspace_id = ${workspaceId} and f.contact_id > ${after}
      order by f.contact_id limit ${pieceToPurge}
    ),
    gone as (
      delete from former_bases f
      where f.workspace_id = ${workspaceId} and f.contact_id = any(array(
        select s.contact_id from next s
        where not exists (select from contacts c where c.workspace_id = ${workspaceId} and c.id = s.contact_id)
          and not exists (
            select from removed_contacts r where r.workspace_id = ${workspaceId} and r.id = s.contact_id
          )
      ))
    )
    select max(contact_id) as last from next`.execute(tx);
  return rows[0]?.last ?? null;
}
