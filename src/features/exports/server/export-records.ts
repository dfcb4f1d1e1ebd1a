import type { ExportFormat } from '../contract.ts';

const quote = 34;
const lineEnd = 10;

/**
 * The bytes of a COPY, cut between records. A record ends with a line break; in CSV, with one
 * outside quotation marks. Keeps only the current piece in memory.
 */
export class RecordSource {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #isCsv: boolean;
  #rest: Buffer | null = null;
  #inQuotes = false;

  constructor(pieces: AsyncIterable<Buffer>, format: ExportFormat) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#isCsv = format === 'csv';
  }

  /** The next `wanted` records, or fewer at the end. */
  async *take(wanted: number): AsyncGenerator<Buffer, void> {
    let left = wanted;
    while (left > 0) {
      const piece = this.#rest ?? (await this.#next());
      this.#rest = null;
      if (piece === null) return;
      const { end, records } = this.#cut(piece, left);
      left -= records;
      if (end < piece.length) this.#rest = piece.subarray(end);
      yield end < piece.length ? piece.subarray(0, end) : piece;
    }
  }

  /** All that is left, uncut. */
  async *takeAll(): AsyncGenerator<Buffer, void> {
    for (let piece = this.#rest ?? (await this.#next()); piece !== null; piece = await this.#next())
      yield piece;
  }

  async #next(): Promise<Buffer | null> {
    const { done, value } = await this.#pieces.next();
    return done ? null : value;
  }

  /** Where the wanted number of records ends in the piece, or the piece's end. */
  #cut(piece: Buffer, wanted: number): { end: number; records: number } {
    let records = 0;
    if (!this.#isCsv) {
      for (let at = piece.indexOf(lineEnd); at >= 0; at = piece.indexOf(lineEnd, at + 1)) {
        if (++records === wanted) return { end: at + 1, records };
      }
      return { end: piece.length, records };
    }
    let inQuotes = this.#inQuotes;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      // A doubled quotation mark leaves the quotes and enters them again.
      if (byte === quote) inQuotes = !inQuotes;
      else if (byte === lineEnd && !inQuotes && ++records === wanted) {
        this.#inQuotes = false;
        return { end: at + 1, records };
      }
    }
    this.#inQuotes = inQuotes;
    return { end: piece.length, records };
  }
}
