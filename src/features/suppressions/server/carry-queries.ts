import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { AddressKey } from './queries.ts';

/**
 * Puts the new address of whoever is suppressed under the old one on the list, by entry or by
 * domain, with the old entry's reason. `pairs` yields (from_local, from_domain, to_local,
 * to_domain). Answers what was added.
 */
export async function insertCarried(
  tx: TenantTx,
  workspaceId: number,
  pairs: RawBuilder<unknown>,
  createdBy: string,
): Promise<(AddressKey & { reason: string })[]> {
  const { rows } = await sql<AddressKey & { reason: string }>`
    insert into suppressions (workspace_id, local, domain, reason, note, created_by)
    select distinct on (p.to_domain, p.to_local) ${workspaceId}::bigint, p.to_local, p.to_domain, coalesce(s.reason, 'manual'),
      'Carried over from ' || p.from_local || '@' || p.from_domain, ${createdBy}
    from (${pairs}) p
    left join suppressions s on s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
    where s.id is not null or exists (
      select from domain_suppressions d
      where d.workspace_id = ${workspaceId} and d.domain = any(domain_and_parents(p.from_domain))
    )
    order by p.to_domain, p.to_local
    on conflict (workspace_id, domain, local) do nothing
    returning local, domain, reason`.execute(tx);
  return rows;
}

/**
 * Gives the new addresses that a hashed list has their ordinary entries, like those of contacts
 * that come in. `pairs` as above. Answers what was added.
 */
export async function insertRecognised(
  tx: TenantTx,
  workspaceId: number,
  pairs: RawBuilder<unknown>,
): Promise<(AddressKey & { reason: string })[]> {
  const { rows } = await sql<AddressKey & { reason: string }>`
    insert into suppressions (workspace_id, local, domain, reason, note, created_at)
    select distinct on (p.to_domain, p.to_local) ${workspaceId}::bigint, p.to_local, p.to_domain, h.reason,
      'Known from a hashed list', h.created_at
    from (${pairs}) p cross join lateral hashed_suppressions(p.to_local, p.to_domain) h
    where p.to_domain <> ''
    order by p.to_domain, p.to_local, h.created_at
    on conflict (workspace_id, domain, local) do nothing
    returning local, domain, reason`.execute(tx);
  return rows;
}

/** How many entries there are of each reason, as the lists' rollup takes it. */
export const byReason = (entries: readonly { reason: string }[]): RawBuilder<unknown> => sql`
  select reason as part, count(*) as entries
  from unnest(${entries.map((entry) => entry.reason)}::text[]) as g (reason) group by reason`;
