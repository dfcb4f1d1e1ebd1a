import { dayFormat, formatNumber } from '#platform/web/format.ts';
import { type CalendarView, daysShown } from '../../rules/calendar.ts';

/** `Tuesday 24 November 2026`. */
export const longDayWords = dayFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
/** `Tue 24 Nov`. */
export const shortDayWords = dayFormat({ weekday: 'short', day: 'numeric', month: 'short' });
export const weekdayWord = dayFormat({ weekday: 'short' });
const monthWords = dayFormat({ month: 'long', year: 'numeric' });
const dayMonthYear = dayFormat({ day: 'numeric', month: 'short', year: 'numeric' });

export const dayNumber = (day: string): string => formatNumber(Number(day.slice(8)));

/** `November 2026`, or `23 Nov 2026 – 29 Nov 2026`. */
export function periodWords(view: CalendarView, day: string): string {
  if (view === 'month') return monthWords(day);
  const days = daysShown(view, day);
  return `${dayMonthYear(days[0] as string)} – ${dayMonthYear(days[6] as string)}`;
}
