import type { AnyEvent, EventKind } from '#platform/shared/contact-event.ts';

/**
 * The newest of these events, newest first, and whether those are all. When two have the same time,
 * the kind with the higher step is newer.
 */
export function newestEvents<Event extends AnyEvent>(
  events: readonly Event[],
  kinds: readonly EventKind[],
  most: number,
): { items: Event[]; isAll: boolean } {
  const steps = new Map(kinds.map(({ schema, step }) => [schema.shape.kind.value, step]));
  const stepOf = ({ kind }: Event) => steps.get(kind) ?? 0;
  const items = events.toSorted(
    (one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0) || stepOf(other) - stepOf(one),
  );
  return { items: items.slice(0, most), isAll: items.length <= most };
}
