import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import { type WarmUpPlan, warmUpDay } from './warm-up.ts';

/** What a workspace has chosen, and how much of it is used. */
export interface Pace {
  perHour: number | null;
  perDay: number | null;
  /** Minutes after midnight in London. */
  quietFrom: number | null;
  quietTo: number | null;
  tokens: number;
  tokensAt: Date;
  day: string | null;
  daySent: number;
}

/** The warm-up of the domain that a message comes from. */
export interface WarmUp extends WarmUpPlan {
  day: string | null;
  daySent: number;
}

export type PaceReason = 'quiet' | 'day' | 'warm_up' | 'hour';

export interface Granted {
  /** Messages that may leave now. */
  count: number;
  /** Why no more, and how long to wait for more. Null when all may leave. */
  wait: { why: PaceReason; seconds: number } | null;
  /** What is left for this moment, for the record. */
  tokens: number;
  today: string;
  /** Whether the record is to be written: something leaves, or it is of a time yet to come. */
  isNews: boolean;
}

/** How many of the wanted messages may leave now. Takes nothing: the caller writes it down. */
export function grant(pace: Pace | null, warmUp: WarmUp | null, wanted: number, now: Date): Granted {
  const clock = londonClock(now);
  const today = clock.slice(0, 10);
  const tokens = pace?.perHour ? filled(pace, pace.perHour, now) : Number.POSITIVE_INFINITY;
  // The clock of the database was ahead for a moment, and nothing would come in until then.
  const isAhead = pace !== null && pace.tokensAt > now;
  const none = (why: PaceReason, seconds: number): Granted => ({
    ...{ count: 0, tokens, today, isNews: isAhead },
    wait: { why, seconds: Math.max(1, Math.ceil(seconds)) },
  });
  const quiet = pace && untilLoud(pace, clock, now);
  if (quiet) return none('quiet', quiet);
  const limits: { why: PaceReason; left: number; seconds: number }[] = [];
  const tomorrow = () => secondsTo(dayAfter(today), '00:00', now);
  if (pace?.perDay) limits.push({ why: 'day', left: pace.perDay - sentOn(today, pace), seconds: tomorrow() });
  const allowance = warmUp && warmUpDay(warmUp, today);
  if (warmUp && allowance !== null)
    limits.push({ why: 'warm_up', left: allowance - sentOn(today, warmUp), seconds: tomorrow() });
  if (pace?.perHour) {
    const lot = Math.min(capacity(pace.perHour), 20);
    const seconds = ((lot - tokens) * 3600) / pace.perHour;
    limits.push({ why: 'hour', left: Math.floor(tokens), seconds });
  }
  let count = wanted;
  let wait: Granted['wait'] = null;
  for (const { why, left, seconds } of limits) {
    if (left >= count) continue;
    count = Math.max(0, left);
    wait = { why, seconds: Math.max(1, Math.ceil(seconds)) };
  }
  return { count, wait, today, tokens: tokens - count, isNews: isAhead || count > 0 };
}

/** One minute's worth may leave at once, so that a pause is not made up for in a burst. */
const capacity = (perHour: number): number => Math.max(1, perHour / 60);

function filled({ tokens, tokensAt }: Pace, perHour: number, now: Date): number {
  const passed = Math.max(0, now.getTime() - tokensAt.getTime()) / 3_600_000;
  return Math.min(capacity(perHour), tokens + passed * perHour);
}

export const sentOn = (today: string, { day, daySent }: { day: string | null; daySent: number }): number =>
  day === today ? daySent : 0;

/** Seconds until the quiet hours end; 0 when it is not quiet. */
export function untilLoud({ quietFrom, quietTo }: Pace, clock: string, now: Date): number {
  if (quietFrom === null || quietTo === null) return 0;
  const minute = Number(clock.slice(11, 13)) * 60 + Number(clock.slice(14));
  const overMidnight = quietFrom > quietTo;
  const isQuiet = overMidnight
    ? minute >= quietFrom || minute < quietTo
    : minute >= quietFrom && minute < quietTo;
  if (!isQuiet) return 0;
  const today = clock.slice(0, 10);
  const endsTomorrow = overMidnight && minute >= quietFrom;
  // At least a second: in October the same time comes twice.
  return Math.max(1, secondsTo(endsTomorrow ? dayAfter(today) : today, timeOf(quietTo), now));
}

/** `08:30` for 510. */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** 510 for `08:30`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

export function secondsTo(day: string, time: string, now: Date): number {
  const moment = londonMoment(`${day}T${time}`);
  return moment ? (moment.getTime() - now.getTime()) / 1000 : 60;
}
