import { type RawBuilder, sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { AddressKey } from './queries.ts';

/**
 * True if the entry `s` of the old address of `p` is about the new one too. A bounce is about a
 * mailbox, and the new address is another one as a rule.
 */
const goesAlong: Fragment = sql`(s.reason <> 'bounced' or p.is_same_mailbox)`;

/**
 * If the old address is suppressed, by entry or by domain, puts the new address on the list with
 * the old entry's reason, the weightiest of several. `pairs` yields (from_local, from_domain,
 * to_local, to_domain, is_same_mailbox). Returns what was added.
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
      and ${goesAlong}
    where s.id is not null or exists (
      select from domain_suppressions d
      where d.workspace_id = ${workspaceId} and d.domain = any(domain_and_parents(p.from_domain))
    )
    order by p.to_domain, p.to_local, reason_weight(s.reason) desc, p.from_domain, p.from_local
    on conflict (workspace_id, domain, local) do nothing
    returning local, domain, reason`.execute(tx);
  return rows;
}

/**
 * If a hashed list contains a new address, gives it an ordinary entry, as for new contacts. `pairs`
 * as above. Returns what was added.
 */
export async function insertRecognised(
  tx: TenantTx,
  workspaceId: number,
  pairs: RawBuilder<unknown>,
): Promise<(AddressKey & { reason: string })[]> {
  const { rows } = await sql<AddressKey & { reason: string }>`
    insert into suppressions (workspace_id, local, domain, reason, refuses_all, note, created_at)
    select distinct on (p.to_domain, p.to_local) ${workspaceId}::bigint, p.to_local, p.to_domain, h.reason, h.refuses_all,
      'Known from a hashed list', h.created_at
    from (${pairs}) p cross join lateral hashed_suppressions(p.to_local, p.to_domain) h
    where p.to_domain <> ''
    order by p.to_domain, p.to_local, reason_weight(h.reason) desc, h.created_at
    on conflict (workspace_id, domain, local) do nothing
    returning local, domain, reason`.execute(tx);
  return rows;
}

/** What the old addresses of `pairs` give to the new ones: (local, domain, reason, note). */
export const givenByPairs = (workspaceId: number, pairs: Fragment): Fragment => sql`
  select p.to_local as local, p.to_domain as domain, s.reason,
    'Carried over from ' || p.from_local || '@' || p.from_domain as note
  from (${pairs}) p
  join suppressions s on s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
  where ${goesAlong}`;

/** The number of entries per reason, in the form that the lists' rollup takes. */
export const byReason = (entries: readonly { reason: string }[]): RawBuilder<unknown> => sql`
  select reason as part, count(*) as entries
  from unnest(${entries.map((entry) => entry.reason)}::text[]) as g (reason) group by reason`;
