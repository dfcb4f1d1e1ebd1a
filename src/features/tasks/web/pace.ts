/** How fast work goes and how long it will still take, measured from its progress. */
export interface Pace {
  /** Things per second; absent until it is known. */
  rate?: number;
  secondsLeft?: number;
}

interface Seen {
  at: number;
  done: number;
}

/** Older progress says little about the current pace. */
const windowMs = 20_000;
/** A pace measured over a shorter time is a guess. */
const leastMs = 2_000;

/**
 * Measures one piece of work. `at` is a clock in milliseconds. A new phase, or a count that starts
 * again, starts a new measurement.
 */
export function createPace(): (at: number, done: number, total: number | null, phase: string | null) => Pace {
  let seen: Seen[] = [];
  let phaseSeen: string | null = null;
  return (at, done, total, phase) => {
    if (phase !== phaseSeen || done < (seen.at(-1)?.done ?? 0)) seen = [];
    phaseSeen = phase;
    seen.push({ at, done });
    while (seen.length > 2 && at - (seen[1]?.at ?? at) > windowMs) seen.shift();
    const first = seen[0] as Seen;
    const ms = at - first.at;
    if (ms < leastMs || done <= first.done) return {};
    const perSecond = ((done - first.done) / ms) * 1000;
    const rate = perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond);
    return total === null ? { rate } : { rate, secondsLeft: Math.max(0, total - done) / perSecond };
  };
}
