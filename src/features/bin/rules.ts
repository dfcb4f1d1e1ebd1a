/**
 * How long what is removed stays in the bin, to stand at the end of a sentence; `days` while that
 * is known.
 */
export const binPeriod = (days: number | undefined): string =>
  days === undefined ? 'for a time' : `for ${days} ${days === 1 ? 'day' : 'days'}`;
