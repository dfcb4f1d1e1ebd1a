import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { applyDomainDeltas, countsTail, lockDomains, workspaceLiteral } from './rollup-queries.ts';

/**
 * How a change of the suppression list affects the rollups. The list itself belongs to the
 * suppressions feature.
 */

interface IdentityKey {
  /** Lower case. */
  local: string;
  /** ASCII, lower case. */
  domain: string;
}

/**
 * Counts contacts over to suppressed (`sign` 1: the keys were just put on the list) or back (-1:
 * just taken off). Pass only keys whose presence on the list has changed, each once: an array, or a
 * fragment that yields (domain, local). Takes the rollup lock exclusively. At most once per
 * transaction.
 */
export async function adjustForAddresses(
  tx: TenantTx,
  workspaceId: number,
  keys: readonly IdentityKey[] | RawBuilder<unknown>,
  sign: 1 | -1,
): Promise<void> {
  await lockDomains(tx, workspaceId, 'exclusive');
  const given =
    'toOperationNode' in keys
      ? keys
      : sql`select * from unnest(${keys.map((key) => key.domain)}::text[], ${keys.map((key) => key.local)}::text[])`;
  const count = (state: number) => sql`${sign}::int * count(*) filter (where c.state = ${state}::int)`;
  // Two branches, because copies are in a separate index.
  await applyDomainDeltas(
    tx,
    workspaceId,
    sql`
      with keys (domain, local) as materialized (${given})
      select c.domain, 0 as valid, 0 as invalid, 0 as duplicate, ${count(0)} as valid_suppressed,
             ${count(1)} as invalid_suppressed, 0 as duplicate_suppressed
      from keys join contacts c
        on c.workspace_id = ${workspaceId} and c.domain = keys.domain and c.local = keys.local and c.state <> 2
      group by c.domain
      union all
      select c.domain, 0, 0, 0, 0, 0, ${count(2)}
      from keys join contacts c
        on c.workspace_id = ${workspaceId} and c.domain = keys.domain and c.local = keys.local and c.state = 2
      group by c.domain`,
  );
}

/** True for `domain` itself and its subdomains. */
const isUnder = (column: string, domain: string) => {
  const name = sql.ref(column);
  return sql`(${name} = ${domain} or right(${name}, ${domain.length + 1}::int) = ${`.${domain}`})`;
};

const active = sql`valid - valid_suppressed`;
const invalid = sql`invalid - invalid_suppressed`;
const duplicate = sql`duplicate - duplicate_suppressed`;

/** Sets `blocked` on the rows that `where` picks and moves their counts to suppressed (or back). */
async function setBlocked(
  tx: TenantTx,
  workspaceId: number,
  blocked: boolean,
  where: RawBuilder<unknown>,
): Promise<void> {
  const sign = blocked ? 1 : -1;
  await sql`
    with changed as (
      update contact_domains set blocked = ${blocked}
      where workspace_id = ${workspaceId} and blocked <> ${blocked} and ${where}
      returning ${active} as active, ${invalid} as invalid, ${duplicate} as duplicate
    ),
    moved as (
      select coalesce(sum(-active), 0)::bigint * ${sign}::int as active,
             coalesce(sum(active + invalid + duplicate), 0)::bigint * ${sign}::int as suppressed,
             coalesce(sum(-invalid), 0)::bigint * ${sign}::int as invalid,
             coalesce(sum(-duplicate), 0)::bigint * ${sign}::int as duplicate,
             0::bigint as domains
      from changed
    ),${sql.raw(countsTail(workspaceLiteral(workspaceId), {}))}`.execute(tx);
}

/**
 * Suppresses the contacts of a domain (ASCII, lower case) that was just put on the list, and of its
 * subdomains. Answers how many there are. Takes the rollup lock exclusively.
 */
