import type { ImportCheck, ReadingChoice } from '../contract.ts';

type Dialect = ImportCheck['dialect'];

/** Fields of a contact that only one column can fill. */
const single = ['email', 'name', 'source', 'date', 'notes'];

/**
 * The targets after `index` has been given `target`. A field belongs to one column: the column that
 * had it is left out. The email column cannot be given up, only moved, because a contact needs an
 * address.
 */
export function withTarget(targets: readonly string[], index: number, target: string): string[] {
  if (targets[index] === 'email' && target !== 'email') return [...targets];
  return targets.map((one, at) => {
    if (at === index) return target;
    return one === target && single.includes(target) ? 'skip' : one;
  });
}

/**
 * The name under which an extra column is kept: its header in lower case, at most 100 characters.
 */
export const extraTarget = (column: string): string =>
  `extra:${[...column.trim().toLowerCase()].slice(0, 100).join('') || 'field'}`;

/**
 * The reading to ask for when one part of the dialect is changed. The other parts are named too, so
 * that they stay as shown. Columns are only named when somebody has chosen them; otherwise they are
 * found anew under the new dialect.
 */
export function withDialect(
  dialect: Dialect,
  change: Partial<Omit<Dialect, 'lineEnd'>>,
  columns: string[] | null,
): ReadingChoice {
  const { encoding, delimiter, quote, header } = { ...dialect, ...change };
  return { dialect: { encoding, delimiter, quote, header }, ...(columns ? { columns } : {}) };
}

/** The reading to ask for when the columns are changed: the dialect as shown. */
export function withColumns(dialect: Dialect, columns: string[]): ReadingChoice {
  return withDialect(dialect, {}, columns);
}
