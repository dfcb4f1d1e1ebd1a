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
import { JudgedLines } from './judged-lines.ts';
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
        const text = original.slice(0, longestSample).toWellFormed();
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