export async function blockDomain(tx: TenantTx, workspaceId: number, domain: string): Promise<number> {
  await lockDomains(tx, workspaceId, 'exclusive');
  await setBlocked(tx, workspaceId, true, isUnder('domain', domain));
  return (await affectedCounts(tx, workspaceId, [domain])).get(domain) ?? 0;
}

/**
 * The reverse, for a domain that was just taken off the list. What another entry (a parent, a
 * subdomain) covers stays suppressed. Takes the rollup lock exclusively.
 */
export async function unblockDomain(tx: TenantTx, workspaceId: number, domain: string): Promise<void> {
  await lockDomains(tx, workspaceId, 'exclusive');
  await setBlocked(
    tx,
    workspaceId,
    false,
    sql`${isUnder('domain', domain)} and not exists (
      select from domain_suppressions s
      where s.workspace_id = ${workspaceId} and s.domain = any(domain_and_parents(contact_domains.domain))
    )`,
  );
}

/** The contacts' domains that one of the given domains covers. `domains` yields (domain). */
const coveredBy = (workspaceId: number, domains: RawBuilder<unknown>) => sql`
  domain in (
    select d.domain from contact_domains d
    cross join lateral unnest(domain_and_parents(d.domain)) as parent (name)
    join (${domains}) given on given.domain = parent.name
    where d.workspace_id = ${workspaceId}
  )`;

/**
 * Like `blockDomain`, for many domains that were just put on the list, as one set. `domains` yields
 * (domain).
 */
export async function blockDomains(
  tx: TenantTx,
  workspaceId: number,
  domains: RawBuilder<unknown>,
): Promise<void> {
  await lockDomains(tx, workspaceId, 'exclusive');
  await setBlocked(tx, workspaceId, true, coveredBy(workspaceId, domains));
}

/**
 * Like `unblockDomain`, for many domains that were just taken off the list, as one set. `domains`
 * yields (domain).
 */
export async function unblockDomains(
  tx: TenantTx,
  workspaceId: number,
  domains: RawBuilder<unknown>,
): Promise<void> {
  await lockDomains(tx, workspaceId, 'exclusive');
  await setBlocked(
    tx,
    workspaceId,
    false,
    sql`${coveredBy(workspaceId, domains)} and not exists (
      select from domain_suppressions s
      where s.workspace_id = ${workspaceId} and s.domain = any(domain_and_parents(contact_domains.domain))
    )`,
  );
}

/** How many contacts a domain and its subdomains have, and how many of them are suppressed. */
export async function contactsUnder(
  tx: TenantTx,
  workspaceId: number,
  domain: string,
): Promise<{ contacts: number; suppressed: number }> {
  const { rows } = await sql<{ contacts: number; suppressed: number }>`
    select coalesce(sum(valid + invalid + duplicate), 0)::bigint as contacts,
           coalesce(sum(case when blocked then valid + invalid + duplicate
             else valid_suppressed + invalid_suppressed + duplicate_suppressed end), 0)::bigint as suppressed
    from contact_domains where workspace_id = ${workspaceId} and ${isUnder('domain', domain)}`.execute(tx);
  return rows[0] ?? { contacts: 0, suppressed: 0 };
}

/**
 * How many contacts each of these suppressed domains covers now, including its subdomains. Reads
 * blocked domains only.
 */
export async function affectedCounts(
  tx: TenantTx,
  workspaceId: number,
  domains: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ domain: string; contacts: number }>`
    select parent.name as domain, sum(d.valid + d.invalid + d.duplicate)::bigint as contacts
    from contact_domains d
    cross join lateral (select distinct name from unnest(domain_and_parents(d.domain)) as any_parent (name)) parent
    where d.workspace_id = ${workspaceId} and d.blocked and parent.name = any(${[...domains]}::text[])
    group by parent.name`.execute(tx);
  const counts = new Map(domains.map((domain) => [domain, 0]));
  for (const row of rows) counts.set(row.domain, row.contacts);
  return counts;
}
