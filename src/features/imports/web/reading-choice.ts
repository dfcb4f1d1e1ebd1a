import type { ImportCheck, ReadingChoice } from '../contract.ts';

type Dialect = ImportCheck['dialect'];

/** Contact fields that only one column can fill. */
const single = ['email', 'name', 'source', 'date', 'notes'];

/**
 * The targets after `index` gets `target`. A field belongs to one column: the column that had it is
 * left out. The email column can only be moved, not given up, because a contact needs an address.
 */
export function withTarget(targets: readonly string[], index: number, target: string): string[] {
  if (targets[index] === 'email' && target !== 'email') return [...targets];
  return targets.map((one, at) => {
    if (at === index) return target;
    return one === target && single.includes(target) ? 'skip' : one;
  });
}

/** The name of an extra column: its header in lower case, at most 100 characters. */
export const extraTarget = (column: string): string =>
  `extra:${[...column.trim().toLowerCase()].slice(0, 100).join('') || 'field'}`;

/**
 * The reading to ask for when one part of the dialect changes. It also names the other parts, so
 * that they stay as shown. It names columns only when somebody has chosen them; otherwise they are
 * detected again under the new dialect.
 */
export function withDialect(
  dialect: Dialect,
  change: Partial<Omit<Dialect, 'lineEnd'>>,
  columns: string[] | null,
): ReadingChoice {
  const { encoding, delimiter, quote, header } = { ...dialect, ...change };
  return { dialect: { encoding, delimiter, quote, header }, ...(columns ? { columns } : {}) };
}

/** The reading to ask for when the columns change, with the dialect as shown. */
export function withColumns(dialect: Dialect, columns: string[]): ReadingChoice {
  return withDialect(dialect, {}, columns);
}
