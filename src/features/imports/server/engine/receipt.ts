import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { describeDeadDomain } from '#features/addresses/rules.ts';
import { csvLine } from '#features/csv/rules.ts';
import { copyOut } from '#platform/server/copy-out.ts';
import type { Fate } from '../../contract.ts';
import {
  describeCopy,
  describeFormer,
  describeOptOut,
  describeSuppressed,
  describeSuppressedDomain,
  sayWhich,
} from '../../rules/left-out.ts';
import { lineOf, positionOf } from '../../rules/position.ts';
import { type RowValues, rowValues } from '../../rules/row-values.ts';
import { type JudgedRow, leftOutCopy } from '../staging-queries.ts';
import type { EngineJob, Meter } from './messages.ts';
import { type Reading, rereadRows } from './reading.ts';
import type { RowMarks } from './row-marks.ts';

/** Rows of each fate to keep with the receipt, for the screen. */
export const samplesPerFate = 200;
const longestSample = 500;
const flushAt = 262_144;

export interface SampleRow {
  line: number;
  /** Which of the line's addresses, from 0. */
  part: number;
  text: string;
  fate: Fate;
  why: string;
  /**
   * The row's other cells, where its address may still be corrected. Null: they are in the receipt
   * alone. Absent: it may not.
   */
  values?: RowValues | null;
  corrected?: CorrectedRow;
}

/** What became of a row whose address somebody corrected. */
export interface CorrectedRow {
  email: string;
  contactId: number;
  by: string;
  at: string;
}

export interface LeftOut {
  duplicate: number;
  invalid: number;
  nonUk: number;
  suppressed: number;
  samples: SampleRow[];
}

const judgedFates = { 1: 'duplicate', 2: 'suppressed', 3: 'invalid' } as const;

/** The fate of a row that the database left out; `fate` as in `import_judged_*`. */
export function fateOf(fate: number): Exclude<Fate, 'imported'> {
  const known = judgedFates[fate as keyof typeof judgedFates];
  if (!known) throw new RangeError(`no fate ${fate}`);
  return known;
}

/** Describes why the database left a row out. */
export function describeJudged({ fate, position, firstPosition, detail }: JudgedRow): string {
  if (fate === 3) return describeDeadDomain(detail ?? '');
  if (fate === 1 && detail !== null) return describeFormer(detail);
  if (fate === 1)
    return firstPosition === position ? 'Already in your contacts' : describeCopy(lineOf(firstPosition));
  if (detail === null) return describeSuppressedDomain();
  const [reason = '', date = '', ...more] = detail.split(' ');
  if (reason === 'file') return describeOptOut(date, more[0] ?? '');
  return describeSuppressed(reason, date);
}

/**
 * Writes the receipt: line, fate, reason and original text of every row that is left out, in file
 * order. Reads the file a second time and judges it again while the database inserts: the rows
 * alone give some fates, and the database's decisions are merged in by line. `client` must not be
 * busy with anything else.
 */
export async function writeReceipt(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  client: pg.Client,
  slot: number,
  marks: RowMarks,
): Promise<LeftOut> {
  const leftOut: LeftOut = { duplicate: 0, invalid: 0, nonUk: 0, suppressed: 0, samples: [] };
  const file = createWriteStream(job.receiptPath, { mode: 0o600 });
  await once(file, 'open');
  file.on('error', () => undefined);
  let text = csvLine(['line', 'fate', 'reason', 'original']);
  const judged = new JudgedLines(await copyOut(client, leftOutCopy(slot)));
  await judged.readOn();
  await rereadRows(job, reading, meter, marks, {
    onRow: (row) => {
      const { line, part, leftOut: verdict, reader } = row;
      let fate: Exclude<Fate, 'imported'>;
      let why: string;
      if (verdict) {
        fate = verdict.fate === 'nonUk' ? 'nonUk' : 'invalid';
        why = sayWhich(row, verdict.why);
      } else {
        const next = judged.take(positionOf(line, part));
        if (next === null) return;
        fate = fateOf(next.fate);
        why = sayWhich(row, describeJudged(next));
      }
      leftOut[fate]++;
      const original = reader.rawText();
      text += csvLine([String(line), fate, why, original]);
      if (leftOut[fate] <= samplesPerFate) {
        // Nobody may be added whom the file itself says not to mail.
        const isOpen = mayBeOpen(fate) && !row.saysNo();
        const text = original.slice(0, longestSample);
        const values = isOpen ? { values: keptValues(reading, row.fields) } : {};
        leftOut.samples.push({ line, part, text, fate, why, ...values });
      }
    },
    afterPiece: async () => {
      if (text.length > flushAt) {
        if (!file.write(text)) await once(file, 'drain');
        text = '';
      }
      await judged.readOn();
    },
  });
  file.end(text);
  await finished(file);
  await syncToDisk(job.receiptPath);
  return leftOut;
}

/** Whether a row of this fate may become a contact under a corrected address. */
export const mayBeOpen = (fate: Fate): boolean => fate === 'invalid' || fate === 'nonUk';

/** More text than this is left in the receipt. */
const longestValues = 4_000;

function keptValues({ mapping }: Reading, fields: readonly string[]): RowValues | null {
  const values = rowValues(mapping, fields, Date.now());
  return JSON.stringify(values).length > longestValues ? null : values;
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync();
  await handle.close();
}

/**
 * The shortest row is a character and a line end, so a piece of the file (256 KB) holds at most
 * this many rows.
 */
const readAhead = 131_072;

/** COPY writes a backslash twice, and an address may have one. No address has tabs or line ends. */
const plain = (cell: string): string => cell.replaceAll('\\\\', '\\');

/**
 * The database's decisions in file order, read ahead of the next piece's rows. They stay bytes until
 * their row comes: as objects, that many of them would take 20 MB.
 */
class JudgedLines {
  readonly #pieces: AsyncIterator<Buffer>;
  /** The begin of a line whose end has not come yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Whole lines, and how many of them there are, without those of `#lines`. */
  readonly #waiting: { bytes: Buffer; lines: number }[] = [];
  #ahead = 0;
  /** Of the piece that is being taken, in reverse order. */
  #lines: string[] = [];
  #next: JudgedRow | null = null;
  #ended = false;

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
