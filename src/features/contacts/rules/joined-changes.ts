import type { Changed } from '../contract/contact-events.ts';

const minutes = 15;

/**
 * Changes by one person, one soon after the other, as one: who fills in a form field by field makes
 * one change. Newest first, as given; each has the time of its newest.
 */
export function joinedChanges(changes: readonly Changed[]): Changed[] {
  const joined: (Changed & { from: string })[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const isSoon = last && Date.parse(last.from) - Date.parse(change.at) < minutes * 60_000;
    if (last && isSoon && last.by === change.by) {
      last.fields = [...new Set([...change.fields, ...last.fields])];
      last.from = change.at;
    } else joined.push({ ...change, from: change.at });
  }
  return joined.map(({ from: _, ...change }) => change);
}
