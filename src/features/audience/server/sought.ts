import { sql } from 'kysely';
import type { ContactStatus } from '#features/contacts/contract.ts';
import { isSuppressed } from '#features/contacts/server/index.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type Conjuncts, conjunctsOf, inAll } from '../rules/conjuncts.ts';
import { type Expansion, expandTree } from '../rules/expand.ts';
import { type IdRange, type Leads, type PlaceInOrder, type ReadLimits, readLimits } from '../rules/plan.ts';
import { groupOf, type Leaf, type Node, type Tree } from '../rules/tree.ts';
import {
  type Conditions,
  type ContactIndex,
  type ContactList,
  indexOf,
  type Scope,
  unlistedOf,
} from './condition.ts';
import { selectDomainsCount } from './domains-count.ts';
import { selectIdRange } from './origin-queries.ts';
import { domainOf, termOf } from './own-conditions.ts';

/**
 * Lists of one index, and how many contacts they hold together, or the most if they
 * overlap.
 */
export interface Lists {
  index: ContactIndex;
  lists: ContactList[];
  contacts: number;
}

/** Whether a contact may be in several of these lists. */
export const doOverlap = ({ index, lists }: Lists): boolean => index.overlaps === true && lists.length > 1;

/** The lists of an index in the requested order. Contacts in none of them come last. */
export interface Ranking {
  index: ContactIndex;
  lists: ContactList[];
}

/** Domains that hold all contacts of an audience, and how many contacts they have. */
export interface InDomains {
  /** True for such a domain. */
  ofDomain(domain: Fragment): Fragment;
  contacts: number;
  /** Those with the status that is asked for. */
  matching: number;
}

/** What all contacts have in common: they are in these lists, or in none but of such a domain. */
export interface Either {
  lists: Lists;
  ofDomain: InDomains['ofDomain'];
}

/** A tree with what the database says about it, ready to plan for and to write as SQL. */
export interface Sought {
  workspaceId: number;
  /** Without conditions that stand for others. */
  tree: Tree;
  leads: Leads;
  /** The lists that lead to the contacts. Null when none do. */
  lists: Lists | null;
  /** The domains that hold all contacts. Null when any domain may. */
  inDomains: InDomains | null;
  /**
   * The same where there are too many domains to read all their figures for a page. They are only
   * read when few contacts match.
   */
  unreadDomains: InDomains['ofDomain'] | null;
  /** Lists and domains of which nobody knows yet whether they hold few contacts. */
  unreadEither: Either | null;
  /** Lists and domains that hold few contacts. */
  either: Either | null;
  /** All contacts have an id in this range; others may too. Null when nothing bounds the ids. */
  range: IdRange | null;
  /** The named contacts. */
  named: readonly number[] | null;
  /** The lists in the requested order, for an order by what they say. */
  ranking: Ranking | null;
  /** Only what comes after this place in the requested order. Null for all. */
  after: PlaceInOrder | null;
  /** How much may be read for a page. */
  limits: ReadLimits;
  /** Little is read, so the lists of each contact are looked up by themselves. */
  isPage: boolean;
  conjuncts: Conjuncts<ContactIndex>;
  /** The lists of every listed condition anywhere in the tree. */
  listsOf: ReadonlyMap<Leaf, Lists>;
  /** How many contacts each index knows: all, none, or some. */
  knownTo: ReadonlyMap<ContactIndex, 'all' | 'none' | 'some'>;
  /**
   * The highest id in each index that knows some. So newer contacts are not looked up for a page.
   */
  newestIn: ReadonlyMap<ContactIndex, number>;
  conditions: Conditions;
}

/** If there are more domains, their figures are not all read for a page. */
const mostDomainsRead = 200_000;

/**
 * Of which domains the figures are read: of all that hold the contacts; of no more than a page may
 * take, where it needs no exact number; or of none, for tests of each contact alone.
 */
export type DomainFigures = 'all' | 'few' | 'none';

