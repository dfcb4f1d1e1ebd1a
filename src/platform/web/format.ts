import { londonClock } from '#platform/shared/london-time.ts';
import { formatNumber } from '#platform/shared/words.ts';

export { formatCount, formatDay, formatNumber, formatPercent } from '#platform/shared/words.ts';

/** Numbers, dates and sizes as screens write them: British English, the device's own time zone. */

const oneDecimal = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const upToOne = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const londonTime = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  hourCycle: 'h23',
  timeZone: 'Europe/London',
});
const londonDay = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'long', day: 'numeric', month: 'short' },
  timeZone: 'Europe/London',
});
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** An estimate, with no more digits than it deserves: `1204331` → `about 1,204,000`. */
export const formatAbout = (value: number): string =>
  `about ${formatNumber(value < 1000 ? value : Number(value.toPrecision(4)))}`;

/** `1411608` → `1.41M`, `38406` stays `38,406`: for places with room for five characters. */
export function formatCompact(value: number): string {
  if (Math.abs(value) < 100_000) return formatNumber(value);
  // 999,500 and above would round to "1000k".
  const [scaled, unit] = Math.abs(value) < 999_500 ? [value / 1000, 'k'] : [value / 1_000_000, 'M'];
  return `${Number(scaled.toPrecision(3))}${unit}`;
}

/** A share of a whole as `81.3%`. A share of nothing is `0%`. A tiny share is `<0.1%`. */
export function formatShare(part: number, of: number): string {
  if (of === 0 || part === 0) return '0%';
  const percent = (part / of) * 100;
  if (percent < 0.1) return '<0.1%';
  if (percent > 99.9 && part < of) return '>99.9%';
  return percent === 100 ? '100%' : `${oneDecimal.format(percent)}%`;
}

/** A change with its sign: `+412`, `−3.1` (a minus sign, not a hyphen), `0`. */
export function formatChange(value: number, unit: '' | '%' = ''): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  const size = Math.abs(value);
  return `${sign}${unit === '%' ? upToOne.format(size) : formatNumber(size)}${unit}`;
}

/** `14600000` → `14.6 MB`, in decimal units like file managers. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? formatNumber(value) : upToOne.format(value)} ${units[unit]}`;
}

/** Milliseconds as `0.9 s`, `19 s`, `4 min`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${upToOne.format(Math.max(seconds, 0))} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** `1234.5` pounds → `£1,234.50`. */
export const formatPounds = (value: number): string => pounds.format(value);

const sameDay = (a: Date, b: Date): boolean => a.toDateString() === b.toDateString();

/**
 * For a table: `14:06` today, `20 Nov` this year, `12 Nov 2025` before. Put `formatFullDate` in the
 * tooltip.
 */
export function formatShortDate(value: string | Date, now: Date = new Date()): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '';
  if (sameDay(date, now)) return clock.format(date);
  return date.getFullYear() === now.getFullYear() ? dayMonth.format(date) : dayMonthYear.format(date);
}

/** `20 November 2026 at 14:06`. */
export function formatFullDate(value: string | Date): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : `${longDay.format(date)} at ${clock.format(date)}`;
}

/** What the clocks in London show: `Tuesday, 24 November 2026 at 10:00`. */
export const formatLondonTime = (value: string | Date): string => londonTime.format(new Date(value));

/** The same where space is short: `Tuesday 24 Nov at 10:00`. */
export const formatLondonShort = (value: string | Date): string =>
  `${londonDay.format(new Date(value))} at ${londonClock(new Date(value)).slice(11)}`;

/** For a sentence: `today at 14:06`, `yesterday at 09:12`, `on 20 Nov 2026`. */
export function formatWhen(value: string | Date, now: Date = new Date()): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '';
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (sameDay(date, now)) return `today at ${clock.format(date)}`;
  if (sameDay(date, yesterday)) return `yesterday at ${clock.format(date)}`;
  return `on ${dayMonthYear.format(date)}`;
}

/** For a timeline: `14:06` today, `18 Nov, 10:14` this year, `18 Nov 2025, 10:14` before. */
export function formatMoment(value: string | Date, now: Date = new Date()): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '';
  if (sameDay(date, now)) return clock.format(date);
  const day = date.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear;
  return `${day.format(date)}, ${clock.format(date)}`;
}

/** `14:32`. */
export const formatTime = (value: Date): string => clock.format(value);

/** First letter upper case, the rest as it is: `in-progress` → `In-progress`. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Up to two letters that stand for a name: `Harbour & Pine` → `HP`. For a domain, they come from
 * its first part.
 */
export function initials(name: string): string {
  const own = /^[^\s@]+\.\p{L}{2,}$/u.test(name.trim()) ? (name.trim().split('.')[0] ?? '') : name;
  const found = own.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = found.length > 1 ? [found[0], found[found.length - 1]] : found;
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

/** Words for calendar days, `2026-11-24`. They have no clock, so they are read as those of UTC. */
export function dayFormat(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const words = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day) => words.format(new Date(`${day}T00:00:00Z`));
}
