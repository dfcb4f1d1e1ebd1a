import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { type LockMode, takeLock } from '#platform/server/locks.ts';
import { figuresLock } from './locks.ts';

/**
 * The rollups `contact_domains`, `contact_counts`, `contact_counts_daily` and `uk_counts`. They are
 * updated in the transaction that changes what they count.
 *
 * A contact counts as suppressed when its address is on the list or its domain is blocked. Both
 * sides hold one advisory lock per workspace, so that no contact slips between a change of the list
 * and a change of the contacts. Whoever adds or removes contacts holds it shared, and does not wait
 * for others that do the same. Whoever changes the list holds it exclusively. Take it
 * (`lockDomains`) before the statement that reads the other side, and keep it to the end.
 */

/**
 * Takes the workspace's rollup lock until the transaction ends: `shared` to change contacts,
 * `exclusive` to change the suppression list.
 */
export const lockDomains = (tx: TenantTx, workspaceId: number, mode: LockMode): Promise<void> =>
  takeLock(tx, figuresLock, workspaceId, mode);

/**
 * Blocks adding, removing and changing contacts until the transaction ends, for changes of the
 * suppression list. Takes the rollup lock exclusively.
 */
export const holdFigures = (tx: TenantTx, workspaceId: number): Promise<void> =>
  lockDomains(tx, workspaceId, 'exclusive');

/** The seven columns that every delta yields. All but the first are signed numbers. */
export const deltaColumns =
  'domain, valid, invalid, duplicate, valid_suppressed, invalid_suppressed, duplicate_suppressed';

interface DeltaOptions {
  /**
   * Marks this change as an import. The number of active contacts just before it is kept for the
   * dashboard's percentage.
   */
  isImport?: boolean;
}

/**
 * The id as literal text, which is safe because it is a whole number. This gives a plan for this
 * workspace and leaves the parameter numbers to the caller.
 */
export function workspaceLiteral(workspaceId: number): string {
  if (!Number.isSafeInteger(workspaceId) || workspaceId <= 0)
    throw new RangeError(`no workspace ${workspaceId}`);
  return String(workspaceId);
}

const sums = [
  'valid',
  'invalid',
  'duplicate',
  'valid_suppressed',
  'invalid_suppressed',
  'duplicate_suppressed',
];

/**
 * The last part of every rollup statement. Adds `moved`, one row of signed numbers, to the counts
 * and to today's line: that of the moment, since an import may have begun before midnight.
 */
export function countsTail(workspaceId: string, options: DeltaOptions): string {
  return `
counts as (
  insert into contact_counts as c (workspace_id, active, suppressed, invalid, duplicate, domains, active_before_import)
  select ${workspaceId}, active, suppressed, invalid, duplicate, domains, ${options.isImport ? '0' : 'null::bigint'} from moved
  on conflict (workspace_id) do update set
    active = c.active + excluded.active,
    suppressed = c.suppressed + excluded.suppressed,
    invalid = c.invalid + excluded.invalid,
    duplicate = c.duplicate + excluded.duplicate,
    domains = c.domains + excluded.domains,
    ${options.isImport ? 'active_before_import = c.active,' : ''}
    updated_at = now()
  returning c.active, c.suppressed, c.invalid, c.domains
)
insert into contact_counts_daily as d (workspace_id, day, active, suppressed, invalid, domains)
select ${workspaceId}, (clock_timestamp() at time zone 'Europe/London')::date, active, suppressed, invalid, domains from counts
on conflict (workspace_id, day) do update set
  active = excluded.active, suppressed = excluded.suppressed, invalid = excluded.invalid, domains = excluded.domains`;
}

/**
 * The SQL before and after the delta. The upsert takes its rows in the order of their domains, so
 * two of these never deadlock. For the same reason a transaction runs it only once. What a domain
 * adds to the counts follows from its delta and from `blocked`. Only whether the domain has become
 * used or unused needs the new total. The upsert returns that total, whoever else has just changed
 * the row.
 */
function deltaFrame(workspaceId: number, options: DeltaOptions): [head: string, tail: string] {
  const id = workspaceLiteral(workspaceId);
  const head = 'with given as (';
  const tail = `),
delta as materialized (
  select domain, ${sums.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
  from given group by domain
  having ${sums.map((name) => `sum(${name}) <> 0`).join(' or ')}
),
covered as materialized (
  select distinct delta.domain
  from delta cross join lateral unnest(domain_and_parents(delta.domain)) as parent (name)
  join domain_suppressions s on s.workspace_id = ${id} and s.domain = parent.name
  where exists (select from domain_suppressions where workspace_id = ${id})
),
changed as (
  insert into contact_domains as d (workspace_id, ${deltaColumns}, blocked)
  select ${id}, ${deltaColumns}, domain in (select domain from covered)
  from delta order by domain
  on conflict (workspace_id, domain) do update set
    ${sums.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')}
  returning d.domain, d.blocked, d.valid + d.invalid + d.duplicate as total
),
-- Grouped, not joined: the planner takes both for a handful of rows and would loop over one
-- inside the other.
each_domain as (
  select domain, bool_or(blocked) as blocked, max(total) as total,
         ${sums.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
  from (
    select domain, blocked, total, ${sums.map((name) => `0::bigint as ${name}`).join(', ')} from changed
    union all
    select domain, null, null, ${sums.join(', ')} from delta
  ) both_sides
  group by domain
),
moved as (
  select
    coalesce(sum(valid - valid_suppressed) filter (where not blocked), 0)::bigint as active,
    coalesce(sum(case when blocked then valid + invalid + duplicate
      else valid_suppressed + invalid_suppressed + duplicate_suppressed end), 0)::bigint as suppressed,
    coalesce(sum(invalid - invalid_suppressed) filter (where not blocked), 0)::bigint as invalid,
    coalesce(sum(duplicate - duplicate_suppressed) filter (where not blocked), 0)::bigint as duplicate,
    coalesce(sum((total > 0)::int - (total - valid - invalid - duplicate > 0)::int) filter (where domain <> ''), 0)::bigint
      as domains
  from each_domain
),${countsTail(id, options)}`;
  return [head, tail];
}

