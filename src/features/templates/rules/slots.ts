import { QuoteType, Tokenizer } from 'htmlparser2';

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

/** The addresses in a plain text. A full stop after one is the sentence's. The source is masked. */
export function textSlotsOf(source: string): Slot[] {
  return [...source.matchAll(/\bhttps?:\/\/[^\s<>"'()[\]]+/g)].map(({ 0: url, index }) => {
    return { kind: 'link', start: index, end: index + lengthWithoutMarks(url) };
  });
}

function lengthWithoutMarks(url: string): number {
  let length = url.length;
  while ('.,;:!?'.includes(url.charAt(length - 1))) length--;
  return length;
}
