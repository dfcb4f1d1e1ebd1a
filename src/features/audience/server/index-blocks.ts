import type { Database } from '#platform/server/database.ts';
import { indexRecent } from './search-queries.ts';

/**
 * Moves recent search blocks of all workspaces under the trigram index, `maxBlocks` per
 * transaction, until none are left. Answers how many. Runs every minute and after each import. Two
 * runs at once share the work.
 */
export async function indexRecentBlocks(
  db: Database,
  options: { maxBlocks?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const atOnce = options.maxBlocks ?? 800;
  let total = 0;
  while (!options.signal?.aborted) {
    const moved = await indexRecent(db.system, atOnce);
    total += moved;
    if (moved === 0) break;
  }
  return total;
}
