/**
 * How long removed contacts stay in the bin, worded for the end of a sentence. `days` is undefined
 * while unknown.
 */
export const binPeriod = (days: number | undefined): string =>
  days === undefined ? 'for a time' : `for ${days} ${days === 1 ? 'day' : 'days'}`;
