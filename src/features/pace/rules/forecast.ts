import { londonClock } from '#platform/shared/london-time.ts';
import {
  dayAfter,
  minutesOf,
  type Pace,
  secondsTo,
  sentOn,
  timeOf,
  untilLoud,
  type WarmUp,
} from './grant.ts';
import { warmUpDay } from './warm-up.ts';

/** What holds messages back. Null: nothing does. */
export interface Limits {
  pace: Pace | null;
  warmUp: WarmUp | null;
  /** What else lets no more leave a minute, such as the mail servers. */
  perMinute: number | null;
}

export interface Forecast {
  perMinute: number | null;
  /** On the first day. */
  perDay: number | null;
  /** From the beginning to the last message. */
  minutes: number;
}

const secondsADay = 86_400;
/** Nobody plans further. */
const farthestDays = 366;

/**
 * How fast messages leave from a moment on, if nothing else is sent meanwhile. Null where nothing
 * is limited.
 */
export function forecast({ pace, warmUp, perMinute }: Limits, messages: number, from: Date): Forecast | null {
  const rate = least(perMinute, pace?.perHour ? pace.perHour / 60 : null);
  const first = londonClock(from).slice(0, 10);
  const ofDay = (today: string) => least(pace?.perDay ?? null, warmUp && warmUpDay(warmUp, today));
  const isQuiet = pace !== null && pace.quietFrom !== null && pace.quietTo !== null;
  if (rate === null && ofDay(first) === null && !isQuiet) return null;
  const end = from.getTime() + farthestDays * secondsADay * 1_000;
  let at = from;
  let left = messages;
  const pass = (seconds: number) => {
    at = new Date(at.getTime() + Math.max(1, seconds) * 1_000);
  };
  while (left > 0 && at.getTime() < end) {
    const clock = londonClock(at);
    const today = clock.slice(0, 10);
    const quietFor = pace ? untilLoud(pace, clock, at) : 0;
    if (quietFor > 0) {
      pass(quietFor);
      continue;
    }
    const midnight = secondsTo(dayAfter(today), '00:00', at);
    const open = Math.min(midnight, untilQuiet(pace, clock, at));
    const ofRate = rate === null ? Number.POSITIVE_INFINITY : (rate * open) / 60;
    const ofToday = leftToday({ pace, warmUp }, today, ofDay(today), today === first);
    const count = Math.min(left, ofRate, ofToday);
    left -= count;
    if (left <= 0) at = new Date(at.getTime() + (rate === null ? 0 : (count / rate) * 60_000));
    else pass(count === ofToday ? midnight : open);
  }
  const minutes = Math.round((at.getTime() - from.getTime()) / 60_000);
  return { perMinute: rate, perDay: ofDay(first), minutes };
}

const least = (...limits: (number | null)[]): number | null => {
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
};

/** What a day still lets through. What was sent counts on the first day. */
function leftToday(
  { pace, warmUp }: Pick<Limits, 'pace' | 'warmUp'>,
  today: string,
  ofDay: number | null,
  isFirst: boolean,
): number {
  if (ofDay === null) return Number.POSITIVE_INFINITY;
  if (!isFirst) return ofDay;
  const allowed = warmUp && warmUpDay(warmUp, today);
  const lefts = [
    ...(pace?.perDay ? [pace.perDay - sentOn(today, pace)] : []),
    ...(warmUp && allowed !== null ? [allowed - sentOn(today, warmUp)] : []),
  ];
  return Math.max(0, Math.min(...lefts));
}

/** Seconds until the quiet hours begin. */
function untilQuiet(pace: Pace | null, clock: string, now: Date): number {
  if (pace === null || pace.quietFrom === null || pace.quietTo === null) return Number.POSITIVE_INFINITY;
  const today = clock.slice(0, 10);
  const isPast = pace.quietFrom <= minutesOf(clock.slice(11));
  return secondsTo(isPast ? dayAfter(today) : today, timeOf(pace.quietFrom), now);
}
