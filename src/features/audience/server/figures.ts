import { selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type Figures, fewBlocks, type Measure, type PageRequest } from '../rules/plan.ts';
import { selectDomainCount } from './domains-count.ts';
import { sampleLists, sampleRange } from './sample-queries.ts';
import { type FoundBlocks, findBlocks, type Sample, sampleBlocks } from './search-queries.ts';
import type { Sought } from './sought.ts';

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
  const byStatus = status === null ? all : counts[status];
  const candidates = Math.min(
    byDomain ?? byStatus,
    inDomains?.matching ?? Number.POSITIVE_INFINITY,
    lists?.contacts ?? Number.POSITIVE_INFINITY,
    named?.length ?? Number.POSITIVE_INFINITY,
  );
  return { all, candidates, range };
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
  if (what === 'sampled') await sampled(ask);
  else if (what === 'text') await sampleText(ask);
  else await findIndexed(ask);
}
