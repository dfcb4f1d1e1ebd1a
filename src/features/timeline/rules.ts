import type { ContactEvent } from './contract.ts';

/**
 * The order of what one transaction did, which all has the time of its start: an address is corrected, its suppression is carried
 * over, and then it is judged anew.
 */
const steps: readonly ContactEvent['kind'][] = [
  'added',
  'removed',
  'restored',
  'merged',
  'unmerged',
  'corrected',
  'correction_undone',
  'suppressed',
  'lifted',
  'put_back',
  'verified',
];

/** The newest of these events, newest first, and whether those are all. */
export function newestEvents(
  events: readonly ContactEvent[],
  most: number,
): { items: ContactEvent[]; isAll: boolean } {
  const items = events.toSorted(
    (one, other) =>
      (one.at < other.at ? 1 : one.at > other.at ? -1 : 0) ||
      steps.indexOf(other.kind) - steps.indexOf(one.kind),
  );
  return { items: items.slice(0, most), isAll: items.length <= most };
}
