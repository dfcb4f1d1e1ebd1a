import { sql } from 'kysely';
import { contactStates } from '#features/contacts/rules.ts';
import { isSuppressed, suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { IdRange } from '../rules/plan.ts';
import { arrayOf, type Lists, matches, type Ranking, type Sought } from './sought.ts';

/** At most this many of the longest lists are sampled, and this many contacts in all of them. */
const sampledLists = 20;
const sampledContacts = 600;

/**
 * About how many contacts in the lists match: the matching share of some hundred contacts, taken at
 * even distances from each of the longest lists. Takes the same contacts every time, so that a
 * total does not change from page to page.
 */
export async function sampleLists(tx: TenantTx, sought: Sought, found: Lists): Promise<number> {
  const { workspaceId } = sought;
  const longest = found.lists
    .toSorted((one, other) => other.contacts - one.contacts || one.id - other.id)
    .slice(0, sampledLists);
  const table = sql.table(found.index.table);
  const list = sql.ref(`l.${found.index.list}`);
  const { rows } = await sql<{ sampled: number; matching: number }>`
    with common as (
      select id, contacts, sum(contacts) over () as together
      from unnest(${arrayOf(longest.map(({ id }) => id))}::int[], ${arrayOf(longest.map(({ contacts }) => contacts))}::bigint[])
        as p (id, contacts)
    ),
    ends as (
      select id, ceil(${sql.lit(sampledContacts)} * contacts / together)::int as wanted,
        (select min(l.contact_id) from ${table} l
         where l.workspace_id = ${workspaceId} and ${list} = common.id) as first,
        (select max(l.contact_id) from ${table} l
         where l.workspace_id = ${workspaceId} and ${list} = common.id) as last
      from common
    ),
    drawn as materialized (
      select one.contact_id from ends cross join lateral generate_series(1, wanted) place
      cross join lateral (
        select l.contact_id from ${table} l
        where l.workspace_id = ${workspaceId} and ${list} = ends.id
          and l.contact_id >= ends.first + (ends.last - ends.first) * place / (wanted + 1)
        order by l.contact_id limit 1
      ) one
    )
    select (select count(*) from drawn) as sampled, count(c.id) as matching
    from drawn join contacts c on c.workspace_id = ${workspaceId} and c.id = drawn.contact_id ${suppressionJoins}
    where ${matches(sought, { lists: true })}`.execute(tx);
  const { sampled, matching } = rows[0] ?? { sampled: 0, matching: 0 };
  return (found.contacts * matching) / Math.max(sampled, 1);
}

const windows = 150;
const windowIds = 64;
/** Neighbours are alike, so a quarter of each window says as much where many match. */
const briefIds = 16;
const enoughMatching = 300;

/**
 * About how many contacts match among the ids: those in 150 windows of 64 ids at even distances,
 * scaled up to the whole range; where many match, in windows of 16. Takes the same windows every
 * time, so that a total does not change from page to page.
 */
export async function sampleRange(tx: TenantTx, sought: Sought, ids: IdRange): Promise<number> {
  const { workspaceId } = sought;
  const test = matches(sought, { range: true });
  const brief = await matchingInWindows(tx, workspaceId, ids, { test, width: briefIds });
  const isEnough = brief >= enoughMatching;
  const matching = isEnough
    ? brief
    : await matchingInWindows(tx, workspaceId, ids, { test, width: windowIds });
  return (matching * (ids.last - ids.first + 1)) / (windows * (isEnough ? briefIds : windowIds));
}

/** About how many contacts among the ids are of such domains. */
export async function sampleDomains(
  tx: TenantTx,
  workspaceId: number,
  ids: IdRange,
  ofDomain: (domain: Fragment) => Fragment,
): Promise<number> {
  const of = { test: ofDomain(sql`c.domain`), width: briefIds };
  const matching = await matchingInWindows(tx, workspaceId, ids, of);
  return (matching * (ids.last - ids.first + 1)) / (windows * briefIds);
}

async function matchingInWindows(
  tx: TenantTx,
  workspaceId: number,
  ids: IdRange,
  { test, width }: { test: Fragment; width: number },
): Promise<number> {
  const span = ids.last - ids.first + 1;
  const first = sql`${ids.first}::bigint + (${span}::bigint - ${sql.lit(width)}) * place / ${sql.lit(windows - 1)}`;
  const { rows } = await sql<{ matching: number }>`
    select count(*) as matching
    from generate_series(0, ${sql.lit(windows - 1)}) place
    cross join lateral (
      select * from contacts of_window
      where of_window.workspace_id = ${workspaceId}
        and of_window.id >= ${first} and of_window.id < ${first} + ${sql.lit(width)}
      order by of_window.id limit ${sql.lit(width)}
    ) c ${suppressionJoins}
    where ${test}`.execute(tx);
  return rows[0]?.matching ?? 0;
}

/**
 * How many contacts the index of a condition holds, counted up to `most`. Reads the index alone.
 */
export async function countIndexed(tx: TenantTx, sought: Sought, most: number): Promise<number> {
  const { workspaceId, conjuncts, conditions } = sought;
  const scope = { workspaceId, isSuppressed };
  let fewest = most;
  for (const node of conjuncts.others) {
    const condition = 'condition' in node ? conditions.get(node.condition) : undefined;
    if (!('condition' in node) || condition?.bound !== 'index' || !('sql' in condition)) continue;
    const { rows } = await sql<{ count: number }>`
      select count(*) from (
        select from contacts c where c.workspace_id = ${workspaceId} and ${condition.sql(node.value, scope)} limit ${fewest}
      ) found`.execute(tx);
    fewest = Math.min(fewest, rows[0]?.count ?? 0);
  }
  return fewest;
}

const sampledOfState = 200;

/**
 * How many contacts are in the lists of a ranked order before those that hold contacts of a state,
 * taken at even distances. A walk would pass about as many.
 */
export async function sampleAhead(tx: TenantTx, { workspaceId, leads, ranking }: Sought): Promise<number> {
  const { index, lists } = ranking as Ranking;
  const state = sql.lit(leads.status === 'invalid' ? contactStates.invalid : contactStates.copy);
  const { rows } = await sql<{ list: number | null }>`
    with ends as materialized (
      select min(id) as first, max(id) as last from contacts
      where workspace_id = ${workspaceId} and state = ${state}
    )
    select distinct (
      select ${sql.ref(`l.${index.list}`)} from ${sql.table(index.table)} l
      where l.workspace_id = ${workspaceId} and l.contact_id = c.id
    ) as list
    from ends cross join generate_series(0, ${sql.lit(sampledOfState - 1)}) place
    cross join lateral (
      select id from contacts
      where workspace_id = ${workspaceId} and state = ${state}
        and id >= ends.first + (ends.last - ends.first) * place / ${sql.lit(sampledOfState - 1)}
      order by id limit 1
    ) c`.execute(tx);
  const found = new Set(rows.map(({ list }) => list));
  const first = lists.findIndex(({ id }) => found.has(id));
  const before = first < 0 ? lists : lists.slice(0, first);
  return before.reduce((sum, { contacts }) => sum + contacts, 0);
}
