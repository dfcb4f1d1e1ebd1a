import { QuoteType, Tokenizer } from 'htmlparser2';
import type { Span } from './liquid/spans.ts';

/**
 * The value of a quoted attribute that is an address: from `start` up to, but not including, `end`.
 */
export interface Slot {
  /** A `link` is what a person follows; an `image` is fetched. */
  kind: 'link' | 'image';
  start: number;
  end: number;
}

interface Range {
  start: number;
  end: number;
}

export interface Slots {
  slots: Slot[];
  /** Tags, and in them the quoted values: the only places of a tag where a value is safe. */
  tags: Range[];
  quoted: Range[];
  /** Where the content of `<body>` begins, or null without one. */
  bodyStart: number | null;
}

/** Finds where values of a recipient may stand in HTML. The source is masked (see `masked`). */
export function slotsOf(source: string): Slots {
  const result: Slots = { slots: [], tags: [], quoted: [], bodyStart: null };
  let tag = '';
  let attribute = '';
  let tagStart = 0;
  let valueStart = -1;
  const endTag = (end: number): void => {
    result.tags.push({ start: tagStart, end });
    if (tag === 'body') result.bodyStart ??= end;
  };
  const endValue = (quote: QuoteType, end: number): void => {
    if ((quote === QuoteType.Single || quote === QuoteType.Double) && valueStart >= 0) {
      const range = { start: valueStart, end: end - 1 };
      result.quoted.push(range);
      const kind = kindOf(tag, attribute);
      if (kind) result.slots.push({ kind, ...range });
    }
    valueStart = -1;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        tag = source.slice(start, end).toLowerCase();
        tagStart = start - 1;
      },
      onattribname: (start, end) => {
        attribute = source.slice(start, end).toLowerCase();
      },
      onattribdata: (start) => {
        if (valueStart < 0) valueStart = start;
      },
      onattribend: endValue,
      onopentagend: (end) => endTag(end + 1),
      onselfclosingtag: (end) => endTag(end + 1),
      ...ignored,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return result;
}

const ignored = {
  onattribentity: () => {},
  oncdata: () => {},
  onclosetag: () => {},
  oncomment: () => {},
  ondeclaration: () => {},
  onend: () => {},
  onprocessinginstruction: () => {},
  ontext: () => {},
  ontextentity: () => {},
};

function kindOf(tag: string, attribute: string): Slot['kind'] | null {
  if (attribute === 'href') return tag === 'a' || tag === 'area' ? 'link' : 'image';
  return attribute === 'src' || attribute === 'background' ? 'image' : null;
}

/**
 * The addresses in a plain text. A full stop after one is the sentence's, and so is a bracket that
 * it does not open. It ends before a tag that ends or goes on with the block in which it begins.
 * The source is masked, and `spans` are its Liquid.
 *
 * Mailings under way number their links anew with each version of the product: how many addresses
 * are found, and in which order, must stay as it is.
 */
export function textSlotsOf(source: string, spans: readonly Span[]): Slot[] {
  let next = 0;
  return [...source.matchAll(/\bhttps?:\/\/[^\s<>"'()[\]]+/g)].map(({ 0: plain, index: start }) => {
    // What has no path is never taken for more or less, or its host could become another one.
    const hasPath = /^https?:\/\/[^/?#]+[/?#]/.test(plain);
    let end = hasPath ? balancedEnd(source, start, start + plain.length) : start + plain.length;
    while ((spans[next]?.start ?? end) < start) next++;
    const leaving = hasPath ? leavingTag(spans, next, end) : null;
    if (leaving !== null && /[/?#]/.test(source.slice(start + 8, leaving.start)))
      end = balancedEnd(source.slice(0, leaving.start), start, Math.min(start + plain.length, leaving.start));
    return { kind: 'link', start, end: withoutMarks(source, end) };
  });
}

const closers: Record<string, string> = { '(': ')', '[': ']' };
const addressStart = /\bhttps?:\/\/[^\s<>"'()[\]]/y;

/** Where an address ends that is read up to `plainEnd`, with the brackets that belong to it. */
function balancedEnd(source: string, start: number, plainEnd: number): number {
  const isQuoted = source[start - 1] === "'";
  const open: string[] = [];
  let end = plainEnd;
  for (let at = plainEnd; at < source.length; at++) {
    const char = source.charAt(at);
    addressStart.lastIndex = at;
    if (/[\s<>"]/.test(char) || (char === "'" && isQuoted)) break;
    if (char === 'h' && addressStart.test(source)) break;
    const closer = closers[char];
    if (closer) open.push(closer);
    else if ((char === ')' || char === ']') && open.pop() !== char) break;
    if (open.length === 0) end = at + 1;
  }
  return end;
}

const opening = new Set(['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw']);
const goingOn = new Set(['else', 'elsif', 'when']);

/**
 * The first tag before `end` that ends or goes on with a block that begins before `spans[first]`.
 */
function leavingTag(spans: readonly Span[], first: number, end: number): Span | null {
  let depth = 0;
  for (let at = first; at < spans.length; at++) {
    const span = spans[at] as Span;
    if (span.start >= end) return null;
    if (opening.has(span.name)) depth++;
    else if (depth === 0 && (goingOn.has(span.name) || span.name.startsWith('end'))) return span;
    else if (span.name.startsWith('end')) depth--;
  }
  return null;
}

function withoutMarks(source: string, end: number): number {
  let at = end;
  while (".,;:!?'".includes(source.charAt(at - 1))) at--;
  return at;
}
