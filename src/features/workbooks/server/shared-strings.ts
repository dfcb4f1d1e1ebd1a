import { unescaped } from '../rules/cells.ts';
import type { Archive } from './archive.ts';
import { damaged, tooMuch } from './failures.ts';
import { readXml, type XmlHandler } from './xml.ts';

const megabyte = 1_048_576;
const mostXml = 1_024 * megabyte;
/** What the texts may take in memory. A million rows with four of 20 letters take 80 MB. */
const mostBytes = 128 * megabyte;
const mostTexts = 8_388_608;
const blockBytes = 4 * megabyte;

/** Longer than a cell may be in Excel (32,767), and than any row is read. */
export const longestText = 1_100_000;

/**
 * The texts that the cells of a workbook share. They are kept as bytes outside the heap: a hundred
 * megabytes of strings would take several times that.
 */
export class SharedStrings {
  readonly #blocks: Buffer[] = [];
  #ends = new Uint32Array(1_024);
  #count = 0;
  #end = 0;

  get count(): number {
    return this.#count;
  }

  at(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const end = this.#ends[index] as number;
    // A text never runs over the end of a block, so it begins where the last one ended, or there.
    let start = index === 0 ? 0 : (this.#ends[index - 1] as number);
    const block = Math.floor((end - 1) / blockBytes);
    if (start < block * blockBytes) start = block * blockBytes;
    if (start >= end) return '';
    return (this.#blocks[block] as Buffer).toString(
      'utf8',
      start - block * blockBytes,
      end - block * blockBytes,
    );
  }

  add(text: string): void {
    if (this.#count >= mostTexts) throw tooMuch('holds more than 8 million texts');
    const length = Buffer.byteLength(text);
    const left = this.#blocks.length * blockBytes - this.#end;
    // An empty text needs no room, and must not begin a block.
    if (length > left) {
      this.#end += left;
      if (this.#end + length > mostBytes) throw tooMuch('holds more than 128 MB of text');
      this.#blocks.push(Buffer.allocUnsafe(blockBytes));
    }
    if (length > 0) (this.#blocks.at(-1) as Buffer).write(text, this.#end % blockBytes);
    this.#end += length;
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(this.#ends.length * 2);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#ends[this.#count++] = this.#end;
  }
}

/** Reads the shared texts. A workbook without any has no such file. */
export async function readSharedStrings(archive: Archive, path: string | null): Promise<SharedStrings> {
  const strings = new SharedStrings();
  if (path === null || !archive.has(path)) return strings;
  const text = textReader();
  await readXml(archive.read(path, mostXml), {
    open(name) {
      if (name === 'si') text.begin();
      else text.open(name);
    },
    text: text.add,
    close(name) {
      if (name === 'si') strings.add(text.end());
      else text.close(name);
    },
  });
  return strings;
}

/** Puts the pieces of a rich text together, without the hints on how to pronounce it. */
export function textReader(): Required<Pick<XmlHandler, 'open' | 'close'>> & {
  begin(): void;
  add(piece: string): void;
  end(): string;
} {
  let text = '';
  let inText = false;
  let inHint = 0;
  return {
    begin() {
      text = '';
      inText = false;
      inHint = 0;
    },
    open(name) {
      if (name === 'rPh') inHint++;
      else if (name === 't') inText = inHint === 0;
    },
    add(piece) {
      if (inText && text.length < longestText) text += piece;
    },
    close(name) {
      if (name === 'rPh') inHint--;
      else if (name === 't') inText = false;
    },
    end: () => unescaped(text),
  };
}

/** @throws AppError `not_csv`: there is no such text. */
export function sharedText(strings: SharedStrings, index: string): string {
  const text = strings.at(Number(index));
  if (text === undefined) throw damaged(`no shared text ${index}`);
  return text;
}
