import { idsPerBlock } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { choosePlan, commonShare, fromEnd, isCounted, type PageRequest, type Plan } from '../rules/plan.ts';
import { type Ask, findIndexed, measure, partOf, readFigures, sampleText } from './figures.ts';
import {
  allMatching,
  gather,
  mostListsJoined,
  type Walked,
  walkAlongLists,
  walkByAddress,
  walkByList,
} from './list-queries.ts';
import { walkByRank } from './ranked-queries.ts';
import { countInBlocks, findBlocks, matchingByTrigrams, matchingInBlocks } from './search-queries.ts';
import type { Lists, Sought } from './sought.ts';
import { blockWalk, pageFromBlocks, usualPatience, withoutLastGroup } from './walks/block-walk.ts';
import { walkById } from './walks/walk-by-id.ts';

/** Pages of an audience. rules/plan.ts chooses how to find one; each way has an executor here. */

export interface FoundPage {
  ids: number[];
  total: number;
  isEstimate: boolean;
  /** The page is not full, and yet contacts may follow that were not looked at. */
  isCut?: boolean;
}

/** One page of the matching contacts. */
export async function findPage(tx: TenantTx, asked: Sought, page: PageRequest): Promise<FoundPage> {
  const sought = { ...asked, isPage: true };
  const ask: Ask = { tx, sought, page, known: await readFigures(tx, sought) };
  for (;;) {
    const next = choosePlan(sought.leads, page, ask.known);
    if (next.kind !== 'measure') return carryOut(ask, next);
    await measure(ask, next);
  }
}

/** Finds a page in the way that a plan says. */
export async function carryOut(ask: Ask, plan: Plan): Promise<FoundPage> {
  switch (plan.kind) {
    case 'nothing':
      return { ids: [], total: plan.total, isEstimate: false };
    case 'gather':
      return gathered(ask, plan.total);
    case 'blocks':
      return commonInOrder(ask);
    case 'common by address':
      return commonByAddress(ask);
    case 'common by rank':
      return byRank(ask, (await commonTerm(ask)).total, true);
    case 'walk by rank':
      return byRank(ask, plan.total, plan.isEstimate);
    case 'near':
      return found(ask.known.near?.ids ?? [], ask.page, plan.total);
    case 'too far':
      throw tooFar();
    case 'index of few':
      return inFewBlocks(ask);
    case 'index':
      return inManyBlocks(ask);
    case 'index by address':
      return inAllBlocks(ask);
    default:
      return walked(ask, plan);
  }
}

async function gathered({ tx, sought, page }: Ask, total: number | null): Promise<FoundPage> {
  const all = await gather(tx, allMatching(sought), page, sought);
  return { ids: all.ids, total: total ?? all.total, isEstimate: false };
}

async function byRank(ask: Ask, total: number, isEstimate: boolean): Promise<FoundPage> {
  return shown(ask, await walkByRank(ask.tx, ask.sought, ask.page), total, isEstimate);
}

/**
 * The page that a walk found. If the walk was cut, all that match are gathered where that is little
 * to read. Otherwise the beginning of the list is shown as far as it was found, and a cursor goes
 * on from there.
 */
async function shown(
  ask: Ask,
  { ids, isCut }: Walked,
  total: number,
  isEstimate: boolean,
): Promise<FoundPage> {
  const { page, known } = ask;
  if (!isCut) return isEstimate ? found(ids, page, total) : { ids, total, isEstimate };
  if (Math.min(known.reach, known.indexed ?? known.reach) <= ask.sought.limits.gathered)
    return gathered(ask, isEstimate ? null : total);
  if (page.offset > 0 || ids.length === 0) throw tooFar();
  return { ids, total: Math.max(Math.round(total), ids.length + 1), isEstimate: true, isCut };
}

const tooFar = () =>
  new AppError(
    'invalid_input',
    'These contacts lie too far apart in this order to be listed here. Narrow the filter, or sort in another order.',
  );

type Walk = Extract<Plan, { isFromEnd: boolean }>;

async function walked(ask: Ask, { kind, total, isEstimate, isFromEnd }: Walk): Promise<FoundPage> {
  const walk = await walks[kind]({ ...ask, page: isFromEnd ? fromEnd(ask.page, total) : ask.page });
  const ids = isFromEnd ? walk.ids.reverse() : walk.ids;
  return shown(ask, { ids, isCut: walk.isCut }, total, isEstimate);
}

/** As many blocks are read in order in the time that the trigram index takes for one. */
const blocksPerIndexed = 3;

