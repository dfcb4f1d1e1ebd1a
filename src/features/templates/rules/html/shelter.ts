import { literal, quoted, unquoted } from '../liquid/quoted.ts';
import { spansOf } from '../liquid/spans.ts';

/**
 * Keeps Liquid out of sight while HTML is read. Each piece of it becomes a word of characters that
 * mean nothing in HTML, and is put back afterwards. So a condition around table rows stays where it
 * is, and quotes inside of Liquid end no attribute.
 */
export interface Shelter {
  source: string;
  /** Puts the Liquid back where it stands between tags. */
  restored(text: string): string;
  /** The same inside quotes. Null when it cannot stand there. */
  restoredInQuotes(value: string): string | null;
  /** Whether a word is one piece of Liquid that writes nothing, such as `{% if … %}`. */
  isSilent(word: string): boolean;
  /**
   * Lets the pieces that write nothing take the blank lines before them along, so that a part that
   * is not shown leaves no gap.
   */
  closingUp(text: string): string;
  /** The text with the pieces that write something as `with`, and without the others. */
  without(text: string, put?: string): string;
}

const open = '\uE000';
const close = '\uE001';
const word = /\uE000(\d+)\uE001/g;

export function shelter(given: string): Shelter {
  // Characters of private use mean nothing in mail, so none is lost that anybody wants.
  const source = given.replace(/[\uE000\uE001]/g, '');
  const pieces: { text: string; isOutput: boolean }[] = [];
  let result = '';
  let at = 0;
  for (const { start, end, kind } of spansOf(source).spans) {
    result += `${source.slice(at, start)}${open}${pieces.length}${close}`;
    pieces.push({ text: harmless(source.slice(start, end)), isOutput: kind === 'output' });
    at = end;
  }
  const pieceAt = (index: string) => pieces[Number(index)];
  const restored = (text: string): string => text.replace(word, (_, index) => pieceAt(index)?.text ?? '');
  return {
    source: result + source.slice(at),
    restored,
    restoredInQuotes: (value) => {
      const inside = [...value.matchAll(word)].map(([, index = '']) => pieceAt(index)?.text ?? '');
      if (inside.some((text) => withoutDoubleQuotes(text) === null)) return null;
      return value.replace(word, (_, index) => withoutDoubleQuotes(pieceAt(index)?.text ?? '') ?? '');
    },
    isSilent: (text) => {
      const index = /^\uE000(\d+)\uE001$/.exec(text)?.[1];
      return index !== undefined && pieceAt(index)?.isOutput === false;
    },
    closingUp: (text) =>
      text.replace(word, (whole, index) => {
        const piece = pieceAt(index);
        if (piece && !piece.isOutput) piece.text = piece.text.replace(/^\{%(?!-)/, '{%-');
        return whole;
      }),
    without: (text, put = '') => text.replace(word, (_, index) => (pieceAt(index)?.isOutput ? put : '')),
  };
}

/** The same Liquid with single quotes around its texts. Null if it holds other double quotes. */
function withoutDoubleQuotes(liquid: string): string | null {
  if (!liquid.includes('"')) return liquid;
  const bare = liquid.replace(literal, '');
  if (bare.includes('"')) return null;
  return liquid.replace(literal, (text) => `'${quoted(unquoted(text)).slice(1, -1)}'`);
}

/**
 * Liquid that is shown unfilled must not read as a tag or end a comment. It means the same to
 * Liquid.
 */
function harmless(liquid: string): string {
  return liquid.replace(/<(?=[a-z!/?])/gi, '< ').replace(/--(?=-|!?>)/g, '- -');
}
