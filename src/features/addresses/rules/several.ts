/**
 * Several addresses in one cell, as people and address books write them: `a@x.uk; b@x.uk`,
 * `a@x.uk / b@x.uk`, `Jane <a@x.uk>, Bob <b@x.uk>`, `a@x.uk ::: b@x.uk`.
 */

const marks = new Set([';', ',', '|', '\n', '\r', '\t']);

/**
 * The parts of `text`, each trimmed and not empty, when it holds two addresses or more; null when
 * it holds one, or none. Nothing is dropped but what separates the parts and, beside an address,
 * the words around it. A part need not be a valid address: `jo@acme.co.uk; bob@` has two parts.
 */
export function severalAddresses(text: string): string[] | null {
  const first = text.indexOf('@');
  if (first === -1 || text.indexOf('@', first + 1) === -1) return null;
  const parts = cutAtMarks(text).flatMap(cutAtBlanks);
  const addresses = parts.filter((part) => part.includes('@'));
  return addresses.length > 1 && addresses.some(holdsAddress) ? parts : null;
}

const holdsAddress = (part: string): boolean => /[^\s@<>]@[^\s@<>]+\.[^\s@<>.]{2,}/.test(part);

/** Cuts at the marks that cannot be in an address, outside quotation marks and brackets. */
function cutAtMarks(text: string): string[] {
  const parts: string[] = [];
  const lastQuote = text.lastIndexOf('"');
  const lastBracket = text.lastIndexOf('>');
  let quoted = false;
  let inBrackets = false;
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
    else if (!inBrackets && (marks.has(character) || text.startsWith(':::', at))) {
      cut(at);
      start = at + (character === ':' ? 3 : 1);
      at = start - 1;
    }
  }
  cut(text.length);
  return withNames(parts);
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
  const brackets = part.match(/<[^<>]*@[^<>]*>/g)?.length ?? 0;
  if (brackets === 1 && part.endsWith('>')) return [part];
  if (brackets > 0) return part.split(/(?<=>)/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
  if (part.includes('"')) return [part];
  const words = part.split(/[\s/]+/).filter((word) => word !== '');
  const addresses = words.filter((word) => word.includes('@'));
  return addresses.length > 1 ? addresses : [part];
}