const walks: Record<Walk['kind'], (ask: Ask) => Promise<Walked>> = {
  'walk by id': ({ tx, sought, page }) => walkById(tx, sought, page),
  'walk by address': ({ tx, sought, page }) => walkByAddress(tx, sought, page),
  'walk by list': ({ tx, sought, page }) => {
    const lists = sought.lists as Lists;
    if (isCounted(sought.leads)) return walkByList(tx, sought, lists, page);
    const areMany = lists.lists.length > mostListsJoined;
    return areMany ? walkById(tx, sought, page) : walkAlongLists(tx, sought, lists, page);
  },
  'walk by domain': ({ tx, sought, page, known }) => {
    // The trigram index names all blocks of the domain, which may take longer than to read on.
    const patience = Math.max(usualPatience, (blocksPerIndexed * known.reach) / idsPerBlock);
    const from = { term: `@${sought.leads.domain}`, after: sought.after?.id ?? null, patience };
    const walk = blockWalk(tx, sought.workspaceId, from, page.order, commonShare);
    return pageFromBlocks(tx, sought, page, idsPerBlock / 4, walk);
  },
};

/**
 * What the sample says about a common term: the share of blocks that contain it, how often per
 * block, and the resulting number of contacts.
 */
async function commonTerm(ask: Ask): Promise<{ share: number; mean: number; total: number }> {
  const sample = await sampleText(ask);
  // A term that is not in the sample may still occur about once in as many blocks.
  const share = Math.max(sample.fitting, 1) / Math.max(sample.blocks, 1);
  const mean = sample.checked === 0 ? 1 : sample.matching / sample.checked;
  return { share, mean, total: (ask.known.all / Math.max(1, sample.contactsPerBlock)) * share * mean };
}

async function commonByAddress(ask: Ask): Promise<FoundPage> {
  const { total } = await commonTerm(ask);
  return shown(ask, await walkByAddress(ask.tx, ask.sought, ask.page), total, true);
}

async function commonInOrder(ask: Ask): Promise<FoundPage> {
  const { tx, sought, page } = ask;
  const { share, mean, total } = await commonTerm(ask);
  const from = { term: sought.leads.term ?? '', after: sought.after?.id ?? null };
  const walk = blockWalk(tx, sought.workspaceId, from, page.order, share);
  return shown(ask, await pageFromBlocks(tx, sought, page, mean, walk), total, true);
}

async function inFewBlocks(ask: Ask): Promise<FoundPage> {
  const { edge } = await findIndexed(ask);
  return {
    ...(await gather(ask.tx, matchingInBlocks(ask.sought, edge), ask.page, ask.sought)),
    isEstimate: false,
  };
}

const inAllBlocks = async ({ tx, sought, page }: Ask): Promise<FoundPage> => ({
  ...(await gather(tx, matchingByTrigrams(sought), page, sought)),
  isEstimate: false,
});

/**
 * Checks the nearest blocks until the page is full. The total is the number of blocks times the
 * mean of a sample of them.
 */
async function inManyBlocks(ask: Ask): Promise<FoundPage> {
  const { tx, sought, page } = ask;
  const blocks = await findIndexed(ask);
  const inSample = await countInBlocks(tx, { ...sought, after: null }, blocks.sample);
  const mean = inSample / Math.max(1, blocks.sample.length);
  const walk = await pageFromBlocks(tx, sought, page, mean, async (most) => {
    const isEnough = most <= blocks.edge.length || blocks.edge.length >= blocks.count;
    const further = { ...partOf(ask), most: 2147483647, edge: most, sampleSize: 0 };
    const taken = isEnough ? blocks : await findBlocks(tx, sought.leads.term ?? '', further);
    const isAll = taken.edge.length >= taken.count;
    return { blocks: isAll ? taken.edge : withoutLastGroup(taken.edge), isAll };
  });
  return shown(ask, walk, blocks.count * mean, true);
}

const found = (ids: number[], page: PageRequest, total: number): FoundPage => ({
  ids,
  ...estimate(total, page, ids.length),
});

/** Keeps an estimate from contradicting the page: a page that is not full is the last one. */
function estimate(total: number, page: PageRequest, shown: number): { total: number; isEstimate: boolean } {
  if (shown === 0) return { total: Math.min(Math.round(total), page.offset), isEstimate: page.offset > 0 };
  const seen = page.offset + shown;
  if (shown < page.limit) return { total: seen, isEstimate: false };
  return { total: Math.max(Math.round(total), seen), isEstimate: true };
}
