import { idsPerBlock } from '#features/contacts/server/index.ts';
import { type Counts, selectCounts } from '#features/rollups/server/index.ts';
/**
 * Which contacts a filter finds, in what order, and how many: exactly where that is affordable, else with an estimated
 * total.
 *
 * Without a search term every total stands in a rollup. With one:
 * - few contacts to look through (a small workspace, or a filter that leaves few): each is tested.
 * - else 3,000 blocks of search text are sampled. A term in at least one of a hundred is common: the blocks are read
 *   in order until the page is full, and the total is the sample's share of all contacts.
 * - else the trigram index names the blocks. Up to 4,000 are checked whole, which is exact. Of more, the newest are
 *   checked until the page is full, and the total is their number times the mean of a sample of them.
 * At 15 million contacts there are 940,000 blocks; checking one takes about 12 microseconds, looking for a word in its text half
 * of one.
 */
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { ContactFilter } from '../contract.ts';
import {
  chooseProfiles,
  filtersByVerdict,
  hasTrigram,
  isNarrowed,
  readFilter,
  type SearchFilter,
} from '../rules.ts';
import { blockWalk, pageFromBlocks, withoutLastGroup } from './block-walk.ts';
import { isAmong, matches, matchesAddress } from './filter-queries.ts';
import {
  allMatching,
  gather,
  nearOffset,
  type PageRequest,
  sampleProfiles,
  selectDomainCount,
  walkByAddress,
  walkById,
  walkByProfile,
} from './list-queries.ts';
import { sampleRange, selectIdRange } from './origin-queries.ts';
import { selectProfiles } from './profile-queries.ts';
import {
  countFound,
  countInBlocks,
  findBlocks,
  matchingByTrigrams,
  matchingInBlocks,
  type Sample,
  sampleBlocks,
} from './search-queries.ts';

export interface FoundPage {
  ids: number[];
  total: number;
  isEstimate: boolean;
}

/** Up to so many contacts are tested one by one. */
const fewContacts = 50_000;
/** Up to so many blocks are checked whole. */
const fewBlocks = 4000;
const sampledBlocks = 3000;
/** Contacts of one verdict lie far apart: up to so many are fetched one by one. */
const fewVerdicts = 10_000;
/** Of the blocks in which the sample finds the term, so many are checked. */
const checkedBlocks = 200;
/** A term in this share of the sampled blocks is common. */
const commonShare = 0.01;
/** Up to so many suppressed contacts are gathered from the list's side instead of met on a walk over all contacts. */
const fewSuppressed = 300_000;

const totalOf = (counts: Counts) => counts.active + counts.suppressed + counts.invalid + counts.duplicate;

/** A filter as people and programs write it, in the form in which it is looked for. */
export async function filterFor(
  tx: TenantTx,
  workspaceId: number,
  filter: ContactFilter,
  toAscii: (domain: string) => string,
): Promise<SearchFilter> {
  const plain = readFilter(filter, toAscii);
  const read = isNarrowed(plain) ? { ...plain, ids: await selectIdRange(tx, workspaceId, plain) } : plain;
  if (!filtersByVerdict(filter)) return read;
  return { ...read, profiles: chooseProfiles(filter, await selectProfiles(tx, workspaceId)) };
}

/** How many contacts the filter without its term lets through at most, from the rollups; see `isOnlyBound`. */
async function countWithoutTerm(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  counts: Counts,
): Promise<number> {
  const { domain, status, profiles } = filter;
  const found =
    domain !== null
      ? await selectDomainCount(tx, workspaceId, domain, status)
      : status === null
        ? totalOf(counts)
        : counts[status];
  return profiles === null ? found : Math.min(found, profiles.contacts);
}

/**
 * With verdicts beside a status or a domain, no rollup has the number of those that have both; the smaller one bounds it. Nor
 * has one the number of those of a source, an import or some days.
 */
const isOnlyBound = (filter: SearchFilter): boolean =>
  isNarrowed(filter) || (filter.profiles !== null && (filter.domain !== null || filter.status !== null));

/** One page of the contacts that `filter` finds. */
export async function findPage(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  page: PageRequest,
): Promise<FoundPage> {
  const counts = await selectCounts(tx, workspaceId);
  const candidates = await countWithoutTerm(tx, workspaceId, filter, counts);
  if (candidates === 0) return { ids: [], total: 0, isEstimate: false };
  if (isNarrowed(filter) && filter.term === null)
    return narrowedPage(tx, workspaceId, filter, page, candidates);
  if (isOnlyBound(filter) && filter.term === null)
    return boundedPage(tx, workspaceId, filter, page, candidates);
  if (filter.term === null) {
    const ids = await pageOfList(tx, workspaceId, filter, page, candidates);
    return { ids, total: candidates, isEstimate: false };
  }
  if (candidates <= fewContacts) {
    const found = await gather(tx, allMatching(workspaceId, filter), page);
    return { ...found, isEstimate: false };
  }
  return searchPage(tx, workspaceId, { ...filter, term: filter.term }, page, totalOf(counts));
}

