/** How many messages an hour a receiver gets. */
export interface ReceiverPace {
  perHour: number;
  /** The moment from which on the next message has its place. */
  nextAt: Date;
}

/** When a message to a receiver may leave. */
export interface Place {
  /** Null: now. */
  dueAt: Date | null;
  /** False: the hour is full, and the message asks again when it is due. */
  isKept: boolean;
}

/** Places are given out this far ahead, so that a limit that is raised soon holds for all. */
export const aheadMs = 3_600_000;
/** What waits is looked at so often. */
const stepMs = 5_000;

/**
 * The places of messages to one receiver, in their order. One minute's worth may leave at once, and
 * the others one after the other. Each gets its place once, so nobody asks again and again.
 */
export function placesOf(
  { perHour, nextAt }: ReceiverPace,
  count: number,
  now: Date,
): { places: Place[]; nextAt: Date } {
  const gap = 3_600_000 / perHour;
  const atOnce = Math.max(60_000, gap) - gap;
  const places: Place[] = [];
  const last = now.getTime() + aheadMs;
  // A later moment is of a clock that was ahead for a while: no place given out reaches so far.
  let next = Math.min(Math.max(nextAt.getTime(), now.getTime() - atOnce), last + gap);
  for (let place = 0; place < count; place++) {
    const isKept = next <= last;
    const due = isKept ? next : last;
    places.push({ dueAt: due <= now.getTime() ? null : new Date(Math.ceil(due / stepMs) * stepMs), isKept });
    if (isKept) next += gap;
  }
  return { places, nextAt: new Date(next) };
}
