/** Headers that name the email column, best first, as `headerKey` gives them. */
const emailHeaders = [
  'email',
  'emailaddress',
  'mail',
  'contactemail',
  'mailaddress',
  'emailid',
  'emailaddr',
  'primaryemail',
  'email1',
  'email1value',
  'emailaddress1',
  'workemail',
  'customeremail',
  'subscriberemail',
  'useremail',
];

const headerKey = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

export function isEmailHeader(name: string): boolean {
  return emailHeaders.includes(headerKey(name));
}

/**
 * A coarse test, only for recognising columns: `a@b.cd`, bare, after `mailto:` or as `Name
 * <a@b.cd>`.
 */
export function looksLikeAddress(cell: string): boolean {
  const text = cell.slice(0, 400).trim();
  return (
    /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]{2,}$/.test(text) || /<[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]{2,}>$/.test(text)
  );
}

/**
 * Names for `count` columns: the trimmed header cells, `Column 3` where there is none, and a
 * repeated name with `_1`, `_2`, skipping names already taken.
 */
export function nameColumns(header: readonly string[], count: number): string[] {
  const given = Array.from({ length: count }, (_, i) => (header[i] ?? '').trim() || `Column ${i + 1}`);
  const taken = new Set(given);
  const seen = new Map<string, number>();
  return given.map((name) => {
    let repeat = seen.get(name);
    if (repeat === undefined) {
      seen.set(name, 0);
      return name;
    }
    let unique: string;
    do {
      repeat++;
      unique = `${name}_${repeat}`;
    } while (taken.has(unique));
    seen.set(name, repeat);
    taken.add(unique);
    return unique;
  });
}

/**
 * Index of the address column; -1 when no cell has an @. In order of preference: the column whose
 * header says so (of several, the first that contains an address), the first column if its cells
 * have an @, the column with most addresses, the column with most @.
 */
export function findEmailColumn(
  header: readonly string[] | null,
  rows: readonly string[][],
  columnCount: number,
): number {
  const addresses = new Array<number>(columnCount).fill(0);
  const ats = new Array<number>(columnCount).fill(0);
  for (const row of rows) {
    for (let i = 0; i < row.length && i < columnCount; i++) {
      const cell = row[i] as string;
      if (cell.includes('@')) ats[i] = (ats[i] as number) + 1;
      if (looksLikeAddress(cell)) addresses[i] = (addresses[i] as number) + 1;
    }
  }
  if (header !== null) {
    const named = header
      .map((name, index) => ({ index, rank: emailHeaders.indexOf(headerKey(name)) }))
      .filter((column) => column.rank !== -1 && column.index < columnCount)
      .sort((a, b) => a.rank - b.rank || a.index - b.index);
    const best = named.find((column) => (addresses[column.index] as number) > 0) ?? named[0];
    if (best !== undefined) return best.index;
  }
  if (rows.slice(0, 20).some((row) => (row[0] ?? '').includes('@'))) return 0;
  const most = Math.max(0, ...addresses);
  if (most > 0) return addresses.indexOf(most);
  const mostAts = Math.max(0, ...ats);
  return mostAts > 0 ? ats.indexOf(mostAts) : -1;
}
