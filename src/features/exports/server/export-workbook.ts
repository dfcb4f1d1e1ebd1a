import { columnName } from './export-queries.ts';
import type { ZipEntry } from './export-zip.ts';

/** A workbook of one sheet (ECMA-376, part 1), around rows that the database wrote as XML. */
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const fixedParts: [name: string, xml: string][] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${content}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${documents}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="Contacts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${documents}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${documents}/styles" Target="styles.xml"/></Relationships>`,
  ],
  // Style 1 is the format "Text" (49), so that a cell stays text when somebody edits it. Style 2 is
  // the same in bold.
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
      '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>' +
      '<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>',
  ],
];

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => marks[mark] ?? mark);

/** The most rows a worksheet can hold, including its header. */
export const sheetRows = 1_048_576;

/** The files inside a workbook whose rows are `records`. */
export function workbookEntries(
  records: AsyncIterable<Buffer>,
  headers: readonly string[] | null,
): ZipEntry[] {
  async function* sheet(): AsyncGenerator<Buffer, void> {
    const frozen = headers
      ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
      : '';
    const cells = headers?.map(
      (text, index) =>
        `<c r="${columnName(index)}1" s="2" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
    );
    yield Buffer.from(
      `${head}<worksheet xmlns="${main}">${frozen}<cols><col min="1" max="1" width="36" customWidth="1"/></cols><sheetData>` +
        `${cells ? `<row r="1">${cells.join('')}</row>` : ''}\n`,
    );
    yield* records;
    yield Buffer.from('</sheetData></worksheet>');
  }
  const fixed = fixedParts.map(([name, xml]) => ({ name, bytes: () => once(head + xml) }));
  return [...fixed, { name: 'xl/worksheets/sheet1.xml', bytes: sheet }];
}

async function* once(text: string): AsyncGenerator<Buffer, void> {
  yield Buffer.from(text);
}
