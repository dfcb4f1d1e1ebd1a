/**
 * Several addresses in one cell, as people and address books write them: `a@x.uk; b@x.uk`,
 * `a@x.uk / b@x.uk`, `Jane <a@x.uk>, Bob <b@x.uk>`, `a@x.uk ::: b@x.uk`.
 */

const marks = new Set([';', ',', '|', '\\', '\n', '\r', '\t', '；', '，', '、', '•']);

/** Line ends of text that was copied from a page. */
const lineTag = /<\/?(?:br|p|div|li)\b[^<>@]*>/gi;

/**
 * The parts of `text`, each trimmed and not empty, when it holds two addresses or more; null when
 * it holds one, or none. Nothing is dropped but what separates the parts and, beside an address,
 * the words around it. A part need not be a valid address: `jo@acme.co.uk; bob@` has two parts.
 */
export function severalAddresses(text: string): string[] | null {
  const linked = addressesOfLink(text);
  if (linked !== null) return linked.length > 1 ? linked : null;
  const first = text.indexOf('@');
  if (first === -1 || text.indexOf('@', first + 1) === -1) return null;
  const lines = text.includes('<') ? text.replace(lineTag, '\n') : text;
  const parts = cutAtMarks(lines).flatMap(cutAtBlanks);
  const addresses = parts.filter((part) => part.includes('@'));
  return addresses.length > 1 && addresses.some(holdsAddress) ? parts : null;
}

const holdsAddress = (part: string): boolean => /[^\s@<>]@[^\s@<>]+\.[^\s@<>.]{2,}/.test(part);

const link = /^mailto:([^?]*)\?(.*)$/is;

/**
 * The addresses of `mailto:a@x.uk?cc=b@x.uk`: those it goes to, and any other that it names. Null
 * for text that is no such link.
 */
function addressesOfLink(text: string): string[] | null {
  // Most texts have no such mark, and millions are looked at.
  if (!text.includes('?')) return null;
  const [, to, query] = link.exec(text.trimStart().replace(/^<\s*/, '')) ?? [];
  if (to === undefined || query === undefined) return null;
  const first = severalAddresses(to) ?? (to.trim() === '' ? [] : [`mailto:${to.trim()}`]);
  return [...first, ...addressesIn(decoded(query))];
}

