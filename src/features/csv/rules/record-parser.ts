/*
 * Text in, records out.
 *
 * The parser gets consecutive pieces of text. It consumes every complete record of a piece and
 * keeps the rest for the next piece. A record is complete when later text cannot change its end: a
 * CR at the very end may be half of a CRLF, a quote at the very end may be half of a doubled one.
 *
 * A record without a quote on its first line (nearly all of them) takes the fast path: it runs from
 * one line end to the next and is cut at the delimiters. The positions of the next LF, CR, quote,
 * delimiter, NUL and U+FFFD are found once with indexOf and reused until the reader has passed
 * them, so no character is searched for twice.
 *
 * A record with a quote takes the slow path, which decides four cases:
 *   closed      "…" then blanks, then a delimiter or a line end
 *   inner quote "John "Johnny" Smith" – another quote follows before the next delimiter: it is text
 *   trailing    "a"b, – text follows the closing quote: it is kept, after the quoted text
 *   unclosed    no closing quote within the longest quoted field or before the end, or the field has run
 *               over a line end and its quote is then closed badly (the next row's opening quote
 *               closed it): the quote is text, the record ends with the line of the quote, and
 *               reading goes on at the next line
 */
import type { CsvProblem, Delimiter, Quote } from './dialect.ts';

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;

/** A quote that is still open after this many characters was never meant as a quote. */
const usualQuotedLength = 65_536;

/** How much `rawText` gives of a record that is too long. */
const rawExcerptLength = 1_024;

export interface RecordParserOptions {
  delimiter: Delimiter;
  quote: Quote;
  /** UTF-16 units; at least 1. */
  maxRecordLength: number;
  /** The most characters of a quoted field. Default: 65,536. */
  maxQuotedLength?: number | undefined;
  /** Fields beyond this number are counted but not delivered. */
  maxColumns: number;
  /** Indexes of the columns to deliver. The others are `''`. Default: all. */
  wanted?: readonly number[] | undefined;
  /** With `wanted`: fields from this index on are surplus, and delivered. 0: none are. */
  surplusFrom?: number;
  /**
   * Called for each record that is not an empty line. `fields` is the same array each time, cut to
   * the number of delivered fields. `count` is the number of fields in the record.
   */
  onRecord: (fields: string[], line: number, count: number) => void;
  onProblem: (line: number, code: CsvProblem) => void;
}

export class RecordParser {
  private readonly options: RecordParserOptions;
  private readonly quoteCode: number;
  private readonly maxQuotedLength: number;
  private readonly delimiterCode: number;
  private readonly wanted: Uint8Array | null;
  private readonly fields: string[] = [];
  /** Completely empty lines, which are not records. */
  emptyLines = 0;

  /** The piece being read: the rest of the previous one, and the new one. */
  private text = '';
  private rest = '';
  /**
   * Pieces not looked at yet. An incomplete record is tried again once half as much text has come
   * again, so that a long record is not read from its start for every piece.
   */
  private waiting = '';
  private line = 1;
  /** The rest of a record that is too long is being thrown away. */
  private skipping = false;

  private recordStart = 0;
  private recordEnd = 0;
  private tooLong = false;

  // Results of the slow path, valid when it returns true.
  private count = 0;
  private next = 0;
  private malformed = false;
  private unclosedAt = -1;

  constructor(options: RecordParserOptions) {
    this.options = options;
    this.quoteCode = options.quote === '' ? -1 : options.quote.charCodeAt(0);
    this.delimiterCode = options.delimiter.charCodeAt(0);
    this.maxQuotedLength = options.maxQuotedLength ?? usualQuotedLength;
    this.wanted = null;
    if (options.wanted !== undefined) {
      this.wanted = new Uint8Array(options.maxColumns);
      for (const index of options.wanted) this.wanted[index] = 1;
      if (options.surplusFrom) this.wanted.fill(1, options.surplusFrom);
    }
  }

  /**
   * The original text of the delivered record, with U+FFFD for each NUL; only its start when the
   * record is too long.
   */
  rawText(): string {
    const end = this.tooLong ? Math.min(this.recordEnd, this.recordStart + rawExcerptLength) : this.recordEnd;
    return this.text.slice(this.recordStart, end).replaceAll('\0', '\ufffd').toWellFormed();
  }

  /** Reads more text. `last` says that no text follows. */
  consume(piece: string, last: boolean): void {
    this.waiting = this.waiting === '' ? piece : this.waiting + piece;
    if (!last && this.waiting.length * 2 < this.rest.length) return;
    const text = this.rest === '' ? this.waiting : this.rest + this.waiting;
    this.waiting = '';
    this.text = text;
    const pos = this.skipping ? this.skip(text, 0, last) : 0;
    const stop = this.skipping ? pos : this.readRecords(text, pos, last);
    this.rest = stop >= text.length ? '' : text.slice(stop);
    this.text = '';
  }

