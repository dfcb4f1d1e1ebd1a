import { sql } from 'kysely';
import { contactStates } from '#features/contacts/rules.ts';
import { suppressionJoins } from '#features/contacts/server/index.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { isCounted, type PageRequest, type RankedSort } from '../rules/plan.ts';
import { type Conditions, type ContactIndex, type ContactList, indexOf, orderedIndex } from './condition.ts';
import { hasMore, isEveryOne, sideBySide, type Walked, walkAlong, walking } from './list-queries.ts';
import { arrayOf, listsFrom, matches, type Ranking, type Sought, standsInNone } from './sought.ts';

/**
 * Orders by what an index says about contacts. The lists of the index are put in order, and their
 * counts say in which of them a page begins, so that a page costs the same wherever it is. Within a
 * list, and among those in none, the newest come first in either direction.
 */

/** The lists in a requested order. */
export async function rankingFor(
  tx: TenantTx,
  workspaceId: number,
  conditions: Conditions,
  { sort, order }: { sort: RankedSort; order: 'asc' | 'desc' },
): Promise<Ranking> {
  const index = orderedIndex(conditions);
  const lists = index?.inOrder?.(sort, await index.load(tx, workspaceId));
  if (!index || !lists) throw new RangeError(`no index knows the order by ${sort}`);
  return { index, lists: order === 'asc' ? lists : lists.toReversed() };
}

/** The list that holds a contact. Null when none does. */
export async function selectListOf(
  tx: TenantTx,
  workspaceId: number,
  { table, list }: ContactIndex,
  contactId: number,
): Promise<number | null> {
  const { rows } = await sql<{ list: number }>`
    select ${sql.ref(`l.${list}`)} as list from ${sql.table(table)} l
    where l.workspace_id = ${workspaceId} and l.contact_id = ${contactId}`.execute(tx);
  return rows[0]?.list ?? null;
}

/** A page in a ranked order. */
export async function walkByRank(tx: TenantTx, sought: Sought, page: PageRequest): Promise<Walked> {
  const { leads, lists, after } = sought;
  const ranking = sought.ranking as Ranking;
  const isSameIndex = lists === null || lists.index === ranking.index;
  const chosen = lists && isSameIndex ? new Set(lists.lists.map(({ id }) => id)) : null;
  const place = after && 'list' in after ? after : null;
  const possible = [...(chosen ? [chosen] : []), ...listsThatMatch(sought, ranking.index)];
  const rest = (place ? listsFrom(ranking, place) : ranking.lists).filter(({ id }) =>
    possible.every((lists) => lists.has(id)),
  );
  const walk: Walk = { tx, sought, ranking, rest, place, hasUnlisted: chosen === null };
  const isPlain =
    isCounted(leads) && leads.domain === null && leads.status === null && !leads.inDomains && isSameIndex;
  return isPlain ? plainPage(walk, page) : filteredPage(walk, page);
}

/**
 * Where conditions also mean contacts in no list, the lists of the others. No contact in another
 * list can match.
 */
function listsThatMatch({ conjuncts, conditions, listsOf }: Sought, index: ContactIndex): Set<number>[] {
  return conjuncts.others.flatMap((node) => {
    if (!('condition' in node) || indexOf(conditions, node.condition) !== index) return [];
    return [new Set(listsOf.get(node)?.lists.map(({ id }) => id))];
  });
}

interface Walk {
  tx: TenantTx;
  sought: Sought;
  ranking: Ranking;
  /** The lists from the page's place on. */
  rest: readonly ContactList[];
  /** Where the page before ended. */
  place: { id: number; list: number | null } | null;
  /** Contacts in no list follow. */
  hasUnlisted: boolean;
}

/** Every contact of the lists counts, so whole lists are passed over by their counts. */
async function plainPage(walk: Walk, { offset, limit }: PageRequest): Promise<Walked> {
  const { tx, sought, ranking, place } = walk;
  let skip = offset;
  let at = 0;
  for (; at < walk.rest.length && place === null; at += 1) {
    const { contacts } = walk.rest[at] as ContactList;
    if (skip < contacts) break;
    skip -= contacts;
  }
  const [first, ...others] = walk.rest.slice(at);
  const ids: number[] = [];
  if (first) {
    ids.push(...(await partOfList(tx, sought.workspaceId, ranking.index, first, { skip, limit, place })));
    skip = 0;
  }
  if (ids.length < limit && others.length > 0) {
    const few = firstLists(others, limit - ids.length);
    ids.push(...(await beginningsOf(walk, few, limit - ids.length, null)));
  }
  if (ids.length === limit || !walk.hasUnlisted) return { ids, isCut: false };
  const last = await unlistedPart(walk, { offset: skip, limit: limit - ids.length });
  return { ids: [...ids, ...last.ids], isCut: last.isCut };
}