/**
 * The one statement that updates all rollups. `delta` is a SELECT that yields `deltaColumns`, any
 * number of rows per domain. Its parameters keep their numbers. Run it at most once per
 * transaction, after `lockDomains(…, 'shared')`, and with suppression flags read after that lock
 * was taken.
 */
export function domainDeltaStatement(workspaceId: number, delta: string, options: DeltaOptions = {}): string {
  const [head, tail] = deltaFrame(workspaceId, options);
  return head + delta + tail;
}

/**
 * The same for an import without any suppressed contact. `sums` is a table with one row per domain
 * that counts new contacts only, so nothing needs summing again. A domain has become used when its
 * total equals what was added.
 */
export function unsuppressedSumsStatement(workspaceId: number, sums: string): string {
  const id = workspaceLiteral(workspaceId);
  return `
with changed as (
  insert into contact_domains as d (workspace_id, domain, valid, invalid, duplicate)
  select ${id}, domain, valid, invalid, duplicate from ${sums} order by domain
  on conflict (workspace_id, domain) do update set
    valid = d.valid + excluded.valid, invalid = d.invalid + excluded.invalid, duplicate = d.duplicate + excluded.duplicate
  returning d.domain, d.valid + d.invalid + d.duplicate as total
),
moved as (
  select ${addedSums},
    count(*) filter (where s.domain <> '' and changed.total = s.valid + s.invalid + s.duplicate) as domains
  from ${sums} s join changed on changed.domain = s.domain
),${countsTail(id, { isImport: true })}`;
}

const addedSums = `
    coalesce(sum(s.valid), 0)::bigint as active, 0::bigint as suppressed,
    coalesce(sum(s.invalid), 0)::bigint as invalid, coalesce(sum(s.duplicate), 0)::bigint as duplicate`;

/**
 * Adds the domains of an import that the workspace does not have yet, in the order of the domains
 * like everybody. A plain insert takes half the time of an upsert, which writes each new row twice.
 * Fails with 23505 where somebody has added one of them since.
 */
export const newDomainsStatement = (workspaceId: number, sums: string): string => `
  insert into contact_domains (workspace_id, domain, valid, invalid, duplicate)
  select ${workspaceLiteral(workspaceId)}, domain, valid, invalid, duplicate
  from ${sums} where not known order by domain`;

/** Takes them away again. Nobody else has seen them. */
export const dropNewDomainsStatement = (workspaceId: number, sums: string): string => `
  delete from contact_domains d using ${sums} s
  where d.workspace_id = ${workspaceLiteral(workspaceId)} and d.domain = s.domain and not s.known`;

/**
 * Adds to the domains that the workspace had already, as `known` says. Answers how many were meant
 * and changed, and how many of them have become used. A plain update takes half the time of an
 * upsert. It takes the domains in their order only as a merge join, so run it where the planner
 * has no other.
 */
export const knownDomainsStatement = (workspaceId: number, sums: string): string => `
with changed as (
  update contact_domains d set
    valid = d.valid + s.valid, invalid = d.invalid + s.invalid, duplicate = d.duplicate + s.duplicate
  from (select domain, valid, invalid, duplicate from ${sums} where known) s
  where d.workspace_id = ${workspaceLiteral(workspaceId)} and d.domain = s.domain
  returning d.domain <> '' and d.valid + d.invalid + d.duplicate = s.valid + s.invalid + s.duplicate as is_first
)
select count(*) as changed, count(*) filter (where is_first) as used,
  (select count(*) from ${sums} where known) as meant
from changed`;

/** The counts alone, once all domains have what was added. `used`: known ones that became used. */
export const addedCountsStatement = (workspaceId: number, sums: string, used: number): string => `
with moved as (
  select ${addedSums},
    count(*) filter (where s.domain <> '' and not s.known) + ${used} as domains
  from ${sums} s
),${countsTail(workspaceLiteral(workspaceId), { isImport: true })}`;

/** Runs `domainDeltaStatement` for a delta given as a fragment. */
export async function applyDomainDeltas(
  tx: TenantTx,
  workspaceId: number,
  delta: RawBuilder<unknown>,
  options: DeltaOptions = {},
): Promise<void> {
  const [head, tail] = deltaFrame(workspaceId, options);
  await sql`${sql.raw(head)}${delta}${sql.raw(tail)}`.execute(tx);
}
