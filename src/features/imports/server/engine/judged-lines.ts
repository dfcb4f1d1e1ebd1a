import type { JudgedRow } from '../staging-queries.ts';

/**
 * The shortest row is a character and a line end, so a piece of the file (256 KB) holds at most
 * this many rows.
 */
const readAhead = 131_072;

/** COPY writes a backslash twice, and an address may have one. No address has tabs or line ends. */
const plain = (cell: string): string => cell.replaceAll('\\\\', '\\');

/**
 * The database's decisions in file order, read ahead of the next piece's rows. They stay bytes
 * until their row comes: as objects, that many of them would take 20 MB.
 */
export class JudgedLines {
  readonly #pieces: AsyncIterator<Buffer>;
  /** The start of a line whose end has not come yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Whole lines, and how many there are. Those in `#lines` are not among them. */
  readonly #waiting: { bytes: Buffer; lines: number }[] = [];
  #ahead = 0;
  /** The lines of the piece that is being taken, in reverse order. */
  #lines: string[] = [];
  #next: JudgedRow | null = null;
  #ended = false;

  /** `stream` gives the text of `leftOutCopy`, cut anywhere. */
  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** Reads until there are enough decisions for the next piece of the file. */
  async readOn(): Promise<void> {
    while (!this.#ended && this.#ahead < readAhead) {
      const { value, done } = await this.#pieces.next();
      if (done) {
        this.#ended = true;
        break;
      }
      const end = value.lastIndexOf(lineEnd) + 1;
      if (end === 0) {
        this.#rest = Buffer.concat([this.#rest, value]);
        continue;
      }
      const bytes = Buffer.concat([this.#rest, value.subarray(0, end)]);
      this.#rest = Buffer.from(value.subarray(end));
      const lines = countLines(bytes);
      this.#waiting.push({ bytes, lines });
      this.#ahead += lines;
    }
  }

  /** The decision about the row in this place, if the row was left out. */
  take(position: number): JudgedRow | null {
    this.#next ??= this.#read();
    if (this.#next?.position !== position) return null;
    const taken = this.#next;
    this.#next = null;
    return taken;
  }

  #read(): JudgedRow | null {
    if (this.#lines.length === 0) {
      const piece = this.#waiting.shift();
      if (piece === undefined) return null;
      this.#ahead -= piece.lines;
      this.#lines = piece.bytes
        .toString('utf8', 0, piece.bytes.length - 1)
        .split('\n')
        .reverse();
    }
    const line = this.#lines.pop() as string;
    const [position = '0', fate = '0', firstPosition = '0', detail = '\\N'] = line.split('\t');
    return {
      position: Number(position),
      fate: Number(fate),
      firstPosition: Number(firstPosition),
      detail: detail === '\\N' ? null : plain(detail),
    };
  }
}

const lineEnd = 10;

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines++;
  return lines;
}