  /** Consumes whole records from `start`. Returns where the first incomplete one begins. */
  private readRecords(text: string, start: number, last: boolean): number {
    const { delimiter, quote, maxRecordLength, maxColumns } = this.options;
    const { fields, wanted } = this;
    const length = text.length;
    let pos = start;
    let lf = -1;
    let cr = -1;
    let comma = -1;
    let nul = -1;
    let bad = -1;
    let quoted = quote === '' ? length : -1;

    while (pos < length) {
      if (lf < pos) lf = indexOrEnd(text, '\n', pos);
      if (cr < pos) cr = indexOrEnd(text, '\r', pos);
      if (quoted < pos) quoted = indexOrEnd(text, quote, pos);
      if (nul < pos) nul = indexOrEnd(text, '\0', pos);
      if (bad < pos) bad = indexOrEnd(text, '\ufffd', pos);

      let end = Math.min(lf, cr);
      let next = end + 1;
      let complete = true;
      let lines = 1;
      let count = 0;
      const slow = quoted < end;
      this.malformed = false;
      this.unclosedAt = -1;

      if (slow) {
        complete = this.readQuotedRecord(text, pos, last);
        if (complete) {
          end = this.recordEnd;
          next = this.next;
          count = this.count;
          lines = countLines(text, pos, next);
        }
      } else if (end === length) {
        complete = last;
      } else if (end === cr) {
        if (next === length && !last) complete = false;
        else if (next === lf) next++;
      }

      // A record waits for at most a CR and a quote that it already has: two more than its length.
      if (complete ? end - pos > maxRecordLength : length - pos > maxRecordLength + 2) {
        pos = this.readTooLong(text, pos, last);
        if (this.skipping) return pos;
        continue;
      }
      if (!complete) return pos;
      if (end === pos) {
        this.emptyLines++;
        this.line++;
        pos = next;
        continue;
      }

      if (!slow) {
        let from = pos;
        if (comma < from) comma = indexOrEnd(text, delimiter, from);
        while (comma < end) {
          if (count < maxColumns) {
            fields[count] = wanted === null || wanted[count] === 1 ? text.slice(from, comma) : '';
          }
          count++;
          from = comma + 1;
          comma = indexOrEnd(text, delimiter, from);
        }
        if (count < maxColumns) {
          fields[count] = wanted === null || wanted[count] === 1 ? text.slice(from, end) : '';
        }
        count++;
      }

      const kept = Math.min(count, maxColumns);
      if (fields.length !== kept) fields.length = kept;
      this.recordStart = pos;
      this.recordEnd = end;
      this.tooLong = false;
      if (slow) this.reportQuotes(text, pos);
      if (nul < end) this.replaceNuls();
      if (bad < end) this.options.onProblem(this.line, 'bad_encoding');
      this.options.onRecord(fields, this.line, count);
      this.line += lines;
      pos = next;
    }
    return pos;
  }

  private reportQuotes(text: string, pos: number): void {
    if (this.malformed) this.options.onProblem(this.line, 'malformed_quote');
    if (this.unclosedAt !== -1) {
      this.options.onProblem(this.line + countLines(text, pos, this.unclosedAt), 'unclosed_quote');
    }
  }

  private replaceNuls(): void {
    this.options.onProblem(this.line, 'nul_byte');
    const { fields } = this;
    for (let i = 0; i < fields.length; i++) fields[i] = withoutNul(fields[i] as string);
  }

  /**
   * Delivers the record at `pos` with empty fields. Returns where reading goes on: after the first
   * line end at or after the limit, wherever that is, so that memory never holds more than the
   * limit and one piece.
   */
  private readTooLong(text: string, pos: number, last: boolean): number {
    let limit = pos + this.options.maxRecordLength;
    if (text.charCodeAt(limit) === LF && text.charCodeAt(limit - 1) === CR) limit--;
    this.recordStart = pos;
    this.recordEnd = limit;
    this.tooLong = true;
    this.fields.length = 1;
    this.fields[0] = '';
    this.options.onProblem(this.line, 'record_too_long');
    this.options.onRecord(this.fields, this.line, 1);
    this.skipping = true;
    this.line += countLines(text, pos, limit);
    return this.skip(text, limit, last);
  }

  /**
   * Throws away everything up to and including the first line end. `skipping` stays set until there
   * is one.
   */
  private skip(text: string, from: number, last: boolean): number {
    const lf = indexOrEnd(text, '\n', from);
    const cr = indexOrEnd(text, '\r', from);
    const end = Math.min(lf, cr);
    if (end === text.length) return end;
    if (end === cr && end + 1 === text.length && !last) return end;
    this.skipping = false;
    this.line++;
    return end === cr && lf === cr + 1 ? end + 2 : end + 1;
  }

