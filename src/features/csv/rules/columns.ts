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

/** Outlook's "E-mail 2 Display Name": an address as it is shown, often that of long ago. */
export const isDisplayNameHeader = (name: string): boolean => headerKey(name).endsWith('displayname');

/** The @ sign, and the wide one of Chinese and Japanese keyboards. */
const atSign = /[@＠]/;
/** With a blank beside the @ sign, only a domain with an ending tells it from “Members @ Leeds”. */
const roughAddresses =
  /(?<![^\s<>()])[^\s<>()@＠]*[\p{L}\p{N}._+-](?:[@＠][\p{L}\p{N}]\S*|\s*[@＠]\s*[\p{L}\p{N}][^\s@＠]*[.．。]\p{L}{2,}\S*)/gu;
const hasEnding = /[@＠]\s*[\p{L}\p{N}][^\s@＠]*[.．。]\p{L}{2,}/u;

/**
 * Whether the cell may be an address, even one that needs repair or is none: `jo@acme.co.uk.`, `jo
 * @acme.co.uk (home)`, `jo@acme`. No name of a person on a network, `@jo`, and no sentence with an
 * address in it. `words` are those that may stand beside it outside brackets: `Jo jo@acme.co.uk.`
 */
export function mayBeAddress(cell: string, words = 1): boolean {
  if (!atSign.test(cell)) return false;
  if (looksLikeAddress(cell)) return true;
  const text = cell.slice(0, 400);
  const around = text.replace(roughAddresses, ' ');
  if (around === text) return false;
  // `Jo Lee <jo@acme.co.uk.>` has as many words as the name has.
  const names = /<\s+$/.test(around) ? Number.POSITIVE_INFINITY : words;
  const others = around
    .replace(/\([^()]*\)/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return others === 0 || (others <= names && hasEnding.test(text));
}

/**
 * A coarse test, only for recognising columns: `a@b.cd`, bare, after `mailto:` or as `Name
 * <a@b.cd>` or `Name (a@b.cd)`, or several of these in one cell.
 */
export function looksLikeAddress(cell: string): boolean {
  const text = cell.slice(0, 400).trim();
  const at = text.indexOf('@');
  if (at === -1) return false;
  if (isOneAddress(text)) return true;
  if (text.indexOf('@', at + 1) === -1) return false;
  const parts = text.split(/[;,|/\s]+|:::/).filter((part) => part.includes('@'));
  return parts.length > 1 && parts.every(isOneAddress);
}

const isOneAddress = (text: string): boolean =>
  /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]{2,}$/.test(text) ||
  /<[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]{2,}>$/.test(text) ||
  /^[^@]*\([^\s@()<>]+@[^\s@()<>]+\.[^\s@()<>.]{2,}\)$/.test(text);

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

/** A column in which cells look like addresses. */
export interface EmailColumn {
  index: number;
  /** Rows in which the cell looks like an address. */
  addresses: number;
}

/**
 * The columns that have addresses, the one to use first. What is in the cells decides: the heading
 * only chooses among columns with at least half as many addresses as the fullest one. A column that
 * says again what a better one says, or how an address is shown, is none.
 */
export function emailColumnsOf(
  header: readonly string[] | null,
  rows: readonly string[][],
  columnCount: number,
): EmailColumn[] {
  const found = countCells(rows, columnCount, looksLikeAddress)
    .map((addresses, index) => ({ index, addresses }))
    .filter(({ addresses }) => addresses > 0);
  const most = Math.max(0, ...found.map(({ addresses }) => addresses));
  const isLikely = ({ addresses }: EmailColumn) => addresses * 2 >= most;
  const rank = ({ index }: EmailColumn) => headerRank(header?.[index] ?? '');
  found.sort(
    (a, b) =>
      Number(isLikely(b)) - Number(isLikely(a)) ||
      (isLikely(a) ? rank(a) - rank(b) : 0) ||
      b.addresses - a.addresses ||
      a.index - b.index,
  );
  const better: number[] = [];
  return found.filter(({ index }) => {
    const isNew =
      better.length === 0 ||
      (!isDisplayNameHeader(header?.[index] ?? '') && rows.some((row) => saysMore(row, index, better)));
    if (isNew) better.push(index);
    return isNew;
  });
}

/** Whether the cell has an address that those of the better columns do not have. */
function saysMore(row: readonly string[], column: number, better: readonly number[]): boolean {
  const cell = row[column] ?? '';
  if (!looksLikeAddress(cell)) return false;
  const known = new Set(better.flatMap((index) => addressesIn(row[index] ?? '')));
  return addressesIn(cell).some((address) => !known.has(address));
}

const addressesIn = (cell: string): string[] =>
  cell
    .slice(0, 400)
    .toLowerCase()
    .match(/[^\s@<>()[\]:;,|/"']+@[^\s@<>()[\]:;,|/"']+/g) ?? [];

/**
 * The column to take when no cell looks like an address: the one whose heading says so, else the
 * one with most @. Undefined when there is neither.
 */
export function emailColumnByHeading(
  header: readonly string[] | null,
  rows: readonly string[][],
  columnCount: number,
): number | undefined {
  const named = (header ?? [])
    .slice(0, columnCount)
    .map((name, index) => ({ index, rank: headerRank(name) }))
    .filter(({ rank }) => rank < emailHeaders.length)
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  if (named[0]) return named[0].index;
  const ats = countCells(rows, columnCount, (cell) => atSign.test(cell));
  const most = Math.max(0, ...ats);
  return most > 0 ? ats.indexOf(most) : undefined;
}

/** 0 for the heading that names the email column best. Those that only mention mail come last. */
function headerRank(name: string): number {
  const key = headerKey(name);
  const rank = emailHeaders.indexOf(key);
  if (rank !== -1) return rank;
  return emailHeaders.length + (key.includes('mail') && !isDisplayNameHeader(name) ? 0 : 1);
}

function countCells(
  rows: readonly string[][],
  columnCount: number,
  matches: (cell: string) => boolean,
): number[] {
  const counts = new Array<number>(columnCount).fill(0);
  for (const row of rows) {
    for (let i = 0; i < row.length && i < columnCount; i++) {
      if (matches(row[i] as string)) counts[i] = (counts[i] as number) + 1;
    }
  }
  return counts;
}
