import { idsPerBlock } from '#features/contacts/rules.ts';

import type { TenantTx } from '#platform/server/database.ts';
import { hasTrigram, type PageRequest } from '../../rules/plan.ts';
import { gather, type Walked } from '../list-queries.ts';
import { type Block, findBlocks, matchingInBlocks, readBlocks } from '../search-queries.ts';
import type { Sought } from '../sought.ts';

/** Fills pages from blocks of search text, read in order. */

/**
 * At least this many blocks are read before looking elsewhere for the term. They take about 40 ms.
 */
export const usualPatience = 16_000;
/** At most this many blocks are read for a term that the trigram index does not know. */
const mostBlocksRead = 200_000;

/**
 * Reads blocks in order, starting at the one with the id `after`, as many at a time as should be
 * enough, and keeps those with the term. A term may occur only in old contacts. After four times as
 * many blocks as should have been enough, the trigram index names the rest.
 */
export function blockWalk(
  tx: TenantTx,
  workspaceId: number,
  { term, after, patience = usualPatience }: { term: string; after: number | null; patience?: number },
  order: 'asc' | 'desc',
  share: number,
) {
  const hits: Block[] = [];
  let from: number | null = after === null ? null : groupEdge(after, order);
  let isAtEnd = false;
  let blocksRead = 0;
  let isFruitless = false;
  return async (wanted: number): Promise<TakenBlocks> => {
    const enough = hasTrigram(term) ? Math.max(patience, (4 * wanted) / share) : mostBlocksRead;
    while (!isAtEnd && !isFruitless && hits.length < wanted) {
      const most = Math.min(200_000, Math.ceil(((wanted - hits.length) / share) * 1.3) + 256);
      const read = await readBlocks(tx, workspaceId, term, { from, most, order });
      hits.push(...read.hits);
      from = read.next;
      isAtEnd = read.next === null;
      blocksRead += most;
      isFruitless = blocksRead >= enough;
    }
    if (isAtEnd || hits.length >= wanted || from === null || !hasTrigram(term))
      return { blocks: hits, isAll: isAtEnd, isCut: !isAtEnd && hits.length < wanted };
    const rest = await findBlocks(tx, term, {
      most: 2147483647,
      edge: wanted - hits.length + idsPerBlock,
      order,
      after: order === 'asc' ? from - 1 : from,
      sampleSize: 0,
    });
    const isAll = rest.edge.length >= rest.count;
    return { blocks: [...hits, ...(isAll ? rest.edge : withoutLastGroup(rest.edge))], isAll };
  };
}

/** Where the blocks that may hold the id, or what follows it, begin in this order. */
function groupEdge(id: number, order: 'asc' | 'desc'): number {
  const group = Math.floor(id / idsPerBlock);
  return (order === 'asc' ? group : group + 1) * idsPerBlock;
}

/** Blocks in order, in whole groups of ids. `isAll`: there are no more. */
interface TakenBlocks {
  blocks: Block[];
  isAll: boolean;
  /** There may be more, but looking for them takes too long. */
  isCut?: boolean;
}

/**
 * The page from blocks in order. Takes about as many blocks as it should need, and more until the
 * page is full or too many were checked. `mean` is the expected number of matches in a block.
 */
export async function pageFromBlocks(
  tx: TenantTx,
  sought: Sought,
  page: PageRequest,
  mean: number,
  take: (most: number) => Promise<TakenBlocks>,
): Promise<Walked> {
  const mostChecked = Math.ceil(sought.limits.gathered / idsPerBlock);
  let most = Math.ceil(((page.offset + page.limit) / Math.max(mean, 0.05)) * 1.3) + 8;
  for (;;) {
    most = Math.min(mostChecked, most);
    const { blocks, isAll, isCut = false } = await take(most);
    const { ids } = await gather(tx, matchingInBlocks(sought, blocks), page, sought);
    if (ids.length === page.limit || isAll) return { ids, isCut: false };
    if (isCut || most === mostChecked) return { ids, isCut: true };
    most *= 4;
  }
}

/** Drops the last group of ids, because some of its blocks may be missing. */
export function withoutLastGroup(blocks: Block[]): Block[] {
  const group = (block: Block | undefined) => Math.floor((block?.firstId ?? 0) / idsPerBlock);
  const last = group(blocks.at(-1));
  return blocks.filter((block) => group(block) !== last);
}