/** A page of the contacts that have both: all of them gathered where that is affordable, else a walk and a sample. */
async function boundedPage(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  page: PageRequest,
  candidates: number,
): Promise<FoundPage> {
  const { profiles } = filter;
  const isFar = page.sort === 'address' && page.offset > nearOffset;
  if (profiles === null || candidates <= fewVerdicts || isFar) {
    return { ...(await gather(tx, allMatching(workspaceId, filter), page)), isEstimate: false };
  }
  const { sampled, matching } = await sampleProfiles(tx, workspaceId, { ...filter, profiles });
  const total = (profiles.contacts * matching) / Math.max(sampled, 1);
  if (total <= fewVerdicts || filter.status === 'suppressed') {
    return { ...(await gather(tx, allMatching(workspaceId, filter), page)), isEstimate: false };
  }
  const ids = await walkList(tx, workspaceId, filter, page);
  return { ids, ...estimate(total, page, ids.length) };
}

/**
 * A page of the contacts of a source, an import or some days: all of them gathered where a sample tells that they are few, for
 * which the index of sources or the range of ids is soon read, else a walk until the page is full.
 */
async function narrowedPage(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  page: PageRequest,
  candidates: number,
): Promise<FoundPage> {
  const ids = filter.ids ?? (await selectIdRange(tx, workspaceId, filter));
  const within = { ...filter, ids };
  const isFar = page.sort === 'address' && page.offset > nearOffset;
  const bound = Math.min(candidates, ids.last - ids.first + 1);
  const total = bound <= fewContacts ? bound : await sampleRange(tx, workspaceId, filter, ids);
  if (total <= fewContacts || isFar) {
    return { ...(await gather(tx, allMatching(workspaceId, within), page)), isEstimate: false };
  }
  const found = await walkList(tx, workspaceId, within, page);
  return { ids: found, ...estimate(total, page, found.length) };
}

async function pageOfList(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  page: PageRequest,
  matching: number,
): Promise<number[]> {
  if (page.offset >= matching) return [];
  const isFew = filter.status === 'suppressed' ? matching <= fewSuppressed : matching <= fewContacts;
  const isReached = filter.domain !== null || filter.status === 'suppressed';
  const isSortedFew = filter.profiles !== null && page.sort === 'address' && matching <= fewVerdicts;
  if ((isFew && isReached) || isSortedFew) {
    return (await gather(tx, allMatching(workspaceId, filter), page)).ids;
  }
  // Past the middle it is shorter from the other end.
  const isFar = page.offset > matching / 2;
  const limit = Math.min(page.limit, matching - page.offset);
  const asked = isFar
    ? { sort: page.sort, order: opposite(page.order), offset: matching - page.offset - limit, limit }
    : page;
  const ids = await walkList(tx, workspaceId, filter, asked);
  return isFar ? ids.reverse() : ids;
}

/**
 * An import adds its contacts in the order of their domains, so those of one domain stand together and a walk by id may pass
 * millions of others before it meets them. The blocks' text tells 64 at a time whether the domain is among them.
 */
async function walkList(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  page: PageRequest,
): Promise<number[]> {
  const { profiles } = filter;
  if (page.sort === 'address') {
    const isFar = profiles !== null && page.offset > nearOffset;
    return isFar
      ? (await gather(tx, allMatching(workspaceId, filter), page)).ids
      : walkByAddress(tx, workspaceId, filter, page);
  }
  const after = filter.after?.id ?? null;
  if (profiles !== null && !isOnlyBound(filter)) return walkByProfile(tx, workspaceId, profiles, page, after);
  if (filter.domain === null) return walkById(tx, workspaceId, filter, page);
  const walk = blockWalk(tx, workspaceId, { term: `@${filter.domain}`, after }, page.order, commonShare);
  return pageFromBlocks(tx, workspaceId, filter, page, idsPerBlock / 4, walk);
}

const opposite = (order: 'asc' | 'desc'): 'asc' | 'desc' => (order === 'asc' ? 'desc' : 'asc');

type TermFilter = SearchFilter & { term: string };

