import { setImmediate as nextTurn } from 'node:timers/promises';

/** Few enough to take some milliseconds. Other calls are answered between two turns. */
const aTurn = 200;

/** Runs the work on each item, and gives other work the thread in between. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (let start = 0; start < items.length; start += aTurn) {
    for (const item of items.slice(start, start + aTurn)) work(item);
    await nextTurn();
  }
}
