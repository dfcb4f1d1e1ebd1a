import type { ContactStatus } from '#features/contacts/contract.ts';

/*
 * How to find a page of an audience, or all of it. What all its contacts have in common leads to
 * them: a searched term, a domain, a status, lists in an index, a range of ids. Everything else is
 * tested on what the lead yields.
 *
 *   is the number of contacts in a rollup?
 *     list of them    few are gathered and sorted, many are walked in the requested order
 *   does no rollup know it?
 *     the same, once a sample has shown whether they are few
 *   is there a term, among many contacts?
 *     a sample of blocks shows whether it is common:
 *       common        the blocks are read in order until the page is full
 *       not common    the trigram index names the blocks
 *
 * Figures that cost a query are measured only when the plan depends on them. `choosePlan` then
 * answers what to measure.
 */

/** What all contacts of an audience have in common, where it can lead to them. */
export interface Leads {
  /** Lower case, as in stored addresses. */
  term: string | null;
  domain: string | null;
  status: ContactStatus | null;
  /** There is a condition on the domain alone. The domains' rollup counts its contacts. */
  inDomains: boolean;
  /** Some conditions are lists in an index. */
  hasLists: boolean;
  /** The contacts are named by id. */
  isNamed: boolean;
  /** There is a condition that no rollup counts. */
  isNarrowed: boolean;
  /** There is a condition with an index on the contacts, which does not say how many there are. */
  isIndexed: boolean;
  /** Domains may lead to them, but reading the figures of so many takes longer than most pages. */
  isUnread: boolean;
}

/** Orders by what an index of contacts says, such as the risk of the last verification. */
export type RankedSort = 'verdict' | 'risk';