/** Asks the database what the tree's conditions amount to. */
export async function seek(
  tx: TenantTx,
  workspaceId: number,
  asked: Tree,
  conditions: Conditions,
  figures: DomainFigures = 'all',
): Promise<Sought> {
  const tree = await expandTree(asked, expansionIn(tx, workspaceId, conditions));
  const known = await loadIndexes(tx, workspaceId, leavesOf(tree), conditions);
  const knownTo = await knownToIndexes(tx, workspaceId, known);
  const listsFor = (leaves: readonly Leaf[], index: ContactIndex): Lists => {
    const lists = index.choose(leaves, known.get(index));
    return { index, lists, contacts: lists.reduce((sum, { contacts }) => sum + contacts, 0) };
  };
  const listsOf = new Map<Leaf, Lists>();
  for (const leaf of leavesOf(tree)) {
    const index = indexOf(conditions, leaf.condition);
    if (index) listsOf.set(leaf, listsFor([leaf], index));
  }
  const leading = leadingLeaves(tree, conditions, knownTo, listsFor);
  const found = conjunctsOf(tree, conditions, (leaf) =>
    leading.includes(leaf) ? indexOf(conditions, leaf.condition) : undefined,
  );
  const ofDomain = domainTest(found, conditions, knownTo);
  const isUnread = ofDomain !== null && !(await areRead(tx, workspaceId, figures));
  const conjuncts = isUnread ? withoutDomains(found) : found;
  const { ranges, listed } = conjuncts;
  const unreadEither = eitherOf(conjuncts, conditions, knownTo, listsOf);
  const lists = listed && listsFor(listed.leaves, listed.index);
  const leads = leadsOf(conjuncts, conditions, {
    isUnread: isUnread || unreadEither !== null,
    isCountless: lists !== null && doOverlap(lists),
  });
  const counts =
    ofDomain === null || isUnread
      ? null
      : await selectDomainsCount(tx, workspaceId, ofDomain(sql`d.domain`), leads.status);
  return {
    workspaceId,
    tree,
    leads,
    lists,
    inDomains: counts && ofDomain && { ...counts, ofDomain },
    unreadDomains: isUnread ? ofDomain : null,
    unreadEither,
    either: null,
    range: leads.isNarrowed ? await selectIdRange(tx, workspaceId, ranges) : null,
    named: (conjuncts.ids?.value as number[] | undefined) ?? null,
    ranking: null,
    after: null,
    limits: readLimits,
    isPage: false,
    conjuncts,
    listsOf,
    knownTo,
    newestIn: await newestOfIndexes(tx, workspaceId, { listsOf, conditions, knownTo }),
    conditions,
  };
}

const areRead = async (tx: TenantTx, workspaceId: number, figures: DomainFigures): Promise<boolean> =>
  figures === 'few' ? (await selectCounts(tx, workspaceId)).domains <= mostDomainsRead : figures === 'all';

/**
 * The conditions whose lists lead to the contacts: of one index, which gives the fewest. All its
 * conditions together, or a single one where its lists overlap.
 */
function leadingLeaves(
  tree: Tree,
  conditions: Conditions,
  knownTo: Sought['knownTo'],
  listsFor: (leaves: readonly Leaf[], index: ContactIndex) => Lists,
): readonly Leaf[] {
  const ways = new Map<ContactIndex, Leaf[][]>();
  for (const node of inAll(tree)) {
    const index = 'condition' in node ? indexOf(conditions, node.condition) : undefined;
    if (!index || !('condition' in node)) continue;
    // A condition that also means contacts in no list does not lead to the lists alone.
    if (unlistedOf(conditions, node.condition) && knownTo.get(index) !== 'all') continue;
    const some = ways.get(index) ?? [];
    if (!index.overlaps) ways.set(index, [[...(some[0] ?? []), node]]);
    else ways.set(index, [...some, [node]]);
  }
  const counted = [...ways].flatMap(([index, some]) =>
    some.map((leaves) => ({ leaves, contacts: listsFor(leaves, index).contacts })),
  );
  counted.sort((one, other) => one.contacts - other.contacts);
  return counted[0]?.leaves ?? [];
}

/** What conditions stand for, where they stand for others. */
export const expansionIn = (tx: TenantTx, workspaceId: number, conditions: Conditions): Expansion => ({
  async expand({ condition, value }) {
    const found = conditions.get(condition);
    return found && 'expand' in found && found.expand ? found.expand(tx, workspaceId, value) : null;
  },
  words: ({ condition, value }) => conditions.get(condition)?.words(value) ?? condition,
});

