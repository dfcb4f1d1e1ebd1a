import { formatDay } from './format.ts';

/**
 * A range of days as an address holds it, with both ends included and either end optional:
 * `2026-03-01/2026-03-31`.
 */

/** The same range as two fields, as a screen's state keeps it. */
export interface DayRange {
  from: string | undefined;
  to: string | undefined;
}

/** "1 Mar 2026 to 31 Mar 2026", "from 1 Mar 2026", "up to 31 Mar 2026", "1 Mar 2026". */
export function dayRangeWords(range: string): string {
  const [from = '', to = ''] = range.split('/');
  if (from === to) return from === '' ? '' : formatDay(from);
  if (to === '') return `from ${formatDay(from)}`;
  if (from === '') return `up to ${formatDay(to)}`;
  return `${formatDay(from)} to ${formatDay(to)}`;
}

/** A day by the device's calendar: `2026-03-01`. */
export function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The recent periods that people ask for most. */
export function recentRanges(now: Date): { value: string; label: string }[] {
  const back = (days: number) => dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
  return [
    { value: `${back(0)}/${back(0)}`, label: 'Today' },
    { value: `${back(6)}/`, label: 'Last 7 days' },
    { value: `${back(29)}/`, label: 'Last 30 days' },
    { value: `${now.getFullYear()}-01-01/`, label: 'This year' },
  ];
}

/**
 * The days of a range for marking in a calendar, with both ends given. A range without an end goes
 * up to today. For a range without a beginning, only its end is marked. Null when there is no
 * range.
 */
export function markedDays(range: string, today: string): [string, string] | null {
  const [from = '', to = ''] = range.split('/');
  if (from === '' && to === '') return null;
  if (from === '') return [to, to];
  return [from, to === '' ? (from > today ? from : today) : to];
}

/**
 * The first of `months` months side by side. Usually that is the month of `day`. It is an earlier
 * one if the last would come after today's month, because future days cannot be chosen.
 */
export function firstMonthShown(day: string, today: string, months: number): string {
  const count = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7)) - 1;
  const first = Math.min(count(day), count(today) - months + 1);
  return `${String(Math.floor(first / 12)).padStart(4, '0')}-${String((first % 12) + 1).padStart(2, '0')}-01`;
}
