import { isEmailHeader } from './columns.ts';
import { csvLine } from './write.ts';

/** Pasted text as a file to import. */
export interface Pasted {
  csv: string;
  /** How many of its rows have an @ sign. */
  addresses: number;
}

interface Row {
  email: string;
  name: string;
}

/**
 * Makes a file of what somebody pasted: addresses with anything between them, such as `Jane Smith
 * <jane@acme.co.uk>; joe@acme.co.uk`. Each becomes a row, and so does what is no address, so that
 * the check can say so. Cells copied from a table stay as they are. Null when there is nothing.
 */
export function pastedFile(text: string): Pasted | null {
  const lines = linesOf(text);
  const [first = ''] = lines;
  if (first === '') return null;
  if (isTable(first)) return { csv: text, addresses: lines.filter((line) => line.includes('@')).length };
  const rows = rowsOfLines(lines);
  if (rows.length === 0) return null;
  const hasNames = rows.some(({ name }) => name !== '');
  const records = [hasNames ? ['email', 'name'] : ['email']].concat(
    rows.map(({ email, name }) => (hasNames ? [email, name] : [email])),
  );
  const addresses = rows.filter(({ email }) => email.includes('@')).length;
  return { csv: records.map((cells) => csvLine(cells)).join(''), addresses };
}

/**
 * The addresses in what somebody pasted, in its order, each once. What is no address is among them,
 * so that somebody can be told; of a table, only cells with an @ sign are.
 */
export function pastedAddresses(text: string): string[] {
  const lines = linesOf(text);
  const [first = ''] = lines;
  const found = isTable(first)
    ? lines.flatMap((line) => cutAt(line, '\t,;|').filter((cell) => cell.includes('@')))
    : rowsOfLines(lines).map(({ email }) => email);
  return [...new Set(found.map((email) => email.trim().replace(/^"(.*)"$/su, '$1')))].filter(
    (email) => email !== '',
  );
}

const linesOf = (text: string): string[] =>
  text.split(/\r\n|\r|\n|\u2028|\u2029/).filter((line) => line.trim() !== '');

/** The rows of lines that are no table. The first may be a heading. */
const rowsOfLines = (lines: readonly string[]): Row[] =>
  (isEmailHeader(lines[0] ?? '') ? lines.slice(1) : lines).flatMap((line) => entriesOf(line).flatMap(rowsOf));

/** Cells of a spreadsheet come with tabs between them; a CSV file begins with its headings. */
const isTable = (line: string): boolean =>
  line.trim().includes('\t') ||
  (!line.includes('@') && /[,;|]/.test(line) && line.split(/[,;|]/).some((cell) => isEmailHeader(cell)));

/**
 * Cuts a line at its separators. A comma before the address belongs to the name: `Smith, Jane
 * <jane@acme.co.uk>`.
 */
function entriesOf(line: string): string[] {
  const entries: string[] = [];
  for (const part of cutAt(line, ';|')) {
    let open: string[] = [];
    for (const text of cutAt(part, ',')) {
      if (text.trim() !== '') open.push(text);
      if (!text.includes('@')) continue;
      entries.push(open.join(','));
      open = [];
    }
    entries.push(...open);
  }
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** Cuts at these characters, except within quotes and brackets. */
function cutAt(text: string, separators: string): string[] {
  const parts = [''];
  for (const token of text.match(/"[^"]*"|<[^<>]*>|[^"<]|["<]/gsu) ?? []) {
    if (separators.includes(token)) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** The rows of an entry: addresses, each with the name before it, and what is neither. */
function rowsOf(entry: string): Row[] {
  const rows: Row[] = [];
  let words: string[] = [];
  for (const token of entry.match(/"[^"]*"|<[^<>]*>|[^\s"<]+|["<]/gu) ?? []) {
    const bare = /^<.*>$/u.test(token) ? token.slice(1, -1).trim() : token;
    if (!bare.includes('@') || token.startsWith('"')) {
      words.push(bare);
      continue;
    }
    const said = words.join(' ').replace(/,$/, '');
    const before = said.replace(/^(["'])(.*)\1$/su, '$2').trim();
    words = [];
    const isNamed = before !== '' && (isName(before) || (said.startsWith('"') && said.endsWith('"')));
    if (before !== '' && !isNamed) rows.push({ email: before, name: '' });
    rows.push({ email: bare, name: isNamed ? before : '' });
  }
  if (words.length > 0) rows.push({ email: words.join(' '), name: '' });
  return rows;
}

const longestName = 100;

/** Letters with blanks and a few signs. Not `jane(at)acme.co.uk`, which is a row of its own. */
const isName = (text: string): boolean =>
  text.length <= longestName &&
  /^\p{L}[\p{L}\p{M}\d\s.,'’&()-]*$/u.test(text) &&
  !/\S\.\S|\(at\)/i.test(text);
