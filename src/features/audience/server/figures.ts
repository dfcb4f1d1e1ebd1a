import { sql } from 'kysely';
import { type Counts, selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import {
  type Figures,
  fewBlocks,
  fewInDomains,
  type Measure,
  nearLimits,
  type PageRequest,
} from '../rules/plan.ts';
import { selectDomainCount, selectDomainsCount } from './domains-count.ts';
import { countIndexed, sampleAhead, sampleLists, sampleRange } from './sample-queries.ts';
import { type FoundBlocks, findBlocks, type Sample, sampleBlocks } from './search-queries.ts';
import type { Sought } from './sought.ts';
import { walkById } from './walks/walk-by-id.ts';

/** How many blocks are sampled for the term. A term in at least one of a hundred is common. */
const sampledBlocks = 3000;
/** How many of the blocks that contain the term are checked. */
export const checkedBlocks = 200;

/** The figures that plans are chosen by, plus what the measuring queries found on the way. */
export interface Known extends Figures {
  /** All contacts of the workspace. */
  all: number;
  text?: Sample | undefined;
  blocks?: FoundBlocks | undefined;
  near?: { isFound: boolean; ids: number[] } | undefined;
}

/** A requested page, and what is known about its contacts so far. */
export interface Ask {
  tx: TenantTx;
  sought: Sought;
  page: PageRequest;
  known: Known;
}

/** What the rollups say. Reads only a few rows. */
export async function readFigures(tx: TenantTx, sought: Sought): Promise<Known> {
  const { workspaceId, leads, lists, named, range, inDomains } = sought;
  const { domain, status } = leads;
  const counts = await selectCounts(tx, workspaceId);
  const all = counts.total;
  const byDomain = domain === null ? null : await selectDomainCount(tx, workspaceId, domain, status);
  const ofDomain =
    domain === null || status === null ? byDomain : await selectDomainCount(tx, workspaceId, domain, null);
  const byStatus = status === null ? all : counts[status];
  const candidates = Math.min(
    byDomain ?? byStatus,
    inDomains?.matching ?? Number.POSITIVE_INFINITY,
    lists?.contacts ?? Number.POSITIVE_INFINITY,
    named?.length ?? Number.POSITIVE_INFINITY,
  );
  return { all, candidates, range, reach: reachOf(sought, counts, ofDomain) };
}

/** At most this many rows are read by `allMatching`, which takes the first of these ways. */
function reachOf(sought: Sought, counts: Counts, ofDomain: number | null): number {
  const { leads, lists, named, range, inDomains } = sought;
  const { status } = leads;
  if (status === 'suppressed') return counts.suppressed;
  if (named) return named.length;
  if (ofDomain !== null) return ofDomain;
  if (lists) return lists.contacts;
  if (inDomains && inDomains.contacts <= fewInDomains) return inDomains.contacts;
  const span = range ? range.last - range.first + 1 : counts.total;
  // Suppressed contacts are in the index of those that are not valid, too.
  const byState = status === null || status === 'active' ? counts.total : counts[status] + counts.suppressed;
  return Math.min(span, byState, counts.total);
}

/** About how many contacts match. */
async function sampled({ tx, sought, known }: Ask): Promise<void> {
  const { leads, lists, range } = sought;
  if (range) known.sampled ??= await sampleRange(tx, sought, range);
  else if (lists) known.sampled ??= await sampleLists(tx, sought, lists);
  else throw new RangeError(`nothing to sample of ${JSON.stringify(leads)}`);
}

/** How many blocks of a sample contain the term. The same wherever the page begins. */
export async function sampleText({ tx, sought, known }: Omit<Ask, 'page'>): Promise<Sample> {
  known.text ??= await sampleBlocks(tx, { ...sought, after: null }, sought.leads.term ?? '', {
    size: sampledBlocks,
    most: checkedBlocks,
  });
  return known.text;
}

/** The blocks that the trigram index names, in the order of the page. */
export async function findIndexed({ tx, sought, page, known }: Ask): Promise<FoundBlocks> {
  known.blocks ??= await findBlocks(tx, sought.leads.term ?? '', {
    ...partOf({ sought, page }),
    most: fewBlocks * 40,
    edge: Math.max(fewBlocks, (page.offset + page.limit) * 2),
    sampleSize: checkedBlocks,
  });
  return known.blocks;
}

/** In address order, what follows a place may be in any block. */
export const partOf = ({ sought, page }: Pick<Ask, 'sought' | 'page'>) => ({
  order: page.order,
  after: page.sort === 'createdAt' ? (sought.after?.id ?? null) : null,
});

/** Measures one more figure. */
export async function measure(ask: Ask, { what }: Measure): Promise<void> {
  const { tx, sought, known } = ask;
  if (what === 'sampled') await sampled(ask);
  else if (what === 'text') await sampleText(ask);
  else if (what === 'blocks') await findIndexed(ask);
  else if (what === 'near') known.near ??= await readNear(ask);
  else if (what === 'ahead') known.ahead ??= await sampleAhead(tx, sought);
  else known.indexed ??= await readIndexes(ask);
}

/** Walks a little way, where the page should be. */
async function readNear({ tx, sought, page }: Ask): Promise<NonNullable<Known['near']>> {
  const limits = { ...sought.limits, ...nearLimits };
  const { ids, isCut } = await walkById(tx, { ...sought, limits }, page);
  return { ids, isFound: !isCut };
}

/**
 * How many contacts a condition's index holds, or the domains that hold all contacts, or lists and
 * domains together. If these hold few, they lead to them.
 */
export async function readIndexes(ask: Ask): Promise<number> {
  const { tx, sought } = ask;
  const { workspaceId, limits, leads, unreadDomains, unreadEither } = sought;
  const indexed = await countIndexed(tx, sought, limits.gathered + 1);
  const ofDomain = unreadDomains ?? unreadEither?.ofDomain;
  const listed = unreadDomains ? 0 : (unreadEither?.lists.contacts ?? 0);
  if (!ofDomain || indexed <= limits.gathered || listed > limits.gathered) return indexed;
  const counts = await selectDomainsCount(tx, workspaceId, ofDomain(sql`d.domain`), leads.status);
  if (counts.contacts > fewInDomains) return indexed;
  ask.sought = unreadDomains
    ? { ...sought, inDomains: { ...counts, ofDomain } }
    : { ...sought, either: unreadEither };
  return listed + counts.contacts;
}
