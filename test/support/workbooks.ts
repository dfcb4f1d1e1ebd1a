import { strToU8, zipSync } from 'fflate';

/** Makes workbooks of the kind .xlsx as programs write them, and as nobody should. */

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface MadeSheet {
  name: string;
  /** What stands in `<sheetData>`. */
  rows: string;
  state?: 'hidden' | 'veryHidden';
  /** What the sheet is besides its rows, such as `<mergeCells>`. */
  after?: string;
}

export interface MadeWorkbook {
  sheets: MadeSheet[];
  /** What stands in `<sst>`, an `<si>` each. */
  strings?: string;
  /** What stands in `<styleSheet>`. */
  styles?: string;
  from1904?: boolean;
  /** Files to add, or to put in the place of made ones. Null leaves one out. */
  files?: Record<string, string | Uint8Array | null>;
  level?: 0 | 1 | 6;
}

/** The bytes of a workbook. */
export function workbook(made: MadeWorkbook): Uint8Array {
  const { sheets, strings, styles, from1904 = false, files = {}, level = 1 } = made;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${documents}/${type}" Target="${target}"/>`;
  const relations = (inner: string) => `${head}<Relationships xmlns="${packages}">${inner}</Relationships>`;
  const all: Record<string, string | Uint8Array | null> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${documents}"><workbookPr${
      from1904 ? ' date1904="1"' : ''
    }/><sheets>${sheets
      .map(
        ({ name, state }, i) =>
          `<sheet name="${escaped(name)}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('') +
        (strings === undefined ? '' : relation('rId900', 'sharedStrings', 'sharedStrings.xml')) +
        (styles === undefined ? '' : relation('rId901', 'styles', 'styles.xml')),
    ),
    ...(strings === undefined
      ? {}
      : { 'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${strings}</sst>` }),
    ...(styles === undefined
      ? {}
      : { 'xl/styles.xml': `${head}<styleSheet xmlns="${main}">${styles}</styleSheet>` }),
  };
  for (const [i, { rows, after = '' }] of sheets.entries()) {
    all[`xl/worksheets/sheet${i + 1}.xml`] =
      `${head}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${after}</worksheet>`;
  }
  const bytes = Object.entries({ ...all, ...files }).flatMap(([name, content]) =>
    content === null ? [] : [[name, typeof content === 'string' ? strToU8(content) : content] as const],
  );
  return zipSync(Object.fromEntries(bytes), { level });
}

/** Excel's name for a column: A to Z, then AA. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** Rows of inline texts. An absent row stands for one that the sheet leaves out. */
export const textRows = (rows: readonly (readonly string[] | null)[]): string =>
  rows
    .map((cells, i) =>
      cells === null
        ? ''
        : `<row r="${i + 1}">${cells
            .map((text, column) =>
              text === ''
                ? ''
                : `<c r="${columnName(column)}${i + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
            )
            .join('')}</row>`,
    )
    .join('');

/** A workbook with one sheet of texts. */
export const tableWorkbook = (rows: readonly (readonly string[] | null)[]): Uint8Array =>
  workbook({ sheets: [{ name: 'Contacts', rows: textRows(rows) }] });
