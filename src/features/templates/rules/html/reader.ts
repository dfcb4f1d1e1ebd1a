import { Tokenizer } from 'htmlparser2';

export interface Attribute {
  /** In lower case. */
  name: string;
  /** Decoded. */
  value: string;
  /** Where the name begins. */
  at: number;
}

/**
 * The pieces of an HTML text in the order in which they stand there. Nothing is closed or moved, so
 * pieces that no single reader could nest, as they stand in Outlook's conditional comments, stay as
 * they are.
 */
export interface HtmlHandler {
  /** `isClosed`: written as `<name/>`. Names of elements are as they are written. */
  open(name: string, attributes: Attribute[], at: number, isClosed: boolean): void;
  close(name: string, at: number): void;
  /** Text as it is written, with its entities. */
  text(raw: string): void;
  comment(content: string, at: number): void;
  doctype(content: string): void;
}

export function readHtml(source: string, handler: HtmlHandler): void {
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks(source, handler));
  tokenizer.write(source);
  tokenizer.end();
}

function callbacks(source: string, handler: HtmlHandler) {
  let name = '';
  let at = 0;
  let attributes: Attribute[] = [];
  let names = new Set<string>();
  let attribute: Attribute = { name: '', value: '', at: 0 };
  /** Where an entity begins is told by the end of what stands before it. */
  let written = 0;
  const text = (from: number, to: number): void => {
    if (to > from) handler.text(source.slice(from, to));
    written = to;
  };
  const opened = (end: number, isClosed: boolean): void => {
    handler.open(name, attributes, at, isClosed);
    written = end + 1;
  };
  const beside = (from: number, to: number, length: number): void => {
    handler.comment(source.slice(from, to - length), from);
    written = source.indexOf('>', to - 1) + 1 || source.length;
  };
  return {
    onopentagname: (from: number, to: number) => {
      name = source.slice(from, to);
      at = from - 1;
      attributes = [];
      names = new Set();
    },
    onattribname: (from: number, to: number) => {
      attribute = { name: source.slice(from, to).toLowerCase(), value: '', at: from };
    },
    onattribdata: (from: number, to: number) => {
      attribute.value += source.slice(from, to);
    },
    onattribentity: (code: number) => {
      attribute.value += String.fromCodePoint(code);
    },
    onattribend: () => {
      // The first of two attributes with one name counts.
      if (names.has(attribute.name)) return;
      names.add(attribute.name);
      attributes.push(attribute);
    },
    onopentagend: (end: number) => opened(end, false),
    onselfclosingtag: (end: number) => opened(end, true),
    onclosetag: (from: number, to: number) => {
      handler.close(source.slice(from, to), from - 2);
      written = source.indexOf('>', to) + 1 || source.length;
    },
    ontext: text,
    ontextentity: (_code: number, to: number) => text(written, to),
    oncomment: beside,
    oncdata: beside,
    ondeclaration: (from: number, to: number) => {
      handler.doctype(source.slice(from, to));
      written = to + 1;
    },
    onprocessinginstruction: () => {},
    onend: () => {},
  };
}
