import type { TenantTx } from '#platform/server/database.ts';
import type { SearchFilter } from '../rules.ts';
import { gather, type PageRequest } from './list-queries.ts';
import { type Block, idsPerBlock, matchingInBlocks, readBlocks } from './search-queries.ts';

/** Pages out of blocks of search text, taken in their order until a page is full. */

/**
 * Reads blocks in order, from the one on that holds the id `after`, as many at a time as should hold what is asked for, and
 * keeps those with the term.
 */
export function blockWalk(
  tx: TenantTx,
  workspaceId: number,
  { term, after }: { term: string; after: number | null },
  order: 'asc' | 'desc',
  share: number,
) {
  const hits: Block[] = [];
  let from: number | null = after === null ? null : groupEdge(after, order);
  let isAtEnd = false;
  return async (wanted: number): Promise<TakenBlocks> => {
    while (!isAtEnd && hits.length < wanted) {
      const most = Math.min(200_000, Math.ceil(((wanted - hits.length) / share) * 1.3) + 256);
      const read = await readBlocks(tx, workspaceId, term, { from, most, order });
      hits.push(...read.hits);
      from = read.next;
      isAtEnd = read.next === null;
    }
    return { blocks: hits, isAll: isAtEnd };
  };
}

/** Where the blocks begin, in this order, that may hold the id or what comes after it. */
function groupEdge(id: number, order: 'asc' | 'desc'): number {
  const group = Math.floor(id / idsPerBlock);
  return (order === 'asc' ? group : group + 1) * idsPerBlock;
}

/** Blocks in order, whole groups of 64 ids only. `isAll`: there are no more. */
interface TakenBlocks {
  blocks: Block[];
  isAll: boolean;
}

/**
 * The page from blocks in order: takes about as many as it should need, and more while they do not fill it.
 * `mean` is the number of matches to expect in a block.
 */
export async function pageFromBlocks(
  tx: TenantTx,
  workspaceId: number,
  filter: SearchFilter,
  page: PageRequest,
  mean: number,
  take: (most: number) => Promise<TakenBlocks>,
): Promise<number[]> {
  let most = Math.min(1_000_000, Math.ceil(((page.offset + page.limit) / Math.max(mean, 0.05)) * 1.3) + 8);
  for (;;) {
    const { blocks, isAll } = await take(most);
    const { ids } = await gather(tx, matchingInBlocks(workspaceId, blocks, filter), page);
    if (ids.length === page.limit || isAll) return ids;
    most *= 4;
  }
}

/** Of the last group of 64 ids, blocks may be missing; they would belong among those that are there. */
export function withoutLastGroup(blocks: Block[]): Block[] {
  const group = (block: Block | undefined) => Math.floor((block?.firstId ?? 0) / idsPerBlock);
  const last = group(blocks.at(-1));
  return blocks.filter((block) => group(block) !== last);
}
