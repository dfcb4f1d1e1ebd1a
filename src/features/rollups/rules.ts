/**
 * Percent by which `now` differs from `before`, to one decimal. 100 when there was nothing before
 * and there is something now.
 */
export function percentChange(before: number | null, now: number): number {
  if (before === null || before === now) return 0;
  if (before === 0) return 100;
  return Math.round(((now - before) / before) * 1000) / 10;
}
