import { foundScore, type Matchable, ranked } from './palette-matching.ts';

/** What the palette may offer, by kind. */
export interface Offered<T> {
  /** Screens, and places without an entry in the sidebar. */
  places: readonly T[];
  /** Things to do. */
  actions: readonly T[];
  /** What a search of the data found for the typed text. */
  finds: readonly T[];
}

export interface OfferedGroup<T> {
  label: 'Go to' | 'Do' | 'Contacts';
  entries: T[];
}

/**
 * What matches the typed text, in its groups. The group with the best match comes first; where two
 * are as good, places come before contacts, and contacts before things to do.
 */
export function groupsFor<T extends Matchable>(offered: Offered<T>, typed: string): OfferedGroup<T>[] {
  const groups = [
    { label: 'Go to' as const, found: ranked(offered.places, typed) },
    { label: 'Contacts' as const, found: offered.finds.map((entry) => ({ entry, score: foundScore })) },
    { label: 'Do' as const, found: ranked(offered.actions, typed) },
  ];
  return groups
    .filter(({ found }) => found.length > 0)
    .sort((one, other) => (other.found[0]?.score ?? 0) - (one.found[0]?.score ?? 0))
    .map(({ label, found }) => ({ label, entries: found.map(({ entry }) => entry) }));
}
