import { mostColumns } from '#features/views/contract.ts';
import { plainColumns } from '#features/views/rules.ts';

/**
 * The columns with another one at the end, or without one of them. At most as many as a table may
 * show.
 */
export function withColumn(order: readonly string[], key: string, isShown: boolean): string[] {
  const others = order.filter((one) => one !== key);
  if (!isShown) return plainColumns(others);
  return plainColumns(others.length < mostColumns ? [...others, key] : others);
}

/** The columns with one of them moved one place to the left or right, if there is one there. */
export function moved(order: readonly string[], key: string, by: 1 | -1): string[] {
  const at = order.indexOf(key);
  const to = at + by;
  if (at < 0 || to < 0 || to >= order.length) return [...order];
  return order.toSpliced(at, 1).toSpliced(to, 0, key);
}