/** The domains are tested contact by contact. */
const withoutDomains = (found: Sought['conjuncts']): Sought['conjuncts'] => ({
  ...found,
  inDomains: null,
  others: found.inDomains ? [...found.others, found.inDomains] : found.others,
});

function leadsOf(
  { search, domain, status, ids, inDomains, ranges, listed, others }: Sought['conjuncts'],
  conditions: Conditions,
  { isUnread, isCountless }: { isUnread: boolean; isCountless: boolean },
): Leads {
  const hasIndex = (node: Node) => 'condition' in node && conditions.get(node.condition)?.bound === 'index';
  return {
    term: search && termOf(search.value as string),
    domain: domain && domainOf(domain.value as string),
    status: (status?.value as ContactStatus | undefined) ?? null,
    inDomains: inDomains !== null,
    hasLists: listed !== null,
    isNamed: ids !== null,
    isNarrowed: ranges.length > 0 || others.length > 0 || isCountless,
    isIndexed: others.some(hasIndex),
    isUnread,
  };
}

/**
 * Which domains hold all contacts: by a condition on the domain, or by one that follows from the
 * address as long as the index knows nobody. Null when any domain may.
 */
function domainTest(
  { domain, ids, inDomains, others }: Sought['conjuncts'],
  conditions: Conditions,
  knownTo: Sought['knownTo'],
): InDomains['ofDomain'] | null {
  // One domain, or named contacts, are found faster by themselves.
  if (domain !== null || ids !== null) return null;
  for (const node of [...(inDomains ? [inDomains] : []), ...others]) {
    const found = conditions.get('condition' in node ? node.condition : '');
    if (!found || !('condition' in node)) continue;
    const ofDomain = (domain: Fragment) => {
      if (!('index' in found))
        return 'ofDomain' in found ? (found.ofDomain?.(node.value, domain) ?? null) : null;
      return knownTo.get(found.index) === 'none'
        ? (found.unlisted?.ofDomain(node.value, domain) ?? null)
        : null;
    };
    if (ofDomain(sql`d.domain`) !== null) return (domain) => ofDomain(domain) ?? sql`true`;
  }
  return null;
}

/**
 * A condition that verified contacts fulfil by their list, and the others by their address, where
 * the domain says at least which of them may.
 */
function eitherOf(
  { domain, ids, listed, others }: Sought['conjuncts'],
  conditions: Conditions,
  knownTo: Sought['knownTo'],
  listsOf: Sought['listsOf'],
): Either | null {
  if (domain !== null || ids !== null || listed !== null) return null;
  for (const node of others) {
    if (!('condition' in node)) continue;
    const found = conditions.get(node.condition);
    const lists = listsOf.get(node);
    if (!found || !('index' in found) || !lists || knownTo.get(found.index) !== 'some') continue;
    const ofDomain = (one: Fragment) => found.unlisted?.ofDomain(node.value, one) ?? null;
    if (ofDomain(sql`d.domain`) !== null) return { lists, ofDomain: (one) => ofDomain(one) ?? sql`true` };
  }
  return null;
}

/** Whether each index knows all contacts of the workspace. */
async function knownToIndexes(
  tx: TenantTx,
  workspaceId: number,
  known: ReadonlyMap<ContactIndex, unknown>,
): Promise<Sought['knownTo']> {
  if (known.size === 0) return new Map();
  const { total } = await selectCounts(tx, workspaceId);
  return new Map(
    [...known].map(([index, what]) => {
      const size = index.size(what);
      return [index, size >= total ? 'all' : size === 0 ? 'none' : 'some'];
    }),
  );
}

/** The newest contacts of indexes that say nothing about others, where that is asked. */
async function newestOfIndexes(
  tx: TenantTx,
  workspaceId: number,
  { listsOf, conditions, knownTo }: Pick<Sought, 'listsOf' | 'conditions' | 'knownTo'>,
): Promise<Sought['newestIn']> {
  const newest = new Map<ContactIndex, number>();
  for (const [{ condition }, { index }] of listsOf) {
    if (newest.has(index) || knownTo.get(index) !== 'some' || !unlistedOf(conditions, condition)) continue;
    const { rows } = await sql<{ id: number | null }>`
      select max(contact_id) as id from ${sql.table(index.table)} where workspace_id = ${workspaceId}`.execute(
      tx,
    );
    newest.set(index, rows[0]?.id ?? 0);
  }
  return newest;
}

