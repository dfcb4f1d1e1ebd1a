import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { idna } from '#features/addresses/server/index.ts';
import {
  createCsvReader,
  csvError,
  csvLine,
  detectDialect,
  headBytes,
  unneutralise,
} from '#features/csv/rules.ts';
import { createEntryReader, findListColumns, type ListEntry, type ListForm } from '../../rules/list-file.ts';
import { createAddressReader, readDomain } from '../../rules.ts';

/** One line of a list: its entry, and the cells beside it. */
export interface ListLine {
  entry: Exclude<ListEntry, { kind: 'blank' | 'invalid' }>;
  reason: string | undefined;
  date: string | undefined;
  note: string | undefined;
}

export interface ListReading {
  path: string;
  form: ListForm;
  receiptPath: string;
  onLine: (line: ListLine) => void;
  /**
   * Awaited between pieces, so that a slower database slows the reading down. `lines`: read so far.
   */
  afterPiece: (lines: number) => Promise<void>;
}

/** Small, because the thread that answers calls reads a piece in one go: some 5 ms. */
const pieceBytes = 65_536;

/**
 * Reads a list from its file, and writes every unreadable line to the receipt. Returns how many
 * those are. Reading the same file twice gives the same lines and the same receipt.
 */
export async function readList(reading: ListReading): Promise<{ invalid: number }> {
  const read = createEntryReader(reading.form, {
    readAddress: createAddressReader(idna, 2 ** 14),
    readDomain: (text) => readDomain(text, idna),
  });
  const { head, whole } = await headOf(reading.path);
  const detected = detectDialect(head, whole, { titleLines: 0 });
  if (!detected.ok)
    throw csvError(detected.code, detected.message.replaceAll('a CSV file', 'a CSV or text file'));
  const columns = findListColumns(detected, read);

  const receipt = createWriteStream(reading.receiptPath, { mode: 0o600 });
  await once(receipt, 'open');
  let text = csvLine(['line', 'reason', 'original']);
  let invalid = 0;
  let lines = 0;
  const reader = createCsvReader({
    dialect: { ...detected.dialect, header: columns.header },
    onRow: (fields, line) => {
      lines = line;
      const entry = read(unneutralise(fields[columns.entry] ?? ''));
      if (entry.kind === 'blank') return;
      if (entry.kind === 'invalid') {
        invalid++;
        text += csvLine([line, entry.why, reader.rawText()]);
        return;
      }
      const cell = (column: number) => (column < 0 ? undefined : unneutralise(fields[column] ?? ''));
      reading.onLine({
        entry,
        reason: cell(columns.reason),
        date: cell(columns.date),
        note: cell(columns.note),
      });
    },
  });
  for await (const piece of createReadStream(reading.path, { highWaterMark: pieceBytes })) {
    reader.push(piece as Buffer);
    if (text.length > pieceBytes) {
      if (!receipt.write(text)) await once(receipt, 'drain');
      text = '';
    }
    await reading.afterPiece(lines);
  }
  reader.end();
  await reading.afterPiece(lines);
  receipt.end(text);
  await finished(receipt);
  return { invalid };
}

async function headOf(path: string): Promise<{ head: Uint8Array; whole: boolean }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, headBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { head: buffer.subarray(0, bytesRead), whole: size <= headBytes };
  } finally {
    await file.close();
  }
}

const lineFeed = 0x0a;

/** Roughly how many lines a file has: line ends within quotes also count. */
export async function countLines(path: string): Promise<number> {
  let lines = 1;
  for await (const piece of createReadStream(path, { highWaterMark: 16 * pieceBytes })) {
    const bytes = piece as Buffer;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines++;
  }
  return lines;
}