/** As many lists as hold this many contacts together. */
function firstLists(lists: readonly ContactList[], wanted: number): ContactList[] {
  let sum = 0;
  const last = lists.findIndex(({ contacts }) => {
    sum += contacts;
    return sum >= wanted;
  });
  return last < 0 ? [...lists] : lists.slice(0, last + 1);
}

/** Contacts of one list from a place on, read from whichever end is nearer. */
async function partOfList(
  tx: TenantTx,
  workspaceId: number,
  { table, list }: ContactIndex,
  { id, contacts }: ContactList,
  { skip, limit, place }: { skip: number; limit: number; place: Walk['place'] },
): Promise<number[]> {
  const before = place?.list === id ? sql`l.contact_id < ${place.id}` : sql`true`;
  const isFromEnd = place === null && skip > contacts / 2;
  const taken = isFromEnd ? Math.min(limit, contacts - skip) : limit;
  const offset = isFromEnd ? contacts - skip - taken : skip;
  const { rows } = await sql<{ id: number }>`
    select l.contact_id as id from ${sql.table(table)} l
    where l.workspace_id = ${workspaceId} and ${sql.ref(`l.${list}`)} = ${id}::int and ${before}
    order by l.contact_id ${sql.raw(isFromEnd ? 'asc' : 'desc')} offset ${offset} limit ${taken}`.execute(tx);
  const ids = rows.map((row) => row.id);
  return isFromEnd ? ids.reverse() : ids;
}

/**
 * Contacts are tested list by list, and then those in none. Stops when it has passed as many as it
 * may.
 */
async function filteredPage(walk: Walk, { offset, limit }: PageRequest): Promise<Walked> {
  const wanted = offset + limit;
  const { passed: mostPassed } = walk.sought.limits;
  const ids: number[] = [];
  let passed = 0;
  for (let at = 0; at < walk.rest.length && ids.length < wanted; ) {
    // Four times as many as are missing usually do, and cost little where they do not.
    const some = firstLists(walk.rest.slice(at), (wanted - ids.length) * 4);
    at += some.length;
    const from = await newestOfState(walk, some.at(-1) as ContactList);
    const most = from === null ? 0 : mostPassed - passed;
    ids.push(...(await beginningsOf(walk, some, wanted - ids.length, { most, from })));
    passed += (from === null ? some.slice(0, -1) : some).reduce((sum, { contacts }) => sum + contacts, 0);
    if (ids.length < wanted && passed >= mostPassed) return { ids: ids.slice(offset), isCut: true };
  }
  if (ids.length >= wanted || !walk.hasUnlisted) return { ids: ids.slice(offset), isCut: false };
  const last = await unlisted(walk, { offset: 0, limit: wanted - ids.length });
  return { ids: [...ids, ...last.ids].slice(offset), isCut: last.isCut };
}

/**
 * The newest contact of a list with the state that is asked for, by the indexes alone. Whole lists
 * are of invalid contacts, and come first in the order of risk. Null when there is none. A short
 * list is tested sooner than looked through.
 */
async function newestOfState(
  { tx, sought: { workspaceId, leads, limits }, ranking: { index } }: Walk,
  { id, contacts }: ContactList,
): Promise<number | null> {
  const { status } = leads;
  const isShort = contacts < limits.passed / 20;
  if (status === null || status === 'suppressed' || isShort || contacts > limits.gathered) return mostId;
  const has = (state: number) => sql`exists (
    select from contacts c
    where c.workspace_id = ${workspaceId} and c.state = ${sql.lit(state)} and c.id = l.contact_id offset 0)`;
  const isInvalid = has(contactStates.invalid);
  const isCopy = has(contactStates.copy);
  const states = { active: sql`not ${isInvalid} and not ${isCopy}`, invalid: isInvalid, duplicate: isCopy };
  const { rows } = await walking(tx, () =>
    sql<{ id: number }>`
      select l.contact_id as id from ${sql.table(index.table)} l
      where l.workspace_id = ${workspaceId} and ${sql.ref(`l.${index.list}`)} = ${id}::int and ${states[status]}
      order by l.contact_id desc limit 1`.execute(tx),
  );
  return rows[0]?.id ?? null;
}

/** No contact has a higher one. */
const mostId = Number.MAX_SAFE_INTEGER;

/**
 * The beginnings of some lists, joined in their order. With `tested`, contacts are tested against
 * the filter. At most this many of the last list are read, and from this id on: nothing comes
 * after those that were not tested.
 */
