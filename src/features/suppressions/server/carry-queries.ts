import { type RawBuilder, sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { givenByHashes } from './hash-queries.ts';
import type { AddressKey } from './queries.ts';
import { changesOfRaised, isOwnersAlone, raising } from './reason-queries.ts';

/**
 * True if the entry `s` of the old address of `p` is about the new one too. A bounce is about a
 * mailbox, and the new address is another one as a rule.
 */
const goesAlong: Fragment = sql`(s.reason <> 'bounced' or p.is_same_mailbox)`;

/** The note of an entry. It does not name the old address, whose owner may want to be forgotten. */
const carriedOver: Fragment = sql`'Carried over from another address'`;

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
      ${carriedOver}, ${createdBy}
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
    insert into suppressions (workspace_id, local, domain, reason, refuses_all, note, created_at, by_others)
    select distinct on (p.to_domain, p.to_local) ${workspaceId}::bigint, p.to_local, p.to_domain, h.reason, h.refuses_all,
      'Known from a hashed list', h.created_at, true
    from (${pairs}) p cross join lateral hashed_suppressions(p.to_local, p.to_domain) h
    where p.to_domain <> ''
    order by p.to_domain, p.to_local, reason_weight(h.reason) desc, h.created_at
    on conflict (workspace_id, domain, local) do nothing
    returning local, domain, reason`.execute(tx);
  return rows;
}

/**
 * What the old addresses of `pairs` give to the new ones: (local, domain, reason, note). A bounce
 * that stands behind another reason goes along within a mailbox, too.
 */
export const givenByPairs = (workspaceId: number, pairs: Fragment): Fragment => {
  const given = (reason: Fragment, which: Fragment) => sql`
    select p.to_local as local, p.to_domain as domain, ${reason} as reason,
      ${carriedOver} as note
    from (${pairs}) p
    join suppressions s on s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
    where ${which}`;
  return sql`
    ${given(sql`s.reason`, goesAlong)}
    union all ${given(sql`'bounced'`, sql`s.refuses_all and p.is_same_mailbox`)}`;
};

/** The new addresses of those old ones for which others than their owners have reasons. */
export const pairsOfOthers = (workspaceId: number, pairs: Fragment): Fragment => sql`
  select p.to_local as local, p.to_domain as domain from (${pairs}) p
  where exists (
    select from suppressions s
    where s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
      and ${goesAlong} and not ${isOwnersAlone('s')}
  ) or exists (
    select from domain_suppressions d
    where d.workspace_id = ${workspaceId} and d.domain = any(domain_and_parents(p.from_domain))
  )`;

/** The sets `pairs` and `blocked`: those of their old domains that are suppressed as a whole. */
const pairsAndBlocked = (workspaceId: number, pairs: Fragment): Fragment => sql`
    pairs as materialized (${pairs}),
    blocked as materialized (
      select f.domain from (select distinct from_domain as domain from pairs) f
      where exists (
        select from domain_suppressions d
        where d.workspace_id = ${workspaceId} and d.domain = any(domain_and_parents(f.domain))
      )
    )`;

const oldAddresses: Fragment = sql`select from_local as local, from_domain as domain from pairs`;

/** Whether `carryMany` would put anybody on the list, or make an entry say more. */
export async function anyToCarry(
  tx: TenantTx,
  workspaceId: number,
  pairs: Fragment,
  { isHashed }: { isHashed: boolean },
): Promise<boolean> {
  const byHashes = sql`
    or exists (select from (${givenByHashes(workspaceId, oldAddresses)}) h where h.reason <> 'bounced')`;
  const { rows } = await sql<{ any: boolean }>`
    with ${pairsAndBlocked(workspaceId, pairs)}
    select exists (select from blocked) or exists (
      select from pairs p
      -- One by one: pairs have no statistics, and the list may be long.
      cross join lateral (
        select from suppressions s
        where s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
          and s.reason <> 'bounced'
        offset 0
      ) told
    ) ${isHashed ? byHashes : sql``} as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/**
 * Puts the new addresses of a whole import on the list where the old ones are suppressed, by entry,
 * by domain or, with `isHashed`, by a hash: a file has addresses that were never a contact's. The
 * new ones that are there already say from then on what the old ones say. A bounce does not go
 * along. `pairs` yields (from_local, from_domain, to_local, to_domain). Returns by reason how many
 * entries there are more, or fewer.
 */
export async function carryMany(
  tx: TenantTx,
  workspaceId: number,
  pairs: Fragment,
  { createdBy, isHashed }: { createdBy: string | null; isHashed: boolean },
): Promise<{ part: string; entries: number }[]> {
  const given = (reason: Fragment, from: Fragment) => sql`
    select p.to_local as local, p.to_domain as domain, ${reason} as reason,
      ${carriedOver} as note
    from pairs p ${from}`;
  const byHashes = sql`
    union all ${given(
      sql`h.reason`,
      sql`join (${givenByHashes(workspaceId, oldAddresses)}) h on h.domain = p.from_domain and h.local = p.from_local
        where h.reason <> 'bounced'`,
    )}`;
  const { rows } = await sql<{ part: string; entries: number }>`
    with ${pairsAndBlocked(workspaceId, pairs)},
    told as materialized (
      ${given(
        sql`s.reason`,
        sql`join suppressions s
          on s.workspace_id = ${workspaceId} and s.domain = p.from_domain and s.local = p.from_local
          where s.reason <> 'bounced'`,
      )}
      union all ${given(sql`'manual'`, sql`join blocked on blocked.domain = p.from_domain`)}
      ${isHashed ? byHashes : sql``}
    ),
    made as (
      insert into suppressions (workspace_id, local, domain, reason, note, created_by)
      select distinct on (domain, local) ${workspaceId}::bigint, local, domain, reason, note, ${createdBy}
      from told order by domain, local, reason_weight(reason) desc, reason
      on conflict (workspace_id, domain, local) do nothing returning reason
    ),
    ${raising(workspaceId, sql`select * from told`)}
    select part, sum(change)::int as entries
    from (select reason as part, 1 as change from made union all ${changesOfRaised}) changes
    group by part having sum(change) <> 0 order by part`.execute(tx);
  return rows;
}

/** The newest entry's number, 0 where there is none. */
export async function newestEntry(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0)::bigint as id from suppressions where workspace_id = ${workspaceId}`.execute(
    tx,
  );
  return rows[0]?.id ?? 0;
}

/** The addresses of the entries after the one with this number: (domain, local). */
export const addressesSince = (workspaceId: number, entryId: number): RawBuilder<unknown> =>
  sql`select domain, local from suppressions where workspace_id = ${workspaceId} and id > ${entryId}`;

/** How many there are, and the first hundred of them. */
export async function selectSince(
  tx: TenantTx,
  workspaceId: number,
  entryId: number,
): Promise<{ added: number; first: AddressKey[] }> {
  const { rows } = await sql<AddressKey & { added: number }>`
    select local, domain, count(*) over () as added from suppressions
    where workspace_id = ${workspaceId} and id > ${entryId} order by id limit 100`.execute(tx);
  return { added: rows[0]?.added ?? 0, first: rows.map(({ local, domain }) => ({ local, domain })) };
}

/** The number of entries per reason, in the form that the lists' rollup takes. */
export const byReason = (entries: readonly { reason: string }[]): RawBuilder<unknown> => sql`
  select reason as part, count(*) as entries
  from unnest(${entries.map((entry) => entry.reason)}::text[]) as g (reason) group by reason`;
