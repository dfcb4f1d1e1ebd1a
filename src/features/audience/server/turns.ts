import { currentContext } from '#platform/server/call-context.ts';
import { FairQueue } from '#platform/server/fair-queue.ts';

/** Does a piece of work of a workspace when its turn has come. */
export type Turns = <T>(workspaceId: number, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * A count may read all contacts. More counts at once would keep lists and searches waiting for a
 * connection.
 */
const mostCounts = 3;
/** Those of one workspace that read millions leave a turn to the others. */
const mostOfOneWorkspace = 2;
/** Counts that one person may have waiting. No screen asks for as many. */
const longestLine = 50;
/** As long as a statement of a count may take. */
const waitMs = 2 * 60_000;

/**
 * Lets little work run at once, and less of one workspace. The rest waits, and workspaces take
 * turns. A caller whose signal is aborted leaves the line, because nobody would hear the answer.
 */
export function takeTurns(): Turns {
  const queue = new FairQueue({ size: mostCounts, each: mostOfOneWorkspace, line: longestLine });
  return async (workspaceId, work, gone) => {
    const { person = null } = currentContext();
    const leave = await queue.enter({ workspaceId, person }, { waitMs, gone });
    try {
      gone?.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}

/** Counts of selections and of segments: both read the same contacts. */
export const countInTurn = takeTurns();
