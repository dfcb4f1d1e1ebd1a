import { severalAddresses } from '#features/addresses/rules.ts';
import { looksLikeAddress, unneutralise } from '#features/csv/rules.ts';

/**
 * Which columns of a row are taken when several hold addresses. `first`: the first one that has an
 * address, in the file's order. `each`: every one that is filled, so that one line may become
 * several contacts.
 */
export const addressChoices = ['first', 'each'] as const;
export type AddressChoice = (typeof addressChoices)[number];

/** The addresses of one line, as they stand in the file. Reused for the next line. */
export interface RowAddresses {
  /** 1 or more. With 1, the text may be empty: then no mapped column has anything in it. */
  count: number;
  texts: string[];
  /** The index of the column of each. */
  columns: number[];
}

/**
 * Returns a function from a line's fields to its addresses. An address that stands twice in a line
 * counts once. Nearly every line has one address in one column, and that is fast.
 */
export function createRowAddresses(
  columns: readonly number[],
  choice: AddressChoice,
): (fields: readonly string[]) => RowAddresses {
  const found: RowAddresses = { count: 0, texts: [], columns: [] };
  const seen = new Set<string>();
  const set = (text: string, column: number) => {
    found.texts[found.count] = text;
    found.columns[found.count] = column;
    found.count++;
  };
  const addOnce = (text: string, column: number) => {
    const key = text.toLowerCase();
    if (seen.has(key)) return;
    seen.add(key);
    set(text, column);
  };
  const takeCell = (text: string, column: number) => {
    const several = severalAddresses(text);
    if (several === null) return set(text, column);
    seen.clear();
    for (const part of several) addOnce(part, column);
  };
  const takeEach = (fields: readonly string[]) => {
    seen.clear();
    for (const column of columns) {
      const text = cellOf(fields, column);
      for (const part of severalAddresses(text) ?? [text.trim()]) if (part !== '') addOnce(part, column);
    }
    if (found.count === 0) set('', columns[0] ?? -1);
  };
  const [only = -1, ...others] = columns;
  return (fields) => {
    found.count = 0;
    if (others.length === 0) takeCell(cellOf(fields, only), only);
    else if (choice === 'each') takeEach(fields);
    else {
      const column = firstFilled(fields, columns);
      takeCell(cellOf(fields, column), column);
    }
    return found;
  };
}

/**
 * Returns a test for lines without any content: blanks, delimiters and quotation marks only. A line
 * with more in it has a fate, even when no column that is read has anything.
 */
export function createBlankTest({
  delimiter,
  quote,
}: {
  delimiter: string;
  quote: string;
}): (line: string) => boolean {
  const content = new RegExp(`[^\\s\\${delimiter}${quote}]`);
  return (line) => !content.test(line);
}

const cellOf = (fields: readonly string[], column: number): string => unneutralise(fields[column] ?? '');

/**
 * The first column with an address; else the first with an @ sign, which the receipt can name; else
 * the first with anything, such as "n/a".
 */
function firstFilled(fields: readonly string[], columns: readonly number[]): number {
  const where = (matches: (text: string) => boolean) =>
    columns.find((column) => matches(cellOf(fields, column)));
  return (
    where(looksLikeAddress) ??
    where((text) => text.includes('@')) ??
    where((text) => text.trim() !== '') ??
    columns[0] ??
    -1
  );
}