async function searchPage(
  tx: TenantTx,
  workspaceId: number,
  filter: TermFilter,
  page: PageRequest,
  all: number,
): Promise<FoundPage> {
  // How many matches to expect in a block does not depend on where the page begins.
  const anywhere = { ...filter, after: null };
  const sample = await sampleBlocks(tx, workspaceId, anywhere, sampledBlocks, checkedBlocks);
  if (isCommon(filter.term, sample)) return commonPage(tx, workspaceId, filter, page, all, sample);
  const edge = Math.max(fewBlocks, (page.offset + page.limit) * 2);
  // In the order of addresses, what comes after a place may be in any block.
  const after = page.sort === 'createdAt' ? (filter.after?.id ?? null) : null;
  const within = { order: page.order, after };
  const blocks = await findBlocks(tx, filter.term, {
    ...within,
    most: fewBlocks * 40,
    edge,
    sampleSize: checkedBlocks,
  });
  if (blocks.count <= fewBlocks) {
    const found = await gather(tx, matchingInBlocks(workspaceId, blocks.edge, filter), page);
    return { ...found, isEstimate: false };
  }
  if (page.sort === 'address') {
    const found = await gather(tx, matchingByTrigrams(workspaceId, filter), page);
    return { ...found, isEstimate: false };
  }
  const inSample = await countInBlocks(tx, workspaceId, blocks.sample, anywhere);
  const mean = inSample / Math.max(1, blocks.sample.length);
  const ids = await pageFromBlocks(tx, workspaceId, filter, page, mean, async (most) => {
    const isEnough = most <= blocks.edge.length || blocks.edge.length >= blocks.count;
    const further = { ...within, most: 2147483647, edge: most, sampleSize: 0 };
    const found = isEnough ? blocks : await findBlocks(tx, filter.term, further);
    const isAll = found.edge.length >= found.count;
    return { blocks: isAll ? found.edge : withoutLastGroup(found.edge), isAll };
  });
  return { ids, ...estimate(blocks.count * mean, page, ids.length) };
}

/** Too common for the index to help, or without three letters in a row, which is what the index knows. */
const isCommon = (term: string, sample: Sample) =>
  !hasTrigram(term) || sample.hits >= sample.blocks * commonShare;

async function commonPage(
  tx: TenantTx,
  workspaceId: number,
  filter: TermFilter,
  page: PageRequest,
  all: number,
  sample: Sample,
): Promise<FoundPage> {
  // What the sample does not have at all may still be there once in as many blocks.
  const share = Math.max(sample.fitting, 1) / Math.max(sample.blocks, 1);
  const mean = sample.checked === 0 ? 1 : sample.matching / sample.checked;
  const total = (all / Math.max(1, sample.contactsPerBlock)) * share * mean;
  if (page.sort === 'address') {
    const ids = await walkByAddress(tx, workspaceId, filter, page);
    return { ids, ...estimate(total, page, ids.length) };
  }
  const from = { term: filter.term, after: filter.after?.id ?? null };
  const walk = blockWalk(tx, workspaceId, from, page.order, share);
  const ids = await pageFromBlocks(tx, workspaceId, filter, page, mean, walk);
  return { ids, ...estimate(total, page, ids.length) };
}

/** An estimate may not contradict the page at hand: a page that is not full is the last one. */
function estimate(total: number, page: PageRequest, shown: number): { total: number; isEstimate: boolean } {
  if (shown === 0) return { total: Math.min(Math.round(total), page.offset), isEstimate: page.offset > 0 };
  const seen = page.offset + shown;
  if (shown < page.limit) return { total: seen, isEstimate: false };
  return { total: Math.max(Math.round(total), seen), isEstimate: true };
}

/** Every contact that the filter finds, exactly, as a fragment of (id, domain, local). */
export async function findAll(tx: TenantTx, workspaceId: number, filter: SearchFilter): Promise<Fragment> {
  const isRare = await isRareTerm(tx, workspaceId, filter);
  return isRare ? matchingByTrigrams(workspaceId, filter) : allMatching(workspaceId, filter);
}

/** The same as a condition on `c`, for a query that reads contacts with `contactsWithSuppression`. */
export async function conditionFor(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
): Promise<Fragment> {
  const isRare = await isRareTerm(tx, workspaceId, filter);
  return isRare
    ? isAmong(workspaceId, matchingByTrigrams(workspaceId, filter))
    : matches(workspaceId, filter);
}

/** The same as a condition on `c` alone. */
export async function plainConditionFor(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
): Promise<Fragment> {
  if (filter.status === null && filter.term === null) return matchesAddress(workspaceId, filter);
  if (filter.status !== null || (await isRareTerm(tx, workspaceId, filter))) {
    return isAmong(workspaceId, await findAll(tx, workspaceId, filter));
  }
  return matchesAddress(workspaceId, filter);
}

/** True when the trigram index leads to the matches sooner than reading the contacts that the rest of the filter leaves. */
async function isRareTerm(tx: TenantTx, workspaceId: number, filter: SearchFilter): Promise<boolean> {
  const { term } = filter;
  if (term === null || !hasTrigram(term)) return false;
  const counts = await selectCounts(tx, workspaceId);
  if ((await countWithoutTerm(tx, workspaceId, filter, counts)) <= fewContacts) return false;
  const sample = await sampleBlocks(tx, workspaceId, { ...filter, term }, sampledBlocks, checkedBlocks);
  return !isCommon(term, sample);
}

/** How many contacts the filter finds, exactly. */
export async function countAll(tx: TenantTx, workspaceId: number, filter: SearchFilter): Promise<number> {
  if (filter.term !== null || isOnlyBound(filter)) {
    return countFound(tx, await findAll(tx, workspaceId, filter));
  }
  return countWithoutTerm(tx, workspaceId, filter, await selectCounts(tx, workspaceId));
}
