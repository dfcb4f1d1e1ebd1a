import { TextDecoder } from 'node:util';
import { Parser } from 'htmlparser2';
import { damaged } from './failures.ts';

/** What is read of a document. Names come without their prefix. */
export interface XmlHandler {
  open?(name: string): void;
  attribute?(name: string, value: string): void;
  /** A text may come in several pieces. */
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * A name, value or comment is no longer than this. Texts may be: they come in pieces. Whoever
 * writes a longer one wants the memory, not a table.
 */
const longestToken = 1_048_576;
/** Elements within elements. Sheets have ten. */
const deepest = 100;

/**
 * Reads XML as it arrives. Nothing outside the document is ever asked for, and one that declares a
 * document type is refused, because it could define texts that grow without end.
 *
 * @throws AppError `not_csv`
 */
export async function readXml(pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const meter = { bytes: 0 };
  const parser = createParser(handler, meter);
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    meter.bytes += piece.length;
    if (meter.bytes > longestToken) throw damaged('a token without end');
    parser.write(decoded(decoder, piece));
  }
  parser.end();
}

function createParser(handler: XmlHandler, meter: { bytes: number }): Parser {
  let depth = 0;
  let justOpened = false;
  return new Parser(
    {
      onopentagname(name) {
        meter.bytes = 0;
        justOpened = true;
        if (++depth > deepest) throw damaged('elements too deep');
        handler.open?.(withoutPrefix(name));
      },
      onattribute(name, value) {
        meter.bytes = 0;
        handler.attribute?.(withoutPrefix(name), value);
      },
      ontext(text) {
        meter.bytes = 0;
        justOpened = false;
        handler.text?.(text);
      },
      onclosetag(name, isImplied) {
        meter.bytes = 0;
        // Either it closes itself (`<v/>`), or its end is missing.
        if (isImplied && !justOpened) throw damaged(`the end of ${name} is missing`);
        justOpened = false;
        depth--;
        handler.close?.(withoutPrefix(name));
      },
      onprocessinginstruction(name) {
        if (name.toLowerCase() === '!doctype') throw damaged('a document type');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
}

/** UTF-8 unless it begins with the mark of UTF-16. No program writes anything else. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decoded(decoder: TextDecoder, piece: Buffer): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch (error) {
    throw damaged(error);
  }
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);