async function beginningsOf(
  { tx, sought, ranking, place }: Walk,
  some: readonly ContactList[],
  limit: number,
  tested: { most: number; from: number | null } | null,
): Promise<number[]> {
  const { table, list } = ranking.index;
  const { workspaceId } = sought;
  const before =
    place === null ? sql`true` : sql`(p.id <> ${place.list ?? 0}::int or l.contact_id < ${place.id})`;
  const entries = (count: Fragment, from: Fragment): Fragment => sql`
    select l.workspace_id, l.contact_id from ${sql.table(table)} l
    where l.workspace_id = ${workspaceId} and ${sql.ref(`l.${list}`)} = p.id and ${before} and l.contact_id <= ${from}
    order by l.contact_id desc limit ${count}`;
  const ofLast = (value: number) => sql`case when p.rank = ${some.length} then ${value}::bigint end`;
  const test = ({ most, from }: { most: number; from: number | null }): Fragment => sql`
    select l.contact_id from (${entries(ofLast(most), sql`coalesce(${ofLast(from ?? mostId)}, ${mostId})`)}) l
    join contacts c on c.workspace_id = l.workspace_id and c.id = l.contact_id ${suppressionJoins}
    where ${matches(sought, { after: true })}
    order by l.contact_id desc limit ${limit}`;
  const { rows } = await walking(tx, () =>
    sql<{ id: number }>`
      select of_list.contact_id as id
      from unnest(${arrayOf(some.map(({ id }) => id))}::int[]) with ordinality as p (id, rank)
      cross join lateral (${tested ? test(tested) : entries(sql`${limit}`, sql`${mostId}::bigint`)}) of_list
      order by p.rank, of_list.contact_id desc limit ${limit}`.execute(tx),
  );
  return rows.map((row) => row.id);
}

/**
 * The same where every contact counts, read from whichever end is nearer. Newer contacts are often
 * all unlisted, and older ones far apart.
 */
async function unlistedPart(
  walk: Walk,
  { offset, limit }: { offset: number; limit: number },
): Promise<Walked> {
  const { tx, sought, ranking, place } = walk;
  const all = (await selectCounts(tx, sought.workspaceId)).total;
  const count = all - ranking.lists.reduce((sum, { contacts }) => sum + contacts, 0);
  if (place !== null || offset <= count / 2) return unlisted(walk, { offset, limit });
  const taken = Math.min(limit, count - offset);
  if (taken <= 0) return { ids: [], isCut: false };
  const found = await unlisted(walk, { offset: count - offset - taken, limit: taken }, 'asc');
  return { ids: found.ids.reverse(), isCut: found.isCut };
}

/**
 * Contacts that are in no list, newest first unless asked from the other end. They may lie behind
 * millions that are in one, so only so many are passed.
 */
async function unlisted(
  walk: Walk,
  part: { offset: number; limit: number },
  order: 'asc' | 'desc' = 'desc',
): Promise<Walked> {
  const { tx, sought, ranking, place } = walk;
  if (isEveryOne(sought.leads)) return everyUnlisted(walk, part, order);
  const from = place?.list === null ? sql`c.id < ${place.id}` : sql`true`;
  const matching = sql`${matches(sought, { after: true })} and ${standsInNone(sought, ranking.index)}`;
  const most = sought.limits.tested;
  return walkAlong(tx, sought, { from, order: sql`c.id ${sql.raw(order)}` }, part, { most, matching });
}

/**
 * The same where every contact counts. Reads the indexes of the contacts and of the lists side by
 * side, ten times as fast as looking each contact up.
 */
async function everyUnlisted(
  { tx, sought: { workspaceId, limits }, ranking, place }: Walk,
  { offset, limit }: { offset: number; limit: number },
  order: 'asc' | 'desc',
): Promise<Walked> {
  const before = (id: Fragment) => (place?.list === null ? sql`${id} < ${place.id}` : sql`true`);
  const by = sql.raw(order);
  const next = sql`
    select c.id from contacts c where c.workspace_id = ${workspaceId} and ${before(sql`c.id`)} order by c.id ${by}`;
  const { rows } = await sideBySide(tx, () =>
    sql<{ id: number }>`
      select c.id from (${next} limit ${limits.skipped}) c
      where not exists (
        select from ${sql.table(ranking.index.table)} l
        where l.workspace_id = ${workspaceId} and l.contact_id = c.id and ${before(sql`l.contact_id`)}
      )
      order by c.id ${by} offset ${offset} limit ${limit}`.execute(tx),
  );
  const ids = rows.map((row) => row.id);
  return { ids, isCut: ids.length < limit && (await hasMore(tx, next, limits.skipped)) };
}