/** A page of a list in the requested order. */
export interface PageRequest {
  sort: 'createdAt' | 'address' | RankedSort;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/**
 * A contact's place in the order of a list: by when it was added, or by domain, local part and then
 * when it was added, or by its list in the index of the order and then by when it was added.
 */
export type PlaceInOrder = { order: 'asc' | 'desc'; id: number } & (
  | { sort: 'createdAt' }
  | { sort: 'address'; domain: string; local: string }
  | { sort: RankedSort; list: number | null }
);

/** Both ends included. Empty when the last is before the first. */
export interface IdRange {
  first: number;
  last: number;
}

/** What is known about how many contacts there are. Absent figures were not measured. */
export interface Figures {
  /**
   * At most this many contacts match according to the rollups, ignoring the term. Exact where a
   * rollup counts them.
   */
  candidates: number;
  /** The ids between which all contacts lie. Only for a narrowed audience. */
  range: IdRange | null;
  /** At most this many rows are read to find all that match, by whichever index leads to them. */
  reach: number;
  /** The same by the index of a condition, counted up to a little more than may be read. */
  indexed?: number | undefined;
  /** Whether the page was found among the nearest contacts. */
  near?: { isFound: boolean } | undefined;
  /**
   * In a ranked order: how many contacts are in the lists before those that match, from a sample.
   */
  ahead?: number | undefined;
  /** About how many match, from a sample. */
  sampled?: number | undefined;
  /** A sample of blocks of search text, and how many of them contain the term. */
  text?: { blocks: number; hits: number } | undefined;
  /** How many blocks the trigram index finds for the term. */
  blocks?: { count: number } | undefined;
}

/** At most this many contacts are tested one by one. */
export const fewContacts = 50_000;
/** Contacts of one list lie far apart, so at most this many are fetched one by one. */
export const fewListed = 10_000;
/**
 * At most this many contacts are gathered by their domains. Contacts of one domain lie close
 * together; beyond this, a walk meets one in fifty even among 15 million.
 */
export const fewInDomains = 300_000;
/**
 * At most this many suppressed contacts are gathered from the suppression list. Beyond that, a walk
 * over all contacts meets them.
 */
export const fewSuppressed = 300_000;
/**
 * In a ranked order, a filtered list can be paged this far by number. The contacts before the page
 * have to be passed one by one.
 */
export const farthestRanked = 50_000;
/** The same in the other orders, where contacts that are passed lie side by side. */
export const farthestTested = 300_000;
/** At most so much is read for a page, however many contacts there are. */
export interface ReadLimits {
  /** Rows that are read to gather those that match. */
  gathered: number;
  /** Contacts that a walk in a ranked order tests on its way to a page. */
  passed: number;
  /** The same in the other orders, where contacts that are passed lie side by side. */
  tested: number;
  /** Contacts that are only counted on the way, by the index alone. */
  skipped: number;
  /** Blocks of search text that say which contacts a walk may pass over. */
  blocks: number;
}
export const readLimits: ReadLimits = {
  gathered: 1_000_000,
  passed: 100_000,
  tested: 1_000_000,
  skipped: 10_000_000,
  blocks: 200_000,
};
/**
 * A walk that should test at most this many contacts is tried before anything that takes longer is
 * counted.
 */
export const shortWalk = 20_000;
/** How much such a walk may read. Contacts that match may still lie behind others. */
export const nearLimits: Partial<ReadLimits> = { tested: 2 * shortWalk, blocks: shortWalk };
/** At most this many blocks are checked whole. */
export const fewBlocks = 4000;
/** A term is common when at least this share of the sampled blocks contains it. */
export const commonShare = 0.01;
/**
 * Up to here the identity index is walked from its end. Beyond, the domains' figures say where the
 * page begins.
 */
export const nearOffset = 1000;

export type Plan =
  /** No contact matches, or none from here on. */
  | { kind: 'nothing'; total: number }
  /**
   * Finds all that match, by whichever index leads to them, and sorts them. `total` is null when
   * this step does the counting.
   */
  | { kind: 'gather'; total: number | null }
  /**
   * Walks the contacts in the requested order until the page is full. `isFromEnd` starts from the
   * other end because it is nearer.
   */
  | {
      kind: 'walk by id' | 'walk by address' | 'walk by list' | 'walk by domain';
      total: number;
      isEstimate: boolean;
      isFromEnd: boolean;
    }
  /**
   * Reads the blocks of search text in order, or the contacts by address. The total comes from the
   * sample's share.
   */
  | { kind: 'blocks' | 'common by address' | 'common by rank' }
  /**
   * Checks the blocks that the trigram index names: all of them when they are few, otherwise the
   * nearest, or all contacts in them.
   */
  | { kind: 'index of few' | 'index' | 'index by address' }
  /** The page was found while it was tried. The total comes from a sample. */
  | { kind: 'near'; total: number }
  /** Walks the lists of the order's index. `total` may come from a sample. */
  | { kind: 'walk by rank'; total: number; isEstimate: boolean }
  /** Cannot be found in a time that anybody would wait. */
  | { kind: 'too far' };

/** What must be measured before a plan can be chosen. */
export interface Measure {
  kind: 'measure';
  what: 'sampled' | 'text' | 'blocks' | 'near' | 'indexed' | 'ahead';
}

const tooFar: Plan = { kind: 'too far' };
const measure = (what: Measure['what']): Measure => ({ kind: 'measure', what });

/** The next step towards a page: a plan, or what to measure first. */
export function choosePlan(leads: Leads, page: PageRequest, figures: Figures): Plan | Measure {
  if (figures.candidates === 0) return { kind: 'nothing', total: 0 };
  if (leads.term !== null) return planForTerm(leads.term, page, figures);
  if (isCounted(leads)) return planForCounted(leads, page, figures);
  return planForUncounted(leads, page, figures);
}

/**
 * Whether a rollup has the number: for all contacts, a status, one domain or many, these with a
 * status, or lists alone.
 */
export const isCounted = (leads: Leads): boolean =>
  leads.term === null &&
  !leads.isNamed &&
  !leads.isNarrowed &&
  !(leads.hasLists && (leads.domain !== null || leads.status !== null));

function planForCounted(leads: Leads, page: PageRequest, figures: Figures): Plan | Measure {
  const { candidates: matching, reach } = figures;
  if (page.offset >= matching) return { kind: 'nothing', total: matching };
  if (isRankedSort(page.sort)) return planForRanked(leads, page, figures);
  const gather = gatherWithin(reach, matching);
  const isFew = matching <= fewOf(leads) && reach <= readLimits.gathered;
  const isReached = leads.domain !== null || leads.inDomains || leads.status === 'suppressed';
  const isSortedFew = leads.hasLists && page.sort === 'address' && matching <= fewListed;
  if ((isFew && isReached) || isSortedFew) return gather;
  const isFromEnd = page.offset > matching / 2;
  const { offset } = isFromEnd ? fromEnd(page, matching) : page;
  if (leads.hasLists && page.sort === 'address' && offset > nearOffset) return gather;
  const farthest = isTested(leads, page) ? farthestTested : readLimits.skipped;
  if (offset > farthest && reach > readLimits.gathered) return tooFar;
  return { kind: walkOf(leads, page), total: matching, isEstimate: false, isFromEnd };
}

/** Gathers what is there, if no more has to be read than somebody would wait for. */
const gatherWithin = (reach: number, total: number | null): Plan =>
  reach <= readLimits.gathered ? { kind: 'gather', total } : tooFar;

/**
 * Whether a walk tests each contact on its way to the page. All contacts are only counted, and the
 * rollup's running sums lead to the domain where a page by address begins.
 */
const isTested = (leads: Leads, { sort }: PageRequest): boolean =>
  leads.domain !== null || (sort !== 'address' && (leads.status !== null || leads.inDomains));

export const isRankedSort = (sort: PageRequest['sort']): sort is RankedSort =>
  sort === 'verdict' || sort === 'risk';

/**
 * All contacts, and lists of the index, are counted list by list. A status or a domain has to be
 * tested on the way. What is invalid or a copy is found by its own index where it lies behind many
 * others, as the invalid often do.
 */
function planForRanked(leads: Leads, page: PageRequest, figures: Figures): Plan | Measure {
  const { domain, status, inDomains } = leads;
  const { candidates: matching, reach, ahead } = figures;
  const walk: Plan = { kind: 'walk by rank', total: matching, isEstimate: false };
  if (domain === null && status === null && !inDomains) return walk;
  const isByState = status === 'invalid' || status === 'duplicate';
  const isReached = domain !== null || inDomains || isByState || status === 'suppressed';
  if (isReached && matching <= fewOf(leads) && reach <= readLimits.gathered)
    return { kind: 'gather', total: matching };
  if (page.offset > farthestRanked) return isByState ? gatherWithin(reach, matching) : tooFar;
  if (!isByState) return walk;
  if (ahead === undefined) return measure('ahead');
  // Passing a contact that has another state reads its index alone. Gathering reads five times as
  // much of each.
  return ahead <= readLimits.gathered ? walk : gatherWithin(reach, matching);
}

/** How many contacts may be gathered at once. */
function fewOf({ status, inDomains }: Leads): number {
  if (status === 'suppressed') return fewSuppressed;
  return inDomains ? fewInDomains : fewContacts;
}

/** The same page, counted from the other end of `matching` contacts. */
export function fromEnd(page: PageRequest, matching: number): PageRequest {
  const limit = Math.min(page.limit, matching - page.offset);
  const order = page.order === 'asc' ? 'desc' : 'asc';
  return { ...page, order, offset: matching - page.offset - limit, limit };
}

function planForUncounted(leads: Leads, page: PageRequest, figures: Figures): Plan | Measure {
  const { candidates, range, sampled, indexed, near } = figures;
  const most = range === null ? candidates : Math.min(candidates, range.last - range.first + 1);
  const few = leads.isNarrowed ? fewContacts : fewListed;
  const isSuppressed = !leads.isNarrowed && leads.status === 'suppressed';
  const reach = Math.min(figures.reach, indexed ?? Number.POSITIVE_INFINITY);
  const canGather = reach <= readLimits.gathered;
  const isPastNear = page.sort === 'address' && page.offset > nearOffset;
  if (leads.isNamed || ((most <= few || isSuppressed || isPastNear) && canGather))
    return { kind: 'gather', total: null };
  if (sampled === undefined) return measure('sampled');
  const each = most / Math.max(sampled, 1);
  const isFar = isPastNear || page.offset > farthestTested || page.offset * each > readLimits.tested;
  if (sampled <= few || isFar) {
    const isShort = page.sort === 'createdAt' && (page.offset + page.limit) * each <= shortWalk;
    const mayLead = !canGather && indexed === undefined;
    if (mayLead && leads.isUnread && !leads.isIndexed && isShort) {
      if (near === undefined) return measure('near');
      if (near.isFound) return { kind: 'near', total: sampled };
    }
    if (mayLead && (leads.isIndexed || leads.isUnread)) return measure('indexed');
    if (canGather || isFar) return gatherWithin(reach, null);
  }
  if (isRankedSort(page.sort))
    return page.offset > farthestRanked ? tooFar : { kind: 'walk by rank', total: sampled, isEstimate: true };
  return { kind: walkOf(leads, page), total: sampled, isEstimate: true, isFromEnd: false };
}

/**
 * An import adds its contacts in the order of their domains, so contacts of one domain are next to
 * each other. A walk by id may therefore pass millions of others before it meets them. The blocks'
 * text says for a whole block at a time whether the domain is among its contacts.
 */
function walkOf(leads: Leads, { sort }: PageRequest) {
  if (sort === 'address') return 'walk by address';
  if (leads.domain !== null) return 'walk by domain';
  return leads.hasLists ? 'walk by list' : 'walk by id';
}

function planForTerm(term: string, page: PageRequest, figures: Figures): Plan | Measure {
  const { candidates, reach, text, blocks } = figures;
  if (candidates <= fewContacts && reach <= readLimits.gathered) return { kind: 'gather', total: null };
  if (text === undefined) return measure('text');
  if (isCommon(term, text)) {
    if (page.offset > (isRankedSort(page.sort) ? farthestRanked : farthestTested)) return tooFar;
    if (isRankedSort(page.sort)) return { kind: 'common by rank' };
    return { kind: page.sort === 'address' ? 'common by address' : 'blocks' };
  }
  if (blocks === undefined) return measure('blocks');
  if (blocks.count <= fewBlocks) return { kind: 'index of few' };
  return { kind: page.sort === 'createdAt' ? 'index' : 'index by address' };
}

/**
 * How all contacts of an audience are found: counted by a rollup, read one by one, or through the
 * trigram index.
 */
export type WholePlan = { kind: 'rollup'; total: number } | { kind: 'read' } | { kind: 'trigrams' };

/** The next step towards all contacts of an audience. `count` asks only for their number. */
export function chooseWhole(leads: Leads, figures: Figures): WholePlan | Measure {
  if (isCounted(leads)) return { kind: 'rollup', total: figures.candidates };
  const { term } = leads;
  if (term === null || !hasTrigram(term) || figures.candidates <= fewContacts) return { kind: 'read' };
  if (figures.text === undefined) return measure('text');
  return { kind: isCommon(term, figures.text) ? 'read' : 'trigrams' };
}

/**
 * True when the term is too common for the index to help, or has no three letters in a row, which
 * is what the index stores.
 */
const isCommon = (term: string, { blocks, hits }: { blocks: number; hits: number }): boolean =>
  !hasTrigram(term) || hits >= blocks * commonShare;

/**
 * True for a term that the trigram index can use to tell blocks apart: three letters or digits in a
 * row, where a separator counts as two (the database's `search_text`).
 */
export const hasTrigram = (term: string): boolean =>
  /[\p{L}\p{N}]{3}/u.test(term.replaceAll(/[@._-]/g, 'qz'));
