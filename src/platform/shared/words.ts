/**
 * Numbers and days within sentences, as server and web both write them: British English. What only
 * screens need is in `#platform/web/format.ts`.
 */

// Created once: creating a format for each of a million rows takes longer than reading them.
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

/** `0.125` → `0.13`: at most two decimals. */
export const formatDecimal = (value: number): string => upToTwo.format(value);

/** `0.125` → `12.5%`: a share of one in percent, with at most two decimals. */
export const formatPercent = (share: number): string => `${upToTwo.format(share * 100)}%`;

/** `1 contact`, `1,204 contacts`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** A calendar day: `2026-03-01` → `1 Mar 2026`. */
export const formatDay = (day: string): string => dayMonthYear.format(new Date(`${day}T00:00:00Z`));

/** The day of a moment in Greenwich time: `1 March 2026`. */
export const formatLongDay = (moment: string): string => longDay.format(new Date(moment));
