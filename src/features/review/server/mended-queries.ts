import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/**
 * Records what an import mended on the way in as corrections, one for each pair of domains, so that
 * Review shows them and can undo them, and the same file brings nobody a second time. `table` has
 * the imported contacts: `id`, `local`, `domain`, `state`, `fate` (0: imported), `mended_from` (the
 * domain as the file has it) and `mended_state` (the state that address would have).
 */
export async function recordMended(
  tx: TenantTx,
  workspaceId: number,
  { rows: table, correctedBy }: { rows: string; correctedBy: string | null },
): Promise<void> {
  await sql`
    with made as (
      insert into corrections (workspace_id, contacts, corrected_by, from_domain, to_domain)
      select ${workspaceId}::bigint, count(*), ${correctedBy}, mended_from, domain
      from ${sql.ref(table)} where fate = 0 and state <> 2 and mended_from is not null
      group by mended_from, domain
      returning id, from_domain, to_domain
    )
    insert into corrected_contacts
      (workspace_id, correction_id, contact_id, old_local, old_domain, old_address, old_state, new_local, new_domain)
    select ${workspaceId}::bigint, made.id, r.id, r.local, r.mended_from,
      regexp_replace(r.address, '@[^@]*$', '@' || r.mended_from), r.mended_state, r.local, r.domain
    from ${sql.ref(table)} r join made on made.from_domain = r.mended_from and made.to_domain = r.domain
    where r.fate = 0 and r.state <> 2 and r.mended_from is not null`.execute(tx);
}

/** The addresses that were mended, as (from_local, from_domain, to_local, to_domain). */
export const mendedPairs = (table: string): Fragment => sql`
  select r.local as from_local, r.mended_from as from_domain, r.local as to_local, r.domain as to_domain
  from ${sql.ref(table)} r
  where r.fate = 0 and r.state <> 2 and r.mended_from is not null`;
