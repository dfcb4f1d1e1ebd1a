import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { AddressKey } from './queries.ts';

/**
 * If the old address is suppressed, by entry or by domain, puts the new address on the list with
 * the old entry's reason. `pairs` yields (from_local, from_domain, to_local, to_domain). Returns
 * what was added.
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
 * Where both addresses have an entry, gives that of the new address the old one's reason if it is
 * one of the person's and weightier (`withReason` says the same of one entry). Returns how many
 * entries changed, by their reasons.
 */
export async function raiseCarried(
  tx: TenantTx,
  workspaceId: number,
  pairs: RawBuilder<unknown>,
): Promise<{ was: string; now: string; entries: number }[]> {
  const weight = (reason: RawBuilder<unknown>) =>
    sql`coalesce(array_position(array['unsubscribed', 'complained', 'erased'], ${reason}), 0)`;
  const { rows } = await sql<{ was: string; now: string; entries: number }>`
    with weightier as (
      select distinct on (t.id) t.id, t.reason as was, s.reason as now,
        'Carried over from ' || p.from_local || '@' || p.from_domain as origin
      from (${pairs}) p
      join suppressions s on s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
      join suppressions t on t.workspace_id = ${workspaceId} and t.domain = p.to_domain and t.local = p.to_local
      where ${weight(sql`s.reason`)} > ${weight(sql`t.reason`)}
      order by t.id, ${weight(sql`s.reason`)} desc
    ), raised as (
      update suppressions t
      set reason = w.now, refuses_all = t.refuses_all or t.reason = 'bounced',
        note = concat_ws(', ', w.origin || '. On the list before: ' || w.was, t.note)
      from weightier w where t.workspace_id = ${workspaceId} and t.id = w.id
      returning w.was, w.now
    )
    select was, now, count(*)::int as entries from raised group by was, now order by was, now`.execute(tx);
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

/** The number of entries per reason, in the form that the lists' rollup takes. */
export const byReason = (entries: readonly { reason: string }[]): RawBuilder<unknown> => sql`
  select reason as part, count(*) as entries
  from unnest(${entries.map((entry) => entry.reason)}::text[]) as g (reason) group by reason`;
