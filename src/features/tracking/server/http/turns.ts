import { FairQueue } from '#platform/server/fair-queue.ts';

/** Changes under way at once. Strangers have few connections (`pools.ts`). */
const size = 2;
/** The most readers of a workspace that wait. More would hardly get their turn in time. */
const longestLine = 50;
const waitMs = 1_000;

/**
 * Changes that may have to wait: for a list, for the contacts or the suppression list. They hold a
 * connection meanwhile, so one of a workspace is made at a time: whoever reads a page or leaves
 * needs one for milliseconds, and would be refused.
 */
export class Turns {
  readonly #queue = new FairQueue({ size, each: 1, line: longestLine });

  /** @throws AppError `unavailable` when no turn comes within a second. */
  async take<T>(workspaceId: number, change: () => Promise<T>): Promise<T> {
    const end = await this.#queue.enter({ workspaceId, person: null }, { waitMs });
    try {
      return await change();
    } finally {
      end();
    }
  }
}
