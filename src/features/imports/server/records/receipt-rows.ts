import { createReadStream } from 'node:fs';
import { createCsvReader, type Dialect, longestRecord, unneutralise } from '#features/csv/rules.ts';
import type { FileStore } from '#platform/server/files.ts';
import { fates } from '../../contract.ts';
import { sayWhich } from '../../rules/left-out.ts';
import { createOptOutReader, optOutIndexes } from '../../rules/opt-outs.ts';
import type { ReadAs } from '../../rules/read-as.ts';
import { createRowAddresses } from '../../rules/row-addresses.ts';
import { rowValues } from '../../rules/row-values.ts';
import { mappingOf } from '../../rules.ts';
import { mayBeOpen, type SampleRow } from '../engine/receipt.ts';
import type { ImportRow } from './record-queries.ts';

const longestShown = 500;

/**
 * The rows that an import has left out of one line, from its stored receipt. None when the receipt
 * or the way it was read is not kept.
 */
export async function receiptRows(
  { files }: { files: FileStore },
  { receiptKey, readAs }: Pick<ImportRow, 'receiptKey' | 'readAs'>,
  line: number,
): Promise<SampleRow[]> {
  if (receiptKey === null || readAs === null) return [];
  const written = await writtenRows(await files.pathFor(receiptKey), line);
  const read = createReader(readAs);
  return written.map((row) => read(row));
}

/** A row as the receipt has it. */
interface WrittenRow {
  line: number;
  fate: string;
  why: string;
  original: string;
}

/** In its cell of the receipt, a row may be twice as long, with a quote doubled each time. */
const longestWritten = 3 * longestRecord;
const receiptDialect = dialectOf({ delimiter: ',', quote: '"' });

function dialectOf({ delimiter, quote }: Pick<ReadAs, 'delimiter' | 'quote'>): Dialect {
  const plain = { encoding: 'utf-8', bom: false, sepLine: false, lineEnd: 'LF', titleLines: 0 } as const;
  return { ...plain, header: false, delimiter, quote };
}

/** The receipt is in the order of the lines, so reading ends behind the line. */
async function writtenRows(path: string, line: number): Promise<WrittenRow[]> {
  const found: WrittenRow[] = [];
  let isPast = false;
  const reader = createCsvReader({
    dialect: receiptDialect,
    limits: { maxRecordBytes: longestWritten, maxQuotedLength: longestWritten },
    onRow([at, fate = '', why = '', original = '']) {
      if (Number(at) > line) isPast = true;
      if (Number(at) === line)
        found.push({ line, fate, why: unneutralise(why), original: unneutralise(original) });
    },
  });
  for await (const piece of createReadStream(path, { highWaterMark: 262_144 })) {
    reader.push(piece as Buffer);
    if (isPast) return found;
  }
  reader.end();
  return found;
}

/**
 * Returns a function that reads a row of the receipt as the import has read it. All rows of a line
 * hold the same text, which is read once: there are as many rows as it has addresses.
 */
function createReader(readAs: ReadAs): (row: WrittenRow) => SampleRow {
  const mapping = mappingOf(readAs.targets);
  const addressesOf = createRowAddresses(mapping.emails, readAs.addresses, readAs.targets.length);
  const now = Date.now();
  const optOutOf = readAs.optOuts.length === 0 ? () => null : createOptOutReader(readAs.optOuts, now);
  const wanted = [...new Set([...mapping.wanted, ...optOutIndexes(readAs.optOuts)])];
  const readLine = (original: string) => {
    const fields = fieldsOf(original, readAs, wanted);
    const isOptOut = optOutOf(fields) !== null;
    return { original, ...addressesOf(fields), isOptOut, values: rowValues(mapping, fields, now) };
  };
  let read: ReturnType<typeof readLine> | null = null;
  return ({ line, fate: given, why, original }) => {
    if (read?.original !== original) read = readLine(original);
    const { count, texts, isOptOut, values } = read;
    // If there are several addresses, the reason names the one that it is about.
    const nameOf = (text: string) => sayWhich({ text, parts: count }, '.').slice(0, -1);
    const named = texts.slice(0, count).findIndex((text) => why.startsWith(nameOf(text)));
    const fate = fates.find((known) => known === given) ?? 'invalid';
    const isOpen = mayBeOpen(fate) && !isOptOut;
    return {
      ...{ line, part: count > 1 ? Math.max(named, 0) : 0, fate, why },
      text: original.slice(0, longestShown).toWellFormed(),
      ...(isOpen ? { values } : {}),
    };
  };
}

/**
 * Returns a function from the original text of a line to its address cell, as the import has read
 * it; of several, that of the given number.
 */
export function createAddressCell(readAs: ReadAs): (original: string, part: number) => string {
  const { emails } = mappingOf(readAs.targets);
  const addressesOf = createRowAddresses(emails, readAs.addresses, readAs.targets.length);
  return (original, part) => {
    const { count, texts } = addressesOf(fieldsOf(original, readAs, emails));
    return part < count ? (texts[part] as string) : '';
  };
}

function fieldsOf(original: string, readAs: ReadAs, wantedColumns: readonly number[]): readonly string[] {
  let found: readonly string[] | null = null;
  const reader = createCsvReader({
    dialect: dialectOf(readAs),
    columnCount: readAs.targets.length,
    wantedColumns,
    onRow: (fields) => {
      found ??= [...fields];
    },
  });
  reader.push(Buffer.from(original));
  reader.end();
  return found ?? [];
}
