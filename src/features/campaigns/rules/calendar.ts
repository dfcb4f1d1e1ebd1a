import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import type { CampaignStatus } from './campaign.ts';

/** The calendar of what goes out when. Days are London's, written `2026-11-24`. */

const hour = 3_600_000;

/** From when until when messages of a campaign leave. */
export interface Span {
  starts: Date;
  ends: Date;
}

interface Leaving {
  status: CampaignStatus;
  sendAt: string | null;
  sentAt: string | null;
  endedAt: string | null;
  spreadHours: number | null;
  byRecipientZone: boolean;
}

/**
 * When a campaign leaves, or left. Null for a draft. The tries that mail servers asked for later do
 * not count: only the hours over which it is spread, and the time until now while it is being sent.
 * What leaves by the clocks of its recipients is shown at its time in London.
 */
export function spanOf(campaign: Leaving, now: Date): Span | null {
  const { status, sendAt, sentAt, endedAt, spreadHours, byRecipientZone } = campaign;
  const begun = byRecipientZone && sentAt !== null ? sendAt : sentAt;
  const start = begun ?? (status === 'scheduled' ? sendAt : null);
  if (start === null) return null;
  const starts = new Date(start);
  const planned = starts.getTime() + (spreadHours ?? 0) * hour;
  if (status === 'sending') return { starts, ends: new Date(Math.max(planned, now.getTime())) };
  return { starts, ends: new Date(endedAt === null ? planned : Math.min(planned, Date.parse(endedAt))) };
}

export const londonDay = (at: Date): string => londonClock(at).slice(0, 10);

/** The first moment of a day in London. */
export const startOfDay = (day: string): Date => londonMoment(`${day}T00:00`) ?? new Date(Number.NaN);

/** Days are counted without a clock, so the nights when clocks change make no difference. */
export function addDays(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** Whether something leaves on these days. Without a first or last day there is no end that way. */
export function leavesBetween({ starts, ends }: Span, from: string | undefined, to: string | undefined) {
  const first = londonDay(starts);
  const last = londonDay(new Date(Math.max(starts.getTime(), ends.getTime() - 1)));
  return (to === undefined || first <= to) && (from === undefined || last >= from);
}

export const calendarViews = ['month', 'week'] as const;
export type CalendarView = (typeof calendarViews)[number];

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  addDays(text, 0) === text;

/** The Monday of the week of a day. */
const mondayOf = (day: string) => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The days that a view shows, in whole weeks from Monday on. */
export function daysShown(view: CalendarView, day: string): string[] {
  if (view === 'week') return Array.from({ length: 7 }, (_, n) => addDays(mondayOf(day), n));
  const first = mondayOf(`${day.slice(0, 7)}-01`);
  const next = steppedBy('month', day, 1);
  const days: string[] = [];
  for (let at = first; at < next || days.length % 7 !== 0; at = addDays(at, 1)) days.push(at);
  return days;
}

/** A day in the month or week before or after. For months it is the first. */
export function steppedBy(view: CalendarView, day: string, count: -1 | 1): string {
  if (view === 'week') return addDays(day, 7 * count);
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + count);
  return at.toISOString().slice(0, 10);
}

/** The same time by the clocks of London on another day. */
export const movedTo = (at: Date, day: string): Date =>
  londonMoment(`${day}T${londonClock(at).slice(11)}`) ?? at;

/** What is told of a span on one of its days: `10:00`, `10:00–16:00`, `until 02:00`, `all day`. */
export function timesOn({ starts, ends }: Span, day: string): string {
  const begins = londonDay(starts) === day ? londonClock(starts).slice(11) : null;
  const isOver = ends.getTime() <= startOfDay(addDays(day, 1)).getTime();
  const over = isOver ? londonClock(ends).slice(11).replace('00:00', '24:00') : null;
  if (begins === null) return over === null || over === '24:00' ? 'all day' : `until ${over}`;
  if (ends.getTime() - starts.getTime() < hour) return begins;
  return over === null ? `from ${begins}` : `${begins}–${over}`;
}
