import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { describeDeadDomain } from '#features/addresses/rules.ts';
import { csvLine } from '#features/csv/rules.ts';
import type { Fate } from '../../contract.ts';
import {
  describeCopy,
  describeFormer,
  describeSuppressed,
  describeSuppressedDomain,
} from '../../rules/left-out.ts';
import { leftOutCopy } from '../staging-queries.ts';
import type { EngineJob, Meter } from './messages.ts';
import { type Reading, rereadRows } from './reading.ts';
import type { RowMarks } from './row-marks.ts';

/** Rows of each fate that are kept beside the receipt, for the screen. */
export const samplesPerFate = 200;
const longestSample = 500;
const flushAt = 262_144;

export interface SampleRow {
  line: number;
  text: string;
  fate: Fate;
  why: string;
}

export interface LeftOut {
  duplicate: number;
  invalid: number;
  nonUk: number;
  suppressed: number;
  samples: SampleRow[];
}

const judgedFates = { 1: 'duplicate', 2: 'suppressed', 3: 'invalid' } as const;

/** The fate by which the database left a row out; `fate` as in `import_judged_*`. */
export function fateOf(fate: number): Exclude<Fate, 'imported'> {
  const known = judgedFates[fate as keyof typeof judgedFates];
  if (!known) throw new RangeError(`no fate ${fate}`);
  return known;
}

/** In words, why the database left a row out. `fate` and `detail` as in `import_judged_*`. */
export function describeJudged(fate: number, line: number, firstLine: number, detail: string | null): string {
  if (fate === 3) return describeDeadDomain(detail ?? '');
  if (fate === 1 && detail !== null) return describeFormer(detail);
  if (fate === 1) return firstLine === line ? 'Already in your contacts' : describeCopy(firstLine);
  if (detail === null) return describeSuppressedDomain();
  const [reason = '', date = ''] = detail.split(' ');
  return describeSuppressed(reason, date);
}

/**
 * Writes the receipt: line, fate, reason and original text of every row that is left out, in the
 * order of the file. The file is read a second time and judged again, while the database inserts:
 * what the rows alone tell is known at once and what the database decided is merged in by line.
 * `client` must not be busy with anything else.
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
  const lines = client.query(copyTo(leftOutCopy(slot)));
  // Met by whoever reads on; without a listener it would end the thread when nobody does any more.
  lines.on('error', () => undefined);
  const judged = new JudgedLines(lines);
  await judged.readOn();
  await rereadRows(job, reading, meter, marks, {
    onRow: ({ line, leftOut: verdict, reader }) => {
      let fate: Exclude<Fate, 'imported'>;
      let why: string;
      if (verdict) {
        fate = verdict.fate === 'nonUk' ? 'nonUk' : 'invalid';
        why = verdict.why;
      } else {
        const next = judged.take(line);
        if (next === null) return;
        fate = fateOf(next.fate);
        why = describeJudged(next.fate, line, next.firstLine, next.detail);
      }
      leftOut[fate]++;
      const original = reader.rawText();
      text += csvLine([String(line), fate, why, original]);
      if (leftOut[fate] <= samplesPerFate) {
        leftOut.samples.push({ line, text: original.slice(0, longestSample), fate, why });
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

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync();
  await handle.close();
}

/**
 * The shortest row is a character and a line end, so a piece of the file (256 KB) holds at most
 * this many.
 */
const readAhead = 131_072;

/** COPY writes a backslash twice; an address may have one. Tabs and line ends no address has. */
const plain = (cell: string): string => cell.replaceAll('\\\\', '\\');

/** The database's decisions in the order of the file, read ahead of the rows of the next piece. */
class JudgedLines {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest = '';
  #lines: { line: number; fate: number; firstLine: number; detail: string | null }[] = [];
  #at = 0;
  #ended = false;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** Reads until enough decisions are in hand for the next piece of the file. */
  async readOn(): Promise<void> {
    if (this.#at > 0) {
      this.#lines = this.#lines.slice(this.#at);
      this.#at = 0;
    }
    while (!this.#ended && this.#lines.length < readAhead) {
      const { value, done } = await this.#pieces.next();
      if (done) {
        this.#ended = true;
        break;
      }
      const lines = (this.#rest + value.toString('utf8')).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const text of lines) {
        const [line = '0', fate = '0', firstLine = '0', detail = '\\N'] = text.split('\t');
        this.#lines.push({
          line: Number(line),
          fate: Number(fate),
          firstLine: Number(firstLine),
          detail: detail === '\\N' ? null : plain(detail),
        });
      }
    }
  }

  /** The decision about the row on this line, if it was left out. */
  take(line: number): { fate: number; firstLine: number; detail: string | null } | null {
    const next = this.#lines[this.#at];
    if (next?.line !== line) return null;
    this.#at++;
    return next;
  }
}