/** Text without percent-encoding, where it is such. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoding after all (URIError): `%` is allowed in a local part.
    return text;
  }
}

/** What looks like an address among the words of a text. */
export const addressesIn = (text: string): string[] =>
  text
    .split(/[\s,;:&=?<>()[\]"“”]+/)
    .map(withoutMarks)
    .filter(holdsAddress);

/** Looked at one by one: a pattern that ends in `$` begins anew at each mark of a long row. */
function withoutMarks(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && quotationMarks.has(word[start] as string)) start++;
  while (end > start && (word[end - 1] === '.' || quotationMarks.has(word[end - 1] as string))) end--;
  return word.slice(start, end);
}

const quotationMarks = new Set(["'", '‘', '’']);

/**
 * The addresses before the `<…>` that a part ends with, other than the one inside: `a@x.uk
 * <b@x.uk>` is a and b, whoever of them is shown for the other.
 */
export function namedBeside(part: string): string[] {
  const open = part.lastIndexOf('<');
  const inside = part
    .slice(open + 1, -1)
    .trim()
    .toLowerCase();
  return addressesIn(part.slice(0, open)).filter((one) => one.toLowerCase() !== inside);
}

/**
 * Cuts at the marks that cannot be in an address, outside quotation marks and brackets. A bar may
 * be in a mailbox, but not where another one of the cell is known to separate.
 */
function cutAtMarks(text: string, keepsBars = !separatesLabel(text)): string[] {
  const parts: string[] = [];
  const lastQuote = text.lastIndexOf('"');
  const lastBracket = text.lastIndexOf('>');
  let quoted = false;
  let inBrackets = false;
  let hasAt = false;
  let start = 0;
  const cut = (end: number) => {
    const part = text.slice(start, end).trim();
    if (part !== '') parts.push(part);
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') quoted = !quoted && at < lastQuote;
    else if (quoted) continue;
    else if (character === '<') inBrackets = at < lastBracket;
    else if (character === '>') inBrackets = false;
    else if (character === '@') hasAt = true;
    else if (keepsBars && character === '|' && !hasAt && isWithinWord(text, at)) continue;
    else if (!inBrackets && (marks.has(character) || text.startsWith(':::', at))) {
      if (keepsBars && character === '|') return cutAtMarks(text, false);
      cut(at);
      hasAt = false;
      start = at + (character === ':' ? 3 : 1);
      at = start - 1;
    }
  }
  cut(text.length);
  return withNames(parts);
}

/** A bar in a mailbox, `a|b@x.uk`, has no blank beside it. In a domain there is none. */
const isWithinWord = (text: string, at: number): boolean =>
  /^\S\S\S$/.test(text.slice(Math.max(0, at - 1), at + 2));

const labels = new Set(
  'home work office private personal business mobile main other primary secondary'.split(' '),
);
const capitalised = /^\p{Lu}[\p{L}'’-]*\p{Ll}$/u;

/**
 * Tells which words before a bar or a slash are no part of a mailbox: labels, and names where the
 * cell has several of them. `Home/jo@x.uk`, `Jane/jane@x.uk Bob/bob@x.uk`.
 */
function labelTest(words: readonly string[]): (word: string) => boolean {
  const hasNames = words.filter((word) => capitalised.test(word)).length > 1;
  return (word) => labels.has(word.toLowerCase()) || (hasNames && capitalised.test(word));
}

function separatesLabel(text: string): boolean {
  if (!text.includes('|')) return false;
  const words = text.match(/(?<![\p{L}\p{N}'’@._+-])[\p{L}'’-]+(?=\|)/gu) ?? [];
  return words.some(labelTest(words));
}

/** `Smith, Jane <j@x.uk>` was cut within the name: it belongs to the address after it. */
function withNames(parts: readonly string[]): string[] {
  const joined: string[] = [];
  let name = '';
  for (const part of parts) {
    if (part.includes('@') && part.includes('<') && name !== '') joined.push(`${name}, ${part}`);
    else {
      if (name !== '') joined.push(name);
      if (part.includes('@')) joined.push(part);
    }
    name = part.includes('@') ? '' : part;
  }
  if (name !== '') joined.push(name);
  return joined;
}

/** Cuts a part with several @ signs: after each `<…>`, else at blanks, slashes and "and". */
function cutAtBlanks(part: string): string[] {
  const at = part.indexOf('@');
  if (at === -1 || part.indexOf('@', at + 1) === -1) return [part];
  const brackets = part.match(/<[^<>@]*@[^<>]*>/g)?.length ?? 0;
  if (brackets === 1 && part.endsWith('>')) return [...namedBeside(part), part.slice(bracketAt(part))];
  if (brackets > 0)
    return part.split(/(?<=>)/).flatMap((one) => (one.trim() === '' ? [] : cutAtBlanks(one.trim())));
  if (part.includes('"')) return [part];
  const runs = part.split(/\s+/).flatMap(cutAtSlashes);
  const isLabel = labelTest(runs.flatMap(([first = '', ...others]) => (others.length > 0 ? [first] : [])));
  const words = runs.map((run) => run.slice(run.findIndex((piece) => !isLabel(piece))).join('/'));
  const addresses = words.filter((word) => word.includes('@'));
  return addresses.length > 1 ? addresses : [part];
}

/**
 * A slash before the @ sign may belong to the mailbox, `sales/uk@x.uk`; one behind it cannot. Each
 * address comes with the pieces before it.
 */
function cutAtSlashes(word: string): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const piece of word.split('/').filter((one) => one !== '')) {
    run.push(piece);
    if (!piece.includes('@')) continue;
    runs.push(run);
    run = [];
  }
  return run.length > 0 ? [...runs, run] : runs;
}

/** Where the part with the `<…>` begins: before the name, unless that holds another address. */
const bracketAt = (part: string): number => (namedBeside(part).length > 0 ? part.lastIndexOf('<') : 0);
