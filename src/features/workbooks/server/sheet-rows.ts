import { columnOf, type NumberStyle, numberText, unescaped } from '../rules/cells.ts';
import type { Archive } from './archive.ts';
import { damaged, tooMuch } from './failures.ts';
import { longestText, type SharedStrings, sharedText, textReader } from './shared-strings.ts';
import { readXml, type XmlHandler } from './xml.ts';

const mostXml = 2_147_483_648;
/** The most rows and columns of a sheet in Excel. */
const mostRows = 1_048_576;
const mostColumns = 16_384;
/**
 * As many columns as are read, and one more, so that whoever reads the rows sees that there are too
 * many.
 */
const keptColumns = 1_025;

/** What the cells of all sheets need. */
export interface Shared {
  strings: SharedStrings;
  styles: readonly NumberStyle[];
  from1904: boolean;
}

/**
 * Receives a row with something in it: its number in the sheet, from 1, and its cells up to the
 * last filled one. The array is reused.
 */
export type OnRow = (number: number, cells: readonly string[]) => void;

/** Reads a sheet. `afterPiece` is awaited between pieces, so a slow consumer slows this down. */
export async function readSheet(
  archive: Archive,
  path: string,
  shared: Shared,
  onRow: OnRow,
  afterPiece: () => Promise<void>,
): Promise<void> {
  async function* pieces() {
    for await (const piece of archive.read(path, mostXml)) {
      yield piece;
      await afterPiece();
    }
  }
  await readXml(pieces(), new SheetReader(shared, onRow));
}

class SheetReader implements XmlHandler {
  readonly #shared: Shared;
  readonly #onRow: OnRow;
  readonly #rich = textReader();
  #cells: string[] = [];
  #row = 0;
  /** Characters in the row so far. */
  #length = 0;
  #column = -1;
  #type = '';
  #style = -1;
  #value = '';
  #element = '';
  #inRows = false;
  #inValue = false;
  #isRich = false;

  constructor(shared: Shared, onRow: OnRow) {
    this.#shared = shared;
    this.#onRow = onRow;
  }

  open(name: string): void {
    this.#element = name;
    if (!this.#inRows) this.#inRows = name === 'sheetData';
    else if (name === 'row') this.#openRow();
    else if (name === 'c') this.#openCell();
    else if (name === 'v') this.#inValue = true;
    else if (name === 'is') this.#isRich = true;
    else if (this.#isRich) this.#rich.open(name);
  }

  attribute(name: string, value: string): void {
    if (!this.#inRows) return;
    if (this.#element === 'c') {
      if (name === 'r') this.#column = columnIn(value);
      else if (name === 't') this.#type = value;
      else if (name === 's') this.#style = Number(value);
    } else if (this.#element === 'row' && name === 'r') this.#moveTo(Number(value));
  }

  text = (text: string): void => {
    if (this.#inValue) {
      if (this.#value.length < longestText) this.#value += text;
    } else if (this.#isRich) this.#rich.add(text);
  };

  close(name: string): void {
    this.#element = '';
    if (!this.#inRows) return;
    if (name === 'v') this.#inValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else if (name === 'sheetData') this.#inRows = false;
    else if (this.#isRich && name !== 'is') this.#rich.close(name);
  }

  #openRow(): void {
    this.#row++;
    this.#cells.length = 0;
    this.#length = 0;
    this.#column = -1;
  }

  /** Most programs number their rows. Some leave out empty ones. */
  #moveTo(row: number): void {
    if (!Number.isInteger(row) || row < this.#row) throw damaged(`row ${row} after row ${this.#row}`);
    if (row > mostRows) throw tooMuch('has more than 1,048,576 rows');
    this.#row = row;
  }

  #openCell(): void {
    this.#column++;
    this.#type = '';
    this.#style = -1;
    this.#value = '';
    this.#isRich = false;
    this.#rich.begin();
  }

  #closeCell(): void {
    // No row of this length is read, so what else it holds is not needed. A workbook of a few
    // kilobytes can have rows of a gigabyte, because cells share their texts.
    if (this.#length > longestText) return;
    const text = this.#told();
    this.#length += text.length;
    if (text === '' || this.#column >= keptColumns) return;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = text;
  }

  /** What the cell says. A formula says what it came to when the workbook was saved. */
  #told(): string {
    const value = this.#value;
    if (this.#type === 'inlineStr') return this.#rich.end();
    if (value === '') return '';
    if (this.#type === 's') return sharedText(this.#shared.strings, value);
    if (this.#type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (this.#type === 'str') return unescaped(value);
    if (this.#type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
    if (this.#type === 'e') return value;
    return numberText(value, this.#shared.styles[this.#style] ?? 'plain', this.#shared.from1904);
  }

  #closeRow(): void {
    if (this.#row > mostRows) throw tooMuch('has more than 1,048,576 rows');
    if (this.#cells.length > 0) this.#onRow(this.#row, this.#cells);
  }
}

function columnIn(reference: string): number {
  const column = columnOf(reference);
  if (column < 0 || column >= mostColumns) throw damaged(`a cell called ${reference.slice(0, 20)}`);
  return column;
}