const leavesOf = (node: Node): Leaf[] =>
  'condition' in node ? [node] : (groupOf(node)?.nodes.flatMap(leavesOf) ?? []);

/** Asks once what each index that the conditions use has to say. */
async function loadIndexes(
  tx: TenantTx,
  workspaceId: number,
  leaves: readonly Leaf[],
  conditions: Conditions,
): Promise<ReadonlyMap<ContactIndex, unknown>> {
  const known = new Map<ContactIndex, unknown>();
  for (const { condition } of leaves) {
    const index = indexOf(conditions, condition);
    if (!index || known.has(index)) continue;
    const ofIndex = leaves.filter((leaf) => indexOf(conditions, leaf.condition) === index);
    known.set(index, await index.load(tx, workspaceId, ofIndex));
  }
  return known;
}

/** The rows of an index that are in these lists. Goes after `where`. `l` is the row. */
export const isInLists = (workspaceId: number, { index, lists }: Lists): Fragment => sql`
  l.workspace_id = ${workspaceId} and ${sql.ref(`l.${index.list}`)} = any(${arrayOf(lists.map(({ id }) => id))}::int[])`;

/** Numbers as the text of an array, because COPY has no literal for an array. */
export const arrayOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;

/**
 * The offset changes nothing: without it, the planner may read all the lists into memory first,
 * millions for a page of 20. For whole sets it may.
 */
const lookedUp = ({ isPage }: Pick<Sought, 'isPage'>): Fragment => (isPage ? sql`offset 0` : sql``);

const standsInLists = (sought: Sought, lists: Lists): Fragment => sql`exists (
  select from ${sql.table(lists.index.table)} l
  where l.contact_id = c.id and ${isInLists(sought.workspaceId, lists)} ${lookedUp(sought)})`;

/** True for a contact `c` that is in no list of an index. */
export const standsInNone = (sought: Sought, { table }: ContactIndex): Fragment => sql`not exists (
  select from ${sql.table(table)} l
  where l.workspace_id = ${sought.workspaceId} and l.contact_id = c.id ${lookedUp(sought)})`;

/** The same result as the suppression joins, from the contact alone. */
const isSuppressedAlone: Fragment = sql`(
  exists (
    select from suppressions s
    where s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
  ) or exists (
    select from contact_domains b where b.workspace_id = c.workspace_id and b.domain = c.domain and b.blocked
  ))`;

export interface Without {
  status?: true;
  lists?: true;
  range?: true;
  after?: true;
}

/**
 * True for the contacts `c` that match. Needs `contactsWithSuppression`. `without` names what the
 * query tests itself.
 */
export const matches = (sought: Sought, without: Without = {}): Fragment =>
  conjunction(sought, isSuppressed, without);

/**
 * The same as a condition on the contact alone. A walk by id over all contacts tests it once per
 * contact. No index has to find the remaining contacts again for every piece.
 */
export const matchesAlone = (sought: Sought, without: Without = {}): Fragment =>
  conjunction(sought, isSuppressedAlone, without);

function conjunction(sought: Sought, suppressed: Fragment, without: Without): Fragment {
  const { workspaceId, range, after, lists, conjuncts } = sought;
  const { search, domain, status, ids, inDomains, ranges, others } = conjuncts;
  const test = (node: Node) => testOf(node, sought, { workspaceId, isSuppressed: suppressed });
  const tests: Fragment[] = [sql`c.workspace_id = ${workspaceId}`];
  if (range && !without.range) tests.push(sql`c.id between ${range.first} and ${range.last}`);
  tests.push(
    ...[...ranges, ...others, ids, domain, inDomains, search].flatMap((node) => (node ? [test(node)] : [])),
  );
  if (after && !without.after) tests.push(comesAfter(after, sought));
  if (lists && !without.lists) tests.push(standsInLists(sought, lists));
  if (status && !without.status) tests.push(test(status));
  return sql.join(tests, sql` and `);
}

/**
 * True for the contacts `c` that come after a place. Compares rows, so that the index of the order
 * is entered there.
 */
