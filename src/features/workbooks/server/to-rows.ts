import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Archive } from './archive.ts';
import { asDamaged, emptySheets, noSuchSheet, notWorkbook, tooMuch } from './failures.ts';
import { readParts, readStyles, type Sheet } from './parts.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheet, type Shared } from './sheet-rows.ts';

/** Which sheet of a workbook was read, and the names of all, in the order of their tabs. */
export interface ReadSheet {
  name: string;
  sheets: string[];
}

const mostBytes = 1_073_741_824;
const flushAt = 262_144;
/** Rows that are looked at before the first is written, for the width of the table. */
const rowsAhead = 1_000;
/** And this many characters. */
const textAhead = 4_000_000;
const triedSheets = 20;
const toldSheets = 50;

/**
 * Writes a sheet of a workbook as CSV in UTF-8, as Excel would, and says which. Each row of the
 * sheet is one record; an empty row is an empty line. So the number of a record is that of the row.
 *
 * The sheet is the one that is asked for; else the first one that is not hidden and holds an
 * address; else the first one with anything in it. `afterPiece` is called between pieces, and may
 * throw to stop.
 *
 * @throws AppError `not_csv` or `empty_file`, in words for the person who chose the file.
 */
export async function writeSheetAsCsv(
  path: string,
  target: string,
  options: { sheet?: string | undefined; afterPiece?: () => void } = {},
): Promise<ReadSheet> {
  const archive = await Archive.open(path);
  try {
    const parts = await readParts(archive);
    if (parts.sheets.length === 0) throw notWorkbook();
    const shared = {
      from1904: parts.from1904,
      styles: await readStyles(archive, parts.styles),
      strings: await readSharedStrings(archive, parts.sharedStrings),
    };
    const afterPiece = options.afterPiece ?? (() => undefined);
    const sheet = await chooseSheet(archive, parts.sheets, shared, options.sheet);
    await writeSheet(archive, sheet, shared, { target, afterPiece });
    return { name: sheet.name, sheets: parts.sheets.slice(0, toldSheets).map(({ name }) => name) };
  } catch (error) {
    throw asDamaged(error);
  } finally {
    archive.close();
  }
}

async function chooseSheet(
  archive: Archive,
  sheets: readonly Sheet[],
  shared: Shared,
  wanted: string | undefined,
): Promise<Sheet> {
  const named = sheets.find(({ name }) => name === wanted);
  if (wanted !== undefined && !named) throw noSuchSheet(wanted);
  if (named) return named;
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  let filled: Sheet | null = null;
  for (const sheet of (shown.length > 0 ? shown : sheets).slice(0, triedSheets)) {
    const found = await lookInto(archive, sheet, shared);
    if (found === 'addresses') return sheet;
    if (found === 'rows') filled ??= sheet;
  }
  if (!filled) throw emptySheets();
  return filled;
}

/** Thrown to stop reading once enough is known. */
class Enough extends Error {}

async function lookInto(
  archive: Archive,
  { path }: Sheet,
  shared: Shared,
): Promise<'nothing' | 'rows' | 'addresses'> {
  let rows = 0;
  let hasAddress = false;
  const look = (_number: number, cells: readonly string[]) => {
    rows++;
    hasAddress ||= cells.some((cell) => cell.includes('@'));
    if (hasAddress || rows >= rowsAhead) throw new Enough();
  };
  try {
    await readSheet(archive, path, shared, look, async () => undefined);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return hasAddress ? 'addresses' : rows > 0 ? 'rows' : 'nothing';
}

async function writeSheet(
  archive: Archive,
  { path }: Sheet,
  shared: Shared,
  { target, afterPiece }: { target: string; afterPiece: () => void },
): Promise<void> {
  const file = createWriteStream(target, { mode: 0o600 });
  let failure: Error | null = null;
  file.on('error', (error) => {
    failure = error;
  });
  const table = new Table();
  try {
    await once(file, 'open');
    await readSheet(archive, path, shared, table.add, async () => {
      afterPiece();
      if (failure) throw failure;
      if (table.pending > flushAt) await write(file, table.take());
    });
    await write(file, table.takeAll());
    file.end();
    await finished(file);
    if (table.rows === 0) throw emptySheets();
  } catch (error) {
    file.destroy();
    throw failure ?? error;
  }
}

async function write(file: WriteStream, text: string): Promise<void> {
  if (!file.write(text)) await once(file, 'drain');
}

/** Turns rows into CSV, and makes them as wide as the table is. */
class Table {
  rows = 0;
  #text = '\ufeff';
  #bytes = 0;
  /** The first rows, until the width is known. */
  #held: { number: number; cells: string[] }[] | null = [];
  #heldText = 0;
  #width = 0;
  #last = 0;
  #isTable = false;

  get pending(): number {
    return this.#text.length;
  }

  add = (number: number, cells: readonly string[]): void => {
    this.rows++;
    if (cells.length > this.#width) this.#width = cells.length;
    if (this.#held === null) {
      this.#write(number, cells);
      return;
    }
    const rows = this.#held.push({ number, cells: [...cells] });
    for (const cell of cells) this.#heldText += cell.length;
    if (rows >= rowsAhead || this.#heldText > textAhead) this.#release();
  };

  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#bytes += text.length;
    if (this.#bytes > mostBytes) throw tooMuch('unpacks to more than 1,024 MB of rows');
    return text;
  }

  takeAll(): string {
    this.#release();
    return this.take();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const { number, cells } of held) this.#write(number, cells);
  }

  /**
   * A sheet does not say where its rows end: an empty cell at the end is as if it were not there.
   * Lines above the table that hold a single text stay as they are, so that they are known for
   * titles.
   */
  #write(number: number, cells: readonly string[]): void {
    this.#isTable ||= cells.length > 1 && cells.filter((cell) => cell !== '').length > 1;
    let line = cells.map(quoted).join(',');
    if (this.#isTable && cells.length < this.#width) line += ','.repeat(this.#width - cells.length);
    this.#text += `${'\n'.repeat(number - this.#last - 1)}${line}\n`;
    this.#last = number;
  }
}

/** The longest text that a cell can have in Excel. */
const longestCell = 32_767;

/**
 * A cell as CSV has it. A text longer than any in Excel gets blanks for its quotes and line ends,
 * because no reader of CSV believes in quotes that far apart.
 */
function quoted(cell: string): string {
  if (!/[",\r\n]|^\s|\s$/.test(cell)) return cell;
  if (cell.length > longestCell) return cell.replace(/[",\r\n]/g, ' ');
  return `"${cell.replaceAll('"', '""')}"`;
}
