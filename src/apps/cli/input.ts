import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headBytes, looksLikeWorkbook } from '#features/csv/rules.ts';
import { isWorkbook, type ReadSheet, writeSheetAsCsv } from '#features/workbooks/server/index.ts';
import { aboutFile, WrongUse } from './failure.ts';

const pieceBytes = 262_144;

/**
 * A file, or standard input for `-`: first its beginning, for detecting the format, then all bytes
 * once.
 */
export interface Input {
  /** The name that people know. */
  name: string;
  head: Uint8Array;
  /** True when the head is the whole input. */
  whole: boolean;
  /** Bytes in all. Null when unknown. */
  size: number | null;
  /** Which sheet of a workbook the bytes are the rows of, as CSV. Null for other files. */
  sheet: ReadSheet | null;
  /** The same from the start once more. Null when it can be read only once. */
  again: (() => Promise<Input>) | null;
  /**
   * All bytes from the start, in pieces. The buffer is reused, so read one piece before asking for
   * the next.
   */
  pieces(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

export const standard = '-';

export async function openInput(path: string, wantedSheet: string | null = null): Promise<Input> {
  if (path === standard) {
    const input = await startInput('standard input', process.stdin, async () => undefined);
    return looksLikeWorkbook(input.head) ? kept(input, wantedSheet) : input;
  }
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const stat = await file.stat();
    if (stat.isFile() && (await isWorkbook(path))) {
      await file.close();
      return await rowsOfSheet(path, path, wantedSheet);
    }
    if (wantedSheet !== null) throw new WrongUse(`--sheet is for workbooks; ${path} is none.`);
    const handle = file;
    const input = await startInput(path, readPieces(file), () => handle.close());
    return stat.isFile() ? { ...input, size: stat.size, again: () => openInput(path) } : input;
  } catch (error) {
    await file?.close();
    throw aboutFile(error, path);
  }
}

/** Keeps a workbook that comes from standard input, because its end says what is in it. */
async function kept(input: Input, wantedSheet: string | null): Promise<Input> {
  const folder = await mkdtemp(join(tmpdir(), 'email-manager-'));
  try {
    const path = join(folder, 'input.xlsx');
    await writeFile(path, input.pieces(), { mode: 0o600 });
    return await rowsOfSheet(path, input.name, wantedSheet);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The rows of a workbook's sheet as CSV. They are in a file that has lost its name already, so that
 * nothing of it stays, however the program ends.
 */
async function rowsOfSheet(path: string, name: string, wantedSheet: string | null): Promise<Input> {
  const folder = await mkdtemp(join(tmpdir(), 'email-manager-'));
  try {
    const rows = join(folder, 'rows.csv');
    const sheet = await writeSheetAsCsv(path, rows, { sheet: wantedSheet ?? undefined });
    const file = await open(rows, 'r');
    const { size } = await file.stat();
    const fromStart = async (close: () => Promise<void>): Promise<Input> => ({
      ...(await startInput(name, readPieces(file, 0), close)),
      size,
      sheet,
      again: () => fromStart(async () => undefined),
    });
    return await fromStart(() => file.close());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads on from `position`, or from where the file is when that cannot be chosen. */
async function* readPieces(file: FileHandle, position: number | null = null): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let at = position;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, pieceBytes, at);
    if (bytesRead === 0) return;
    if (at !== null) at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function startInput(
  name: string,
  source: AsyncIterable<Uint8Array>,
  close: () => Promise<void>,
): Promise<Input> {
  const rest = source[Symbol.asyncIterator]();
  const kept: Uint8Array[] = [];
  let length = 0;
  let whole = false;
  while (!whole && length <= headBytes) {
    const { value, done } = await rest.next();
    if (done) whole = true;
    else {
      kept.push(Uint8Array.from(value));
      length += value.length;
    }
  }
  return {
    name,
    head: Buffer.concat(kept).subarray(0, headBytes),
    whole,
    size: null,
    sheet: null,
    again: null,
    async *pieces() {
      for (let piece = kept.shift(); piece; piece = kept.shift()) yield piece;
      while (!whole) {
        const { value, done } = await rest.next().catch((error: unknown) => {
          throw aboutFile(error, name);
        });
        if (done) return;
        yield value;
      }
    },
    close,
  };
}
