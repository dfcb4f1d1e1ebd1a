import { londonClock } from '#platform/shared/london-time.ts';

/** An hour of the week, on the clocks in London, and what readers did in it. */
export interface WeekHour {
  /** 0 is Sunday. */
  weekday: number;
  hour: number;
  /** People who opened a campaign. */
  opened: number;
  /** Opens and clicks for each message that was sent. */
  weight: number;
}

/** Fewer people say nothing about the week. */
export const fewestOpens = 500;

const hourMs = 3_600_000;

/**
 * The next beginning of the hour of the week in which readers did most. Null where too few are
 * known. `isQuiet` tells hours in which nothing leaves.
 */
export function bestHour(
  hours: readonly WeekHour[],
  now: Date,
  isQuiet: (hour: number) => boolean = () => false,
): Date | null {
  if (hours.reduce((sum, { opened }) => sum + opened, 0) < fewestOpens) return null;
  const best = hours
    .filter(({ hour, weight }) => weight > 0 && !isQuiet(hour))
    .reduce<WeekHour | null>((most, one) => (most && most.weight >= one.weight ? most : one), null);
  if (!best) return null;
  const next = Math.floor(now.getTime() / hourMs + 1) * hourMs;
  // Two weeks: in March an hour is left out.
  for (let step = 0; step < 14 * 24; step++) {
    const at = new Date(next + step * hourMs);
    const clock = londonClock(at);
    const weekday = new Date(`${clock.slice(0, 10)}T00:00:00Z`).getUTCDay();
    if (weekday === best.weekday && Number(clock.slice(11, 13)) === best.hour) return at;
  }
  return null;
}
