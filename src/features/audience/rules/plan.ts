import type { ContactStatus } from '#features/contacts/contract.ts';

/*
 * How a page of an audience is found, or all of it. What leads to contacts is what all of them have
 * in common: a searched term, a domain, a status, lists in an index, a range of ids. Everything
 * else is tested on what the lead yields.
 *
 *   is the number of contacts in a rollup?  list of them: few are gathered and sorted, many are walked in the order asked for
 *   does no rollup know it?                 the same, once a sample has told whether they are few
 *   is there a term, among many contacts?   a sample of blocks tells whether it is common:
 *                                             common      the blocks are read in order until the page is full
 *                                             not common  the trigram index names the blocks
 *
 * Figures that cost a query are asked for only where the plan hangs on them: then `choosePlan`
 * answers what to measure.
 */

/** What all contacts of an audience have in common, as far as it can lead to them. */
export interface Leads {
  /** As it stands in addresses: lower case. */
  term: string | null;
  domain: string | null;
  status: ContactStatus | null;
  /** Some of its conditions are lists in an index. */
  hasLists: boolean;
  /** They are named. */
  isNamed: boolean;
  /** There is a condition of which no rollup knows the number. */
  isNarrowed: boolean;
}

/** A page of a list in the order asked for. */
export interface PageRequest {
  sort: 'createdAt' | 'address';
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/**
 * A contact's place in the order of a list: by when it was added, or by domain, local part and then
 * that.
 */
export type PlaceInOrder = { order: 'asc' | 'desc'; id: number } & (
  | { sort: 'createdAt' }
  | { sort: 'address'; domain: string; local: string }
);

/** Both ends included; empty when the last is before the first. */
export interface IdRange {
  first: number;
  last: number;
}

/** What is known of how many contacts there are. What is absent was not measured. */
export interface Figures {
  /**
   * By the rollups, at most so many contacts match, the term aside. Exactly so many where a rollup
   * counts them.
   */
  candidates: number;
  /** Ids among which all contacts lie; only of a narrowed audience. */
  range: IdRange | null;
  /** About how many match, by a sample. */
  sampled?: number | undefined;
  /** A sample of blocks of search text: in how many of them the term occurs. */
  text?: { blocks: number; hits: number } | undefined;
  /** In how many blocks the trigram index finds the term. */
  blocks?: { count: number } | undefined;
}

/** Up to so many contacts are tested one by one. */
export const fewContacts = 50_000;
/** Contacts of one list lie far apart: up to so many are fetched one by one. */
export const fewListed = 10_000;
/**
 * Up to so many suppressed contacts are gathered from the list's side instead of met on a walk over
 * all contacts.
 */
export const fewSuppressed = 300_000;
/** Up to so many blocks are checked whole. */
export const fewBlocks = 4000;
/** A term in this share of the sampled blocks is common. */
export const commonShare = 0.01;
/**
 * Up to here the identity index is walked from its end; beyond, the domains' figures say where the
 * page begins.
 */
export const nearOffset = 1000;

export type Plan =
  /** No contact matches, or none so far on. */
  | { kind: 'nothing'; total: number }
  /**
   * Finds all that match, whatever index leads to them, and sorts them. `total`: null where this
   * counts them.
   */
  | { kind: 'gather'; total: number | null }
  /**
   * Walks the contacts in the order asked for until the page is full. `isFromEnd`: from the other
   * end, which is nearer.
   */
  | {
      kind: 'walk by id' | 'walk by address' | 'walk by list' | 'walk by domain';
      total: number;
      isEstimate: boolean;
      isFromEnd: boolean;
    }
  /**
   * Reads the blocks of search text in order, or the contacts by address; the total is the sample's
   * share.
   */
  | { kind: 'blocks' | 'common by address' }
  /**
   * Checks the blocks that the trigram index names: all of them where they are few, else the
   * nearest; or all contacts in them.
   */
  | { kind: 'index of few' | 'index' | 'index by address' };

/** What has to be measured before a plan can be chosen. */
export interface Measure {
  kind: 'measure';
  what: 'sampled' | 'text' | 'blocks';
}

/** The next step towards a page: a plan, or what to measure first. */
export function choosePlan(leads: Leads, page: PageRequest, figures: Figures): Plan | Measure {
  if (figures.candidates === 0) return { kind: 'nothing', total: 0 };
  if (leads.term !== null) return planForTerm(leads.term, page, figures);
  if (isCounted(leads)) return planForCounted(leads, page, figures.candidates);
  return planForUncounted(leads, page, figures);
}

/**
 * Whether a rollup has the number: of all contacts, of a status, a domain, both of them, or of
 * lists alone.
 */
export const isCounted = (leads: Leads): boolean =>
  leads.term === null &&
  !leads.isNamed &&
  !leads.isNarrowed &&
  !(leads.hasLists && (leads.domain !== null || leads.status !== null));

function planForCounted(leads: Leads, page: PageRequest, matching: number): Plan {
  if (page.offset >= matching) return { kind: 'nothing', total: matching };
  const isFew = matching <= (leads.status === 'suppressed' ? fewSuppressed : fewContacts);
  const isReached = leads.domain !== null || leads.status === 'suppressed';
  const isSortedFew = leads.hasLists && page.sort === 'address' && matching <= fewListed;
  if ((isFew && isReached) || isSortedFew) return { kind: 'gather', total: matching };
  const isFromEnd = page.offset > matching / 2;
  const { offset } = isFromEnd ? fromEnd(page, matching) : page;
  if (leads.hasLists && page.sort === 'address' && offset > nearOffset)
    return { kind: 'gather', total: matching };
  return { kind: walkOf(leads, page), total: matching, isEstimate: false, isFromEnd };
}

/** The same page, counted from the other end of `matching` contacts. */
export function fromEnd(page: PageRequest, matching: number): PageRequest {
  const limit = Math.min(page.limit, matching - page.offset);
  const order = page.order === 'asc' ? 'desc' : 'asc';
  return { ...page, order, offset: matching - page.offset - limit, limit };
}

function planForUncounted(leads: Leads, page: PageRequest, figures: Figures): Plan | Measure {
  const { candidates, range, sampled } = figures;
  const most = range === null ? candidates : Math.min(candidates, range.last - range.first + 1);
  const few = leads.isNarrowed ? fewContacts : fewListed;
  const isFar = page.sort === 'address' && page.offset > nearOffset;
  const isReached = leads.isNamed || (!leads.isNarrowed && leads.status === 'suppressed');
  if (most <= few || isFar || isReached) return { kind: 'gather', total: null };
  if (sampled === undefined) return { kind: 'measure', what: 'sampled' };
  if (sampled <= few) return { kind: 'gather', total: null };
  return { kind: walkOf(leads, page), total: sampled, isEstimate: true, isFromEnd: false };
}

/**
 * An import adds its contacts in the order of their domains, so those of one domain stand together
 * and a walk by id may pass millions of others before it meets them. The blocks' text tells 64 at a
 * time whether the domain is among them.
 */
function walkOf(leads: Leads, { sort }: PageRequest) {
  if (sort === 'address') return 'walk by address';
  if (leads.hasLists && isCounted(leads)) return 'walk by list';
  return leads.domain === null ? 'walk by id' : 'walk by domain';
}

function planForTerm(term: string, page: PageRequest, figures: Figures): Plan | Measure {
  const { candidates, text, blocks } = figures;
  if (candidates <= fewContacts) return { kind: 'gather', total: null };
  if (text === undefined) return { kind: 'measure', what: 'text' };
  if (isCommon(term, text)) return { kind: page.sort === 'address' ? 'common by address' : 'blocks' };
  if (blocks === undefined) return { kind: 'measure', what: 'blocks' };
  if (blocks.count <= fewBlocks) return { kind: 'index of few' };
  return { kind: page.sort === 'address' ? 'index by address' : 'index' };
}

/**
 * How all contacts of an audience are found: counted by a rollup, read one by one, or through the
 * trigram index.
 */
export type WholePlan = { kind: 'rollup'; total: number } | { kind: 'read' } | { kind: 'trigrams' };

/** The next step towards all contacts of an audience, for `count` towards their number. */
export function chooseWhole(leads: Leads, figures: Figures): WholePlan | Measure {
  if (isCounted(leads)) return { kind: 'rollup', total: figures.candidates };
  const { term } = leads;
  if (term === null || !hasTrigram(term) || figures.candidates <= fewContacts) return { kind: 'read' };
  if (figures.text === undefined) return { kind: 'measure', what: 'text' };
  return { kind: isCommon(term, figures.text) ? 'read' : 'trigrams' };
}

/**
 * Too common for the index to help, or without three letters in a row, which is what the index
 * knows.
 */
const isCommon = (term: string, { blocks, hits }: { blocks: number; hits: number }): boolean =>
  !hasTrigram(term) || hits >= blocks * commonShare;

/**
 * True for a term that the trigram index can tell blocks apart by: three letters or digits in a
 * row, where a separator counts as two (the database's `search_text`).
 */
export const hasTrigram = (term: string): boolean =>
  /[\p{L}\p{N}]{3}/u.test(term.replaceAll(/[@._-]/g, 'qz'));
