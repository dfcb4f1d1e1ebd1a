import { type Atom, joined, type Piece } from './liquid/program.ts';
import { escapeHtml } from './liquid/values.ts';
import type { Slot } from './slots.ts';

/** What goes in front of the piece that begins at an offset. */
export interface Insertion {
  at: number;
  piece: Piece;
}

/** Puts the pieces of an address together, so that it can be checked and replaced as a whole. */
export function grouping(
  slots: readonly Slot[],
  links: readonly Slot[],
  isHtml: boolean,
  insertion?: Insertion,
) {
  const starts = new Map(slots.map((slot) => [slot.start, slot]));
  const indexes = new Map(links.map((slot, index) => [slot, index]));
  return (atoms: Atom[]): Piece[] => {
    const pieces: Piece[] = [];
    for (let at = 0; at < atoms.length; at++) {
      const atom = atoms[at] as Atom;
      if (insertion && atom.begin === insertion.at) pieces.push(insertion.piece);
      const slot = starts.get(atom.begin);
      let end = at;
      while (slot && end < atoms.length && (atoms[end] as Atom).begin < slot.end) end++;
      // An address that begins here and ends in another branch is no whole.
      const isWhole = slot && end > at && (atoms[end]?.begin ?? slot.end) === slot.end;
      if (!slot || !isWhole) {
        pieces.push(atom.piece);
        continue;
      }
      pieces.push(addressOf(atoms.slice(at, end), indexes.get(slot), isHtml));
      at = end - 1;
    }
    return pieces;
  };
}

function addressOf(atoms: Atom[], index: number | undefined, isHtml: boolean): Piece {
  const isFixed = atoms.every(({ piece }) => typeof piece === 'string');
  if (isFixed && index === undefined) return atoms.map(({ piece }) => piece).join('');
  const written = joined(atoms.map(({ piece }) => piece));
  return (run) => {
    const text = written(run);
    if (!isFixed && isRunnable(text)) return '';
    if (index === undefined || !run.link) return text;
    const url = run.link(isHtml ? unescaped(text) : text, index);
    return isHtml ? escapeHtml(url) : url;
  };
}

/**
 * Whether following an address would run what stands in it. Browsers ignore blanks in its first
 * word.
 */
function isRunnable(url: string): boolean {
  const start = unescaped(url)
    .slice(0, 100)
    .replace(/[\s\p{Cc}]/gu, '');
  return /^(javascript|vbscript|data|file):/i.test(start);
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", colon: ':' };

/** The text of an attribute, without its escapes. */
export function unescaped(html: string): string {
  if (!html.includes('&')) return html;
  return html.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|colon));/gi,
    (whole, hex, decimal, name) => {
      if (name) return named[name.toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
