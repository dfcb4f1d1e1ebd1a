import { sql } from 'kysely';
import type { ContactStatus } from '#features/contacts/contract.ts';
import { contactStates } from '#features/contacts/rules.ts';
import { contactsWithSuppression, suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { fewInDomains, isCounted, type Leads, nearOffset, type PageRequest } from '../rules/plan.ts';
import { countOf } from './domains-count.ts';
import {
  arrayOf,
  comesAfter,
  doOverlap,
  type Either,
  type InDomains,
  isInLists,
  type Lists,
  matches,
  matchesAlone,
  type Ranking,
  type Sought,
  standsInNone,
} from './sought.ts';

export const direction = (order: 'asc' | 'desc'): Fragment => sql.raw(order);

/**
 * Runs a query that walks an index until it has a page. The planner thinks the suppression joins
 * are selective and would hash all contacts rather than stop early (13 s against 5 ms for a page of
 * 15 million).
 */
export const walking = <T>(tx: TenantTx, work: () => Promise<T>): Promise<T> =>
  without(tx, ['hashjoin', 'mergejoin', 'sort'], work);

/** Runs a query that reads two indexes in the same order. */
export const sideBySide = <T>(tx: TenantTx, work: () => Promise<T>): Promise<T> =>
  without(tx, ['hashjoin', 'nestloop', 'sort'], work);

async function without<T>(tx: TenantTx, ways: readonly string[], work: () => Promise<T>): Promise<T> {
  const set = (value: string) =>
    sql.raw(ways.map((way) => `set local enable_${way} = ${value}`).join('; ')).execute(tx);
  await set('off');
  const result = await work();
  await set('default');
  return result;
}

/**
 * What a walk found. `isCut`: it tested as many contacts as it may, and the page is not full. What
 * it found is the page's beginning.
 */
export interface Walked {
  ids: number[];
  isCut: boolean;
}

/** Contacts `c` in the order of an index, from a place on. */
export interface Way {
  from: Fragment;
  order: Fragment;
}

/**
 * The matching contacts on a way, tested one by one. Tests no more of them than anybody would wait
 * for.
 */
export async function walkAlong(
  tx: TenantTx,
  sought: Sought,
  { from, order }: Way,
  { offset, limit }: { offset: number; limit: number },
  tested: { most: number; matching: Fragment } | null = null,
): Promise<Walked> {
  const isTested = tested !== null || !isEveryOne(sought.leads);
  const { most, matching } = tested ?? { most: sought.limits.tested, matching: matches(sought) };
  const next = sql`select c.* from contacts c where ${isNear(sought)} and ${from} order by ${order}`;
  const query = sql<{ id: number }>`
    select c.id from (${next} limit ${isTested ? most : offset + limit}) c ${suppressionJoins}
    where ${matching} order by ${order} offset ${offset} limit ${limit}`;
  const { rows } = await walking(tx, () => query.execute(tx));
  const ids = rows.map((row) => row.id);
  return { ids, isCut: isTested && ids.length < limit && (await hasMore(tx, next, most)) };
}

/** Every contact counts, so that none is tested. */
export const isEveryOne = (leads: Leads): boolean => Object.values(leads).every((lead) => !lead);

/** What the walked indexes say about a contact. Contacts that they pass over are not tested. */
export function isNear({ workspaceId, range, leads, after }: Sought): Fragment {
  const tests = [sql`c.workspace_id = ${workspaceId}`];
  if (range) tests.push(sql`c.id between ${range.first} and ${range.last}`);
  if (leads.status === 'invalid') tests.push(sql`c.state = ${sql.lit(contactStates.invalid)}`);
  if (leads.status === 'duplicate') tests.push(sql`c.state = ${sql.lit(contactStates.copy)}`);
  if (after?.sort === 'createdAt')
    tests.push(sql`c.id ${sql.raw(after.order === 'asc' ? '>' : '<')} ${after.id}`);
  return sql.join(tests, sql` and `);
}

/** Whether there are more than `most`. */
export async function hasMore(tx: TenantTx, found: Fragment, most: number): Promise<boolean> {
  const query = sql<{
    has: boolean;
  }>`select exists (select from (${found} offset ${most} limit 1) more) as has`;
  const { rows } = await walking(tx, () => query.execute(tx));
  return rows[0]?.has === true;
}

/**
 * A page by id of the contacts in some lists of an index: takes the beginning of each list and
 * sorts it. Reads as many index entries as there are contacts up to the page's end, times the
 * number of lists. A walk over all contacts would pass thousands for each rare one.
 */
export async function walkByList(
  tx: TenantTx,
  { workspaceId, after, limits }: Sought,
  { index, lists }: Lists,
  page: PageRequest,
): Promise<Walked> {
  const by = direction(page.order);
  const read = lists.reduce((sum, { contacts }) => sum + Math.min(contacts, page.offset + page.limit), 0);
  if (read > limits.gathered) return { ids: [], isCut: true };
  const beyond =
    after === null ? sql`true` : sql`l.contact_id ${sql.raw(page.order === 'asc' ? '>' : '<')} ${after.id}`;
  const { rows } = await sql<{ id: number }>`
    select of_list.contact_id as id
    from unnest(${arrayOf(lists.map(({ id }) => id))}::int[]) as p (id)
    cross join lateral (
      select l.contact_id from ${sql.table(index.table)} l
      where l.workspace_id = ${workspaceId} and ${sql.ref(`l.${index.list}`)} = p.id and ${beyond}
      order by l.contact_id ${by} limit ${page.offset + page.limit}
    ) of_list
    order by of_list.contact_id ${by} offset ${page.offset} limit ${page.limit}`.execute(tx);
  return { ids: rows.map((row) => row.id), isCut: false };
}

/** More lists than this are not joined entry by entry. */
export const mostListsJoined = 300;

/**
 * The same for lists whose contacts are tested. Joins the lists in the order of their ids, and
 * stops as soon as the page is full. The contacts that somebody has not verified yet may be the
 * newest millions, and are in none of them. The offset changes nothing: without it, the planner may
 * test all contacts first, because it expects hardly any that are not suppressed.
 */
export async function walkAlongLists(
  tx: TenantTx,
  sought: Sought,
  { index, lists }: Lists,
  page: PageRequest,
): Promise<Walked> {
  if (lists.length === 0) return { ids: [], isCut: false };
  const { workspaceId, after, limits } = sought;
  const by = direction(page.order);
  const beyond = sql.raw(page.order === 'asc' ? '>' : '<');
  const each = lists.map(
    ({ id }) => sql`(
      select l.contact_id from ${sql.table(index.table)} l
      where l.workspace_id = ${workspaceId} and ${sql.ref(`l.${index.list}`)} = ${id}::int
        and ${after === null ? sql`true` : sql`l.contact_id ${beyond} ${after.id}`}
      order by l.contact_id ${by})`,
  );
  const once = doOverlap({ index, lists, contacts: 0 }) ? sql`distinct` : sql``;
  const next = sql`select ${once} l.contact_id from (${sql.join(each, sql` union all `)}) l order by l.contact_id ${by}`;
  const query = sql<{ id: number }>`
    select c.id from (${next} limit ${limits.tested}) l
    cross join lateral (
      select c.* from contacts c where c.workspace_id = ${workspaceId} and c.id = l.contact_id offset 0
    ) c ${suppressionJoins}
    where ${matches(sought, { lists: true })}
    order by l.contact_id ${by} offset ${page.offset} limit ${page.limit}`;
  const { rows } = await walking(tx, () => query.execute(tx));
  const ids = rows.map((row) => row.id);
  return { ids, isCut: ids.length < page.limit && (await hasMore(tx, next, limits.tested)) };
}

/**
 * A page of few among many. Finds all that match, by whichever index leads to them, and sorts them.
 * Answers the ids and the exact number.
 */
export async function gather(
  tx: TenantTx,
  found: Fragment,
  page: PageRequest,
  { workspaceId, ranking }: Pick<Sought, 'workspaceId' | 'ranking'>,
): Promise<{ ids: number[]; total: number }> {
  const by = direction(page.order);
  const order = page.sort === 'createdAt' ? sql`id ${by}` : sql`domain ${by}, local ${by}, id ${by}`;
  const inOrder = ranking ? inRanking(workspaceId, ranking) : sql`found order by ${order}`;
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as materialized (${found})
    select (select count(*) from found) as total,
           array(select found.id from ${inOrder} offset ${page.offset} limit ${page.limit}) as ids`.execute(
    tx,
  );
  // The driver returns the elements of a bigint array as text.
  return { ids: (rows[0]?.ids ?? []).map(Number), total: rows[0]?.total ?? 0 };
}

/**
 * What was found, in the order of the lists, and what is in none of them last. Newest first. Each
 * contact's list is looked up by itself: a join would read the index whole for a few thousand.
 */
const inRanking = (workspaceId: number, { index, lists }: Ranking): Fragment => sql`(
    select found.id, (
      select ${sql.ref(`l.${index.list}`)} from ${sql.table(index.table)} l
      where l.workspace_id = ${workspaceId} and l.contact_id = found.id
    ) as list from found offset 0
  ) found
  left join unnest(${arrayOf(lists.map(({ id }) => id))}::int[]) with ordinality as p (id, rank) on p.id = found.list
  order by p.rank nulls last, found.id desc`;

// Copies are in a separate index, so searches by identity key ask both.
const bothIndexes = [sql`c.state <> 2`, sql`c.state = 2`];

/**
 * All matching contacts, as (id, domain, local). A domain's contacts are found through the identity
 * index. Suppressed contacts are found from the suppression list, because otherwise all contacts
 * would have to be read.
 */
export function allMatching(sought: Sought): Fragment {
  const { workspaceId, leads, lists, inDomains } = sought;
  if (leads.status === 'suppressed') return allSuppressed(sought);
  if (lists !== null && leads.domain === null && doOverlap(lists)) {
    return sql`
      select c.id, c.domain, c.local
      from (select distinct l.contact_id from ${sql.table(lists.index.table)} l where ${isInLists(workspaceId, lists)}) l
      join contacts c on c.workspace_id = ${workspaceId} and c.id = l.contact_id ${suppressionJoins}
      where ${matches(sought, { lists: true })}`;
  }
  if (lists !== null && leads.domain === null) {
    return sql`
      select c.id, c.domain, c.local from ${sql.table(lists.index.table)} l
      join contacts c on c.workspace_id = l.workspace_id and c.id = l.contact_id ${suppressionJoins}
      where ${isInLists(workspaceId, lists)} and ${matches(sought, { lists: true })}`;
  }
  if (sought.either !== null) return allInEither(sought, sought.either);
  if (inDomains !== null && inDomains.contacts <= fewInDomains) return allInDomains(sought, inDomains);
  const all = sql`select c.id, c.domain, c.local from ${contactsWithSuppression} where ${matches(sought)}`;
  if (leads.domain === null) return all;
  return sql.join(
    bothIndexes.map((state) => sql`${all} and ${state}`),
    sql` union all `,
  );
}

/**
 * Looks the contacts of each domain up in the identity index. The offset changes nothing: it keeps
 * the planner, which assumes few contacts just after a first import, from reading all of them.
 */
function allInDomains(
  sought: Sought,
  { ofDomain }: Pick<InDomains, 'ofDomain'>,
  also: Fragment = sql`true`,
): Fragment {
  const { workspaceId } = sought;
  const ways = bothIndexes.map(
    (state) => sql`
      select c.id, c.domain, c.local
      from (select d.domain from contact_domains d where d.workspace_id = ${workspaceId} and ${ofDomain(sql`d.domain`)}) meant
      cross join lateral (
        select c.* from contacts c
        where c.workspace_id = ${workspaceId} and c.domain = meant.domain and ${state} offset 0
      ) c ${suppressionJoins}
      where ${matches(sought)} and ${also}`,
  );
  return sql.join(ways, sql` union all `);
}

/** Those in the lists, and those of the domains that are in no list. */
const allInEither = (sought: Sought, { lists, ofDomain }: Either): Fragment => sql`
  select c.id, c.domain, c.local from ${sql.table(lists.index.table)} l
  join contacts c on c.workspace_id = l.workspace_id and c.id = l.contact_id ${suppressionJoins}
  where ${isInLists(sought.workspaceId, lists)} and ${matches(sought)}
  union all ${allInDomains(sought, { ofDomain }, standsInNone(sought, lists.index))}`;

function allSuppressed(sought: Sought): Fragment {
  const { workspaceId } = sought;
  // Any other test for suppression looks at the contact alone. Here `s` and `b` are the ways to the
  // contacts.
  const rest = matchesAlone(sought, { status: true });
  const ways = bothIndexes.flatMap((state) => [
    sql`select c.id, c.domain, c.local from suppressions s
        join contacts c on c.workspace_id = s.workspace_id and c.domain = s.domain and c.local = s.local
        where s.workspace_id = ${workspaceId} and ${state} and ${rest}`,
    sql`select c.id, c.domain, c.local from contact_domains b
        join contacts c on c.workspace_id = b.workspace_id and c.domain = b.domain
        where b.workspace_id = ${workspaceId} and b.blocked and ${state} and ${rest}`,
  ]);
  return sql.join(ways, sql` union `);
}

/**
 * A page in the order of domain and local part. A far page does not walk there: running sums of the
 * domains' rollups name the domain where it begins.
 */
export async function walkByAddress(tx: TenantTx, sought: Sought, page: PageRequest): Promise<Walked> {
  const { leads, inDomains } = sought;
  const { domain, hasLists } = leads;
  if (inDomains !== null && isCounted(leads)) return pageInDomains(tx, sought, inDomains, page);
  const isByDomains = page.offset > nearOffset && isCounted(leads) && domain === null && !hasLists;
  const start = isByDomains
    ? await startingDomain(tx, sought.workspaceId, leads.status, page)
    : { domain: null, before: 0 };
  if (!start) return { ids: [], isCut: false };
  const by = direction(page.order);
  const order = sql`domain ${by}, local ${by}, id ${by}`;
  const from =
    start.domain === null
      ? []
      : [sql`c.domain ${sql.raw(page.order === 'asc' ? '>=' : '<=')} ${start.domain}`];
  if (domain !== null) from.push(sql`c.domain = ${domain}`);
  if (sought.after) from.push(comesAfter(sought.after, sought));
  const offset = page.offset - start.before;
  const isTested = !isEveryOne({ ...leads, domain: null });
  const most = isTested ? sought.limits.tested : offset + page.limit;
  const ways = bothIndexes.map(
    (state) => sql`(
      select c.* from contacts c where ${sql.join([sql`c.workspace_id = ${sought.workspaceId}`, state, ...from], sql` and `)}
      order by ${order} limit ${most + 1})`,
  );
  const both = sql`select * from (${sql.join(ways, sql` union all `)}) either order by ${order}`;
  const query = sql<{ id: number }>`
    select c.id from (${both} limit ${most}) c ${suppressionJoins} where ${matches(sought)}
    order by c.domain ${by}, c.local ${by}, c.id ${by} offset ${offset} limit ${page.limit}`;
  const { rows } = await walking(tx, () => query.execute(tx));
  const ids = rows.map((row) => row.id);
  return { ids, isCut: isTested && ids.length < page.limit && (await hasMore(tx, both, most)) };
}

async function startingDomain(
  tx: TenantTx,
  workspaceId: number,
  status: ContactStatus | null,
  page: PageRequest,
): Promise<{ domain: string; before: number } | undefined> {
  const { rows } = await sql<{ domain: string; before: number }>`
    select domain, before from (
      select domain, contacts, (sum(contacts) over (order by domain ${direction(page.order)}))::bigint - contacts as before
      from (select d.domain, ${countOf(status)} as contacts from contact_domains d where d.workspace_id = ${workspaceId}) each_one
      where contacts > 0
    ) running
    where before + contacts > ${page.offset}
    order by before limit 1`.execute(tx);
  return rows[0];
}

/**
 * The same for contacts of some domains. The rollup's running sums name the domains of the page, so
 * that those between them are not walked past. After a place, the first domain may be half behind.
 */
async function pageInDomains(
  tx: TenantTx,
  sought: Sought,
  inDomains: InDomains,
  page: PageRequest,
): Promise<Walked> {
  const by = direction(page.order);
  const domains = await domainsOfPage(tx, sought, inDomains, page);
  const offset = page.offset - (domains[0]?.before ?? 0);
  const isTested = sought.leads.status !== null;
  const read = domains.reduce(
    (sum, { all }) => sum + (isTested ? all : Math.min(all, offset + page.limit)),
    0,
  );
  if (read > sought.limits.gathered) return { ids: [], isCut: true };
  const order = sql`domain ${by}, local ${by}, id ${by}`;
  const ways = bothIndexes.map(
    (state) => sql`
      select of_domain.* from unnest(${domains.map(({ domain }) => domain)}::text[]) as meant (domain)
      cross join lateral (
        select c.id, c.domain, c.local from ${contactsWithSuppression}
        where ${matches(sought)} and c.domain = meant.domain and ${state}
        order by ${order} limit ${offset + page.limit}
      ) of_domain`,
  );
  const query = sql<{ id: number }>`
    select id from (${sql.join(ways, sql` union all `)}) either
    order by ${order} offset ${offset} limit ${page.limit}`;
  const { rows } = await walking(tx, () => query.execute(tx));
  return { ids: rows.map((row) => row.id), isCut: false };
}

/**
 * The domains that have contacts of the page: how many contacts come before each, and how many it
 * has, whether or not they match.
 */
async function domainsOfPage(
  tx: TenantTx,
  { workspaceId, leads, after }: Sought,
  { ofDomain }: InDomains,
  page: PageRequest,
): Promise<{ domain: string; before: number; all: number }[]> {
  const from = after?.sort === 'address' ? after.domain : null;
  const start =
    from === null ? sql`true` : sql`d.domain ${sql.raw(page.order === 'asc' ? '>=' : '<=')} ${from}`;
  const { rows } = await sql<{ domain: string; before: number; all: number }>`
    select domain, before, "all" from (
      select domain, contacts, "all", (sum(contacts) over in_order)::bigint - contacts as before,
             first_value(contacts) over in_order as first
      from (
        select d.domain, ${countOf(leads.status)} as contacts, ${countOf(null)} as "all" from contact_domains d
        where d.workspace_id = ${workspaceId} and ${ofDomain(sql`d.domain`)} and ${start}
      ) each_one
      where contacts > 0
      window in_order as (order by domain ${direction(page.order)})
    ) running
    where before + contacts > ${page.offset}
      and before - ${from === null ? sql`0` : sql`first`} < ${page.offset + page.limit}
    order by before`.execute(tx);
  return rows;
}

/**
 * The ids of the first contacts `c` after `after`, up to `upTo`, for which `chosen` is true. For
 * work that goes through the chosen ones in pieces.
 */
export async function selectChosen(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  range: { after: number; upTo: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from contacts c
    where c.workspace_id = ${workspaceId} and c.id > ${range.after} and c.id <= ${range.upTo} and (${chosen})
    order by c.id limit ${range.limit}`.execute(tx);
  return rows.map((row) => row.id);
}

/** The highest contact id in the workspace. 0 when there is none. */
export async function selectLastId(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from contacts where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]?.id ?? 0;
}