  /** The slow path. False when the record's end has not come yet. */
  private readQuotedRecord(text: string, pos: number, last: boolean): boolean {
    const length = text.length;
    let from = pos;
    this.count = 0;
    for (;;) {
      let open = from;
      while (text.charCodeAt(open) === SPACE) open++;
      let end: number;
      if (text.charCodeAt(open) === this.quoteCode) {
        end = this.readQuotedField(text, open, last);
        if (end === incomplete) return false;
        if (end === unclosed) {
          this.unclosedAt = open;
          return this.readPlainLine(text, from, last);
        }
      } else {
        end = open;
        while (end < length && !this.endsField(text.charCodeAt(end))) end++;
        if (end === length && !last) return false;
        this.add(text, from, end);
      }
      if (text.charCodeAt(end) !== this.delimiterCode || end === length)
        return this.endRecord(text, end, last);
      from = end + 1;
    }
  }

  /**
   * Adds the field whose opening quote is at `open`. Returns where the field ends, `incomplete` or
   * `unclosed`.
   */
  private readQuotedField(text: string, open: number, last: boolean): number {
    const { quote } = this.options;
    const { maxQuotedLength } = this;
    const length = text.length;
    let from = open + 1;
    let doubled = false;
    for (;;) {
      const close = text.indexOf(quote, from);
      if (close === -1 || close - open > maxQuotedLength) {
        return close === -1 && !last && length - open <= maxQuotedLength ? incomplete : unclosed;
      }
      if (close + 1 === length && !last) return incomplete;
      if (text.charCodeAt(close + 1) === this.quoteCode) {
        doubled = true;
        from = close + 2;
        continue;
      }
      let after = close + 1;
      while (after < length && this.isBlank(text.charCodeAt(after))) after++;
      if (after === length && !last) return incomplete;
      if (after === length || this.endsField(text.charCodeAt(after))) {
        this.addQuoted(text.slice(open + 1, close), doubled, '');
        return after;
      }
      if (countLines(text, open, close) > 0) return unclosed;
      while (after < length && !this.endsField(text.charCodeAt(after))) {
        if (text.charCodeAt(after) === this.quoteCode) break;
        after++;
      }
      if (after === length && !last) return incomplete;
      this.malformed = true;
      if (after === length || text.charCodeAt(after) !== this.quoteCode) {
        this.addQuoted(text.slice(open + 1, close), doubled, text.slice(close + 1, after));
        return after;
      }
      from = after;
    }
  }

  /** Cuts the rest of the line at its delimiters. Quotes are text here. */
  private readPlainLine(text: string, start: number, last: boolean): boolean {
    let from = start;
    for (let at = start; ; at++) {
      if (at === text.length && !last) return false;
      const code = text.charCodeAt(at);
      if (at === text.length || code === LF || code === CR) {
        this.add(text, from, at);
        return this.endRecord(text, at, last);
      }
      if (code === this.delimiterCode) {
        this.add(text, from, at);
        from = at + 1;
      }
    }
  }

  private endRecord(text: string, end: number, last: boolean): boolean {
    this.recordEnd = end;
    this.next = Math.min(end + 1, text.length);
    if (text.charCodeAt(end) !== CR) return true;
    if (this.next === text.length) return last;
    if (text.charCodeAt(this.next) === LF) this.next++;
    return true;
  }

  private endsField(code: number): boolean {
    return code === this.delimiterCode || code === LF || code === CR;
  }

  private isBlank(code: number): boolean {
    return (code === SPACE || code === TAB) && code !== this.delimiterCode;
  }

  private isWanted(): boolean {
    return this.count < this.options.maxColumns && (this.wanted === null || this.wanted[this.count] === 1);
  }

  private add(text: string, from: number, to: number): void {
    this.put(this.isWanted() ? text.slice(from, to) : '');
  }

  private addQuoted(content: string, doubled: boolean, trailing: string): void {
    const { quote } = this.options;
    const value = doubled && this.isWanted() ? content.replaceAll(quote + quote, quote) : content;
    this.put(this.isWanted() ? value + trailing : '');
  }

  private put(value: string): void {
    if (this.count < this.options.maxColumns) this.fields[this.count] = value;
    this.count++;
  }
}

const incomplete = -1;
const unclosed = -2;

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}

/**
 * NULs at the ends of a field are padding. One within it is a letter that was lost; without it two
 * parts would be joined, perhaps to somebody else's address.
 */
function withoutNul(text: string): string {
  if (!text.includes('\0')) return text;
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0) start++;
  while (end > start && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(start, end).replaceAll('\0', '\ufffd');
}

/**
 * Counts line ends (LF, CRLF, CR) in `text` between `from` and `to`, without the character at `to`.
 */
function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && !(at + 1 < to && text.charCodeAt(at + 1) === LF))) lines++;
  }
  return lines;
}
