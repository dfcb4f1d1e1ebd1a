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
  /** The index of the column of each; the first of them for what stands beyond all columns. */
  columns: number[];
}

/**
 * Returns a function from a line's fields to its addresses. An address that stands twice in a line
 * counts once. Nearly every line has one address in one column, and that is fast.
 *
 * A line with more fields than the file has columns was cut where a comma stood within a cell, as
 * in `jo@acme.co.uk, sam@acme.co.uk`. Addresses in the fields beyond `columnCount` belong to it.
 */
export function createRowAddresses(
  columns: readonly number[],
  choice: AddressChoice,
  columnCount: number,
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
  const takeSurplus = (fields: readonly string[]) => {
    const surplus = fields
      .slice(columnCount)
      .map(unneutralise)
      .flatMap((text) => severalAddresses(text) ?? (looksLikeAddress(text) ? [text.trim()] : []));
    if (surplus.length === 0) return;
    const before = found.texts.slice(0, found.count);
    const places = found.columns.slice(0, found.count);
    found.count = 0;
    seen.clear();
    // Where the line was cut, the column may hold anything.
    for (const [at, text] of before.entries()) if (text.includes('@')) addOnce(text, places[at] as number);
    for (const text of surplus) addOnce(text, columns[0] ?? -1);
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
    if (fields.length > columnCount) takeSurplus(fields);
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
