/**
 * Numbers and days within sentences, as both sides write them: British English. What screens need
 * beyond that is in `#platform/web/format.ts`.
 */

// Made once: a format made for each of a million rows takes longer than reading them.
const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const upToTwo = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `1204331` → `1,204,331`. */
export const formatNumber = (value: number): string => whole.format(value);

/** `0.125` → `0.13`: two decimals at most. */
export const formatDecimal = (value: number): string => upToTwo.format(value);

/** `1 contact`, `1,204 contacts`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** A day of the calendar: `2026-03-01` → `1 Mar 2026`. */
export const formatDay = (day: string): string => dayMonthYear.format(new Date(`${day}T00:00:00Z`));

/** The day of a moment, by the clock of Greenwich: `1 March 2026`. */
export const formatLongDay = (moment: string): string => longDay.format(new Date(moment));
