import { inBackground } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';
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

/** Has new contacts indexed for search now, instead of in the next minute's round. */
export const searchIndexPort = port<{ soon(): void }>('contacts.search-index');

/** Runs the work when asked, and once more if asked meanwhile, but never twice at once. */
export function oneAtATime(work: () => Promise<unknown>, onFailure: (error: unknown) => void) {
  let running: Promise<void> | null = null;
  let again = false;
  const soon = (): void => {
    again = true;
    running ??= inBackground(async () => {
      while (again) {
        again = false;
        await work().catch(onFailure);
      }
      running = null;
    });
  };
  return { soon, idle: async () => void (await running) };
}