export function comesAfter(place: PlaceInOrder, sought: Sought): Fragment {
  const { ranking } = sought;
  const beyond = sql.raw(place.order === 'asc' ? '>' : '<');
  if (place.sort === 'createdAt') return sql`c.id ${beyond} ${place.id}`;
  if (place.sort !== 'address') return followsInRanking(sought, ranking as Ranking, place);
  return sql`(c.domain, c.local, c.id) ${beyond} (${place.domain}, ${place.local}, ${place.id})`;
}

/** The lists from that of a place on. Only contacts in none of them follow when it has none. */
export function listsFrom({ lists }: Ranking, { list }: { list: number | null }): ContactList[] {
  if (list === null) return [];
  const at = lists.findIndex(({ id }) => id === list);
  if (at < 0) throw new RangeError(`no list ${list} in the order`);
  return lists.slice(at);
}

function followsInRanking(
  sought: Sought,
  ranking: Ranking,
  place: { id: number; list: number | null },
): Fragment {
  const { workspaceId } = sought;
  const following = listsFrom(ranking, place).filter(({ id }) => id !== place.list);
  const inList = isInLists(workspaceId, { index: ranking.index, lists: following, contacts: 0 });
  const list = sql.ref(`l.${ranking.index.list}`);
  const isUnlisted = standsInNone(sought, ranking.index);
  if (place.list === null) return sql`(c.id < ${place.id} and ${isUnlisted})`;
  const isListed = sql`exists (
    select from ${sql.table(ranking.index.table)} l
    where l.workspace_id = ${workspaceId} and l.contact_id = c.id
      and ((${list} = ${place.list} and c.id < ${place.id}) or (${inList})) ${lookedUp(sought)})`;
  return sql`(${isListed} or ${isUnlisted})`;
}

/** Each node of the root as a condition on `c`. Needs `contactsWithSuppression`. */
export function testsOf(sought: Sought): Fragment[] {
  const { workspaceId, tree } = sought;
  return groupOf(tree)?.nodes.map((node) => testOf(node, sought, { workspaceId, isSuppressed })) ?? [];
}

/** A node of the tree as a condition on `c`. Unknown counts as not true, so `none` holds for it. */
function testOf(node: Node, sought: Sought, scope: Scope): Fragment {
  const group = groupOf(node);
  if (group === null) return leafTest(node as Leaf, sought, scope);
  const tests = group.nodes.map((one) => testOf(one, sought, scope));
  // What a condition stands for may be everybody.
  if (tests.length === 0) return sql`true`;
  if (group.kind === 'all') return sql`(${sql.join(tests, sql` and `)})`;
  const isAny = sql`(${sql.join(tests, sql` or `)})`;
  return group.kind === 'any' ? isAny : sql`(${isAny} is not true)`;
}

function leafTest(leaf: Leaf, sought: Sought, scope: Scope): Fragment {
  const condition = sought.conditions.get(leaf.condition);
  if (!condition) throw new RangeError(`the condition ${leaf.condition} is not known`);
  if ('sql' in condition) return condition.sql(leaf.value, scope);
  if (!('index' in condition)) throw new RangeError(`the condition ${leaf.condition} was not expanded`);
  const lists = sought.listsOf.get(leaf) as Lists;
  const isListed = standsInLists(sought, lists);
  const knows = sought.knownTo.get(condition.index);
  if (!condition.unlisted || knows === 'all') return isListed;
  const isMeant = condition.unlisted.sql(leaf.value);
  if (knows === 'none') return isMeant;
  const isUnlisted = standsInNone(sought, lists.index);
  const newest = sought.isPage ? sought.newestIn.get(lists.index) : undefined;
  if (newest === undefined) return sql`(${isListed} or (${isMeant} and ${isUnlisted}))`;
  return sql`((c.id <= ${newest} and ${isListed}) or (${isMeant} and (c.id > ${newest} or ${isUnlisted})))`;
}

/** Only the ids of a fragment of (id, domain, local). */
export const idsOf = (found: Fragment): Fragment => sql`select found.id from (${found}) found`;

/** True for a contact `c` in a fragment of (id, domain, local). */
export const isAmong = (workspaceId: number, found: Fragment): Fragment =>
  sql`c.workspace_id = ${workspaceId} and c.id in (${idsOf(found)})`;
