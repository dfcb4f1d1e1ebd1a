import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnName, type MadeWorkbook, tableWorkbook, textRows, workbook } from '#test/support/workbooks.ts';
import { isWorkbook, writeSheetAsCsv } from './index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workbooks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let made = 0;
async function read(bytes: Uint8Array, sheet?: string) {
  const path = join(folder, `${made++}.xlsx`);
  await writeFile(path, bytes);
  const read = await writeSheetAsCsv(path, `${path}.csv`, { sheet });
  return { ...read, csv: (await readFile(`${path}.csv`, 'utf8')).replace(/^\ufeff/, '') };
}
const csvOf = async (bytes: Uint8Array) => (await read(bytes)).csv;
const rowsOf = (rows: string, more: Partial<MadeWorkbook> = {}) =>
  csvOf(workbook({ sheets: [{ name: 'One', rows }], ...more }));

it('reads no more of a row than any row may hold, however often its cells share a text', async () => {
  const cells = Array.from({ length: 1_000 }, () => '<c t="s"><v>0</v></c>').join('');
  const rows = Array.from({ length: 5 }, () => `<row>${cells}</row>`).join('');
  const csv = await rowsOf(`${rows}<row><c t="s"><v>1</v></c></row>`, {
    strings: `<si><t>${'a'.repeat(900_000)}</t></si><si><t>jo@acme.co.uk</t></si>`,
  });
  expect(csv.length).toBeLessThan(5 * 2_000_000);
  expect(csv.trimEnd().split('\n')).toHaveLength(6);
  expect(csv).toContain('jo@acme.co.uk');
});

describe('the cells of a sheet', () => {
  it('reads shared, rich and inline texts, without hints on how to pronounce them', async () => {
    const strings =
      '<si><t>email</t></si><si><r><t>jo</t></r><r><rPr><b/></rPr><t xml:space="preserve">@acme.co.uk </t></r></si>' +
      '<si><t>東京</t><rPh sb="0" eb="1"><t>トウキョウ</t></rPh></si><si/><si><t/></si><si><t>a_x000D__x000A_b &amp; c</t></si>';
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><r><t>to</t></r><r><t>wn</t></r></is></c></row>' +
      '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="s"><v>2</v></c></row>' +
      '<row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" t="s"><v>4</v></c><c r="C3" t="s"><v>5</v></c></row>';
    expect(await rowsOf(rows, { strings })).toBe('email,town,\n"jo@acme.co.uk ",東京,\n,,"a\r\nb & c"\n');
  });

  it('reads numbers, yes and no, failures, and what formulas came to', async () => {
    const rows =
      '<row r="1"><c r="A1"><v>447700900123</v></c><c r="B1"><v>0.30000000000000004</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="b"><v>0</v></c></row>' +
      '<row r="2"><c r="A2" t="str"><f>A1&amp;"@acme.co.uk"</f><v>jo@acme.co.uk</v></c><c r="B2"><f>SUM(1,2)</f><v>3</v></c><c r="C2" t="e"><v>#N/A</v></c><c r="D2" t="str"><f>""</f><v></v></c></row>';
    expect(await rowsOf(rows)).toBe('447700900123,0.3,TRUE,FALSE\njo@acme.co.uk,3,#N/A,\n');
  });

  const styles =
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="&quot;No. &quot;0"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="21"/><xf numFmtId="165"/></cellXfs>';
  const dates =
    '<row r="1"><c r="A1" s="1"><v>45292</v></c><c r="B1" s="2"><v>45293</v></c><c r="C1" s="3"><v>45292.5</v></c>' +
    '<c r="D1" s="4"><v>0.5</v></c><c r="E1" s="5"><v>45292</v></c><c r="F1" t="d" s="1"><v>2024-01-01T00:00:00</v></c><c r="G1" s="99"><v>7</v></c></row>';

  it('tells days and times in the international form', async () => {
    expect(await rowsOf(dates, { styles })).toBe(
      '2024-01-01,2024-01-02,2024-01-01T12:00:00,12:00:00,45292,2024-01-01,7\n',
    );
  });

  it('counts from 1904 where the workbook does', async () => {
    const csv = await rowsOf(dates, { styles, from1904: true });
    expect(csv).toBe('2028-01-02,2028-01-03,2028-01-02T12:00:00,12:00:00,45292,2024-01-01,7\n');
  });

  it('keeps the number of each row, empty ones and those left out included', async () => {
    const rows =
      '<row r="2"><c r="A2" t="inlineStr"><is><t>a@x.uk</t></is></c></row><row r="3"/><row r="4"><c r="A4" s="1"/></row>' +
      '<row r="7"><c r="B7" t="inlineStr"><is><t>b@x.uk</t></is></c></row><row r="900"/>';
    expect(await rowsOf(rows)).toBe('\na@x.uk\n\n\n\n\n,b@x.uk\n');
  });

  it('numbers rows and cells that have no number', async () => {
    const rows = '<row><c><v>1</v></c><c><v>2</v></c></row><row><c r="C2"><v>3</v></c><c><v>4</v></c></row>';
    expect(await rowsOf(rows)).toBe('1,2,,\n,,3,4\n');
  });

  it('gives a merged cell its text once, where it begins', async () => {
    const rows = textRows([
      ['Members', '', ''],
      ['email', 'name'],
      ['jo@acme.co.uk', 'Jo'],
    ]);
    const after = '<mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells>';
    expect(await csvOf(workbook({ sheets: [{ name: 'One', rows, after }] }))).toBe(
      'Members\nemail,name\njo@acme.co.uk,Jo\n',
    );
  });

  it('makes rows as wide as the table, and leaves title lines narrow', async () => {
    const table = [
      ['List of May'],
      null,
      ['email', 'name', 'town'],
      ['a@x.uk'],
      ['b@x.uk', 'B', 'York', 'late'],
    ];
    expect(await csvOf(tableWorkbook(table))).toBe(
      'List of May\n\nemail,name,town,\na@x.uk,,,\nb@x.uk,B,York,late\n',
    );
  });

  it('quotes what CSV needs quoted', async () => {
    expect(await csvOf(tableWorkbook([['a "b"', 'c,d', 'e\nf', ' g ', "'=1"]]))).toBe(
      '"a ""b""","c,d","e\nf"," g ",\'=1\n',
    );
  });

  it('says that there are more columns than are read, without keeping them', async () => {
    const wide = Array.from({ length: 1_500 }, (_, i) => `<c r="${columnName(i)}1"><v>${i}</v></c>`).join('');
    const csv = await rowsOf(`<row r="1">${wide}</row>`);
    expect(csv.split(',')).toHaveLength(1_025);
  });

  it('marks a text that no sheet can hold as too long, in one line', async () => {
    const text = 'a"b\n,'.repeat(100_000);
    const [line] = (await csvOf(tableWorkbook([[text], ['jo@acme.co.uk']]))).split('\n');
    expect(line?.length).toBeGreaterThan(400_000);
    expect(line).not.toMatch(/[",]/);
  });

  it('reads names with prefixes, UTF-16, CDATA, and parts found by other paths', async () => {
    const ns = 'xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"';
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    const bytes = workbook({
      sheets: [{ name: 'One', rows: '' }],
      files: {
        'xl/worksheets/sheet1.xml': utf16(
          `<x:worksheet ${ns}><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t><![CDATA[a<b@x.uk]]></x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
        ),
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="/XL/Worksheets/SHEET1.xml"/></Relationships>',
      },
    });
    expect(await csvOf(bytes)).toBe('a<b@x.uk\n');
  });

  it('brings any table through unchanged', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) =>
      // What XML cannot hold is written as an escape, which other tests try.
      text
        .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|_x[0-9a-f]{4}_/giu, '')
        .replace(/\r/g, ''),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        async (rows) => {
          fc.pre(rows.some((row) => row.some((text) => text !== '')));
          expect(parsed(await csvOf(tableWorkbook(rows)))).toEqual(trimmed(rows));
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Reads CSV the slow and simple way. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /("(?:[^"]|"")*"|[^,\n]*)([,\n])/gy;
  for (let match = cells.exec(csv); match; match = cells.exec(csv)) {
    const [, text = '', end] = match;
    rows.at(-1)?.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (end === '\n') rows.push([]);
  }
  return trimmed(rows);
}

/** Without empty cells and rows at the ends. */
function trimmed(rows: readonly (readonly string[])[]): string[][] {
  const cut = rows.map((row) => row.slice(0, row.findLastIndex((text) => text !== '') + 1));
  return cut.slice(0, cut.findLastIndex((row) => row.length > 0) + 1);
}

describe('which sheet is read', () => {
  const address = textRows([['email'], ['jo@acme.co.uk']]);
  const words = textRows([['How to use this list']]);

  it.each([
    [
      'the first',
      [
        ['A', address],
        ['B', address],
      ],
      'A',
    ],
    [
      'the first with anything in it',
      [
        ['A', ''],
        ['B', words],
      ],
      'B',
    ],
    [
      'the first with addresses before one with words',
      [
        ['Read me', words],
        ['List', address],
      ],
      'List',
    ],
    [
      'one that is not hidden',
      [
        ['A', address, 'hidden'],
        ['B', address],
      ],
      'B',
    ],
    ['a hidden one when there is no other', [['A', address, 'veryHidden']], 'A'],
  ] as const)('%s', async (_case, sheets, name) => {
    const list = sheets.map(([name, rows, state]) => ({ name, rows, ...(state ? { state } : {}) }));
    const told = await read(workbook({ sheets: list }));
    expect(told).toMatchObject({ name, sheets: list.map((one) => one.name) });
  });

  it('the one that is asked for, also when it is hidden', async () => {
    const bytes = workbook({
      sheets: [
        { name: 'A', rows: address },
        { name: 'B & C', rows: words, state: 'hidden' },
      ],
    });
    expect((await read(bytes, 'B & C')).csv).toBe('How to use this list\n');
    await expect(read(bytes, 'D')).rejects.toThrow('This workbook has no sheet “D”.');
  });
});

const sheets = [{ name: 'One', rows: textRows([['email'], ['jo@acme.co.uk']]) }];
const good = workbook({ sheets });
const withSheet = (xml: string) => workbook({ sheets, files: { 'xl/worksheets/sheet1.xml': xml } });
const repeated = (text: string, times: number) => Buffer.alloc(text.length * times, text);

describe('a workbook that cannot be read', () => {
  it.each<[string, () => Uint8Array, RegExp]>([
    ['is cut off', () => good.subarray(0, good.length - 40), /damaged/],
    ['is cut in half', () => good.subarray(0, good.length >> 1), /damaged/],
    ['is a zip of nothing', () => Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`, 'latin1'), /no workbook/],
    [
      'is another kind of document',
      () =>
        workbook({
          sheets,
          files: {
            '_rels/.rels': good.length
              ? '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>'
              : '',
          },
        }),
      /no workbook/,
    ],
    ['has no sheet', () => workbook({ sheets: [] }), /no workbook/],
    ['has empty sheets', () => workbook({ sheets: [{ name: 'A', rows: '' }] }), /is empty/],
    [
      'lacks the file of its sheet',
      () => workbook({ sheets, files: { 'xl/worksheets/sheet1.xml': null } }),
      /damaged/,
    ],
    [
      'names a text that is not there',
      () =>
        withSheet(
          '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>5</v></c></row></sheetData></worksheet>',
        ),
      /damaged/,
    ],
    [
      'has XML without an end',
      () => withSheet('<worksheet><sheetData><row r="1"><c r="A1"><v>5</v></c>'),
      /damaged/,
    ],
    [
      'has crossed tags',
      () =>
        withSheet('<worksheet><sheetData><row r="1"><c r="A1"><v>5</c></v></row></sheetData></worksheet>'),
      /damaged/,
    ],
    ['is no XML', () => withSheet('\u0000\u0001'), /damaged|is empty/],
    [
      'is no UTF-8',
      () =>
        workbook({
          sheets,
          files: { 'xl/worksheets/sheet1.xml': Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x3c]) },
        }),
      /damaged/,
    ],
    [
      'has rows out of order',
      () => withSheet('<worksheet><sheetData><row r="9"/><row r="3"/></sheetData></worksheet>'),
      /damaged/,
    ],
    [
      'has a row beyond the last',
      () => withSheet('<worksheet><sheetData><row r="1048577"><c><v>1</v></c></row></sheetData></worksheet>'),
      /1,048,576 rows/,
    ],
    [
      'has a row of no number',
      () => withSheet('<worksheet><sheetData><row r="NaN"/></sheetData></worksheet>'),
      /damaged/,
    ],
    [
      'has a column beyond the last',
      () => withSheet('<worksheet><sheetData><row><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>'),
      /damaged/,
    ],
    [
      'asks for another file (XXE)',
      () =>
        withSheet(
          '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&e;</t></is></c></row></sheetData></worksheet>',
        ),
      /damaged/,
    ],
    [
      'grows entities out of entities',
      () => withSheet(`<!DOCTYPE x [<!ENTITY a "${'a'.repeat(99)}"><!ENTITY b "&a;&a;">]><worksheet/>`),
      /damaged/,
    ],
    ['nests without end', () => withSheet(`<worksheet>${'<a>'.repeat(5_000)}`), /damaged/],
    [
      'has a value without end',
      () =>
        workbook({
          sheets,
          files: {
            'xl/worksheets/sheet1.xml': Buffer.concat([
              Buffer.from('<worksheet a="'),
              repeated('a', 8_000_000),
            ]),
          },
        }),
      /damaged/,
    ],
    [
      'has a name without end',
      () =>
        workbook({
          sheets,
          files: { 'xl/worksheets/sheet1.xml': Buffer.concat([Buffer.from('<w'), repeated('a', 8_000_000)]) },
        }),
      /damaged/,
    ],
    [
      'unpacks to gigabytes of styles',
      () => workbook({ sheets, styles: '', files: { 'xl/styles.xml': Buffer.alloc(40_000_000, ' ') } }),
      /unpacks to more than 32 MB/,
    ],
    [
      'has sheets that name each other',
      () =>
        workbook({
          sheets,
          files: {
            'xl/_rels/workbook.xml.rels':
              '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="workbook.xml"/></Relationships>',
          },
        }),
      /is empty/,
    ],
    [
      'leads out of the archive',
      () =>
        workbook({
          sheets,
          files: {
            'xl/_rels/workbook.xml.rels':
              '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="../../../etc/passwd"/></Relationships>',
          },
        }),
      /damaged/,
    ],
    [
      'has names that lead out of it',
      () => workbook({ sheets, files: { '../../evil.xml': 'x' } }),
      /damaged/,
    ],
    ['has a million files', () => manyFiles(20_001), /20,000 files/],
  ])('because it %s', async (_case, bytes, words) => {
    await expect(read(bytes())).rejects.toThrow(words);
  });

  it('because it declares less than it unpacks to, or another sum', async () => {
    for (const offset of [16, 24]) {
      const bytes = Buffer.from(workbook({ sheets, level: 6 }));
      const at = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
      expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
      bytes.writeUInt32LE(bytes.readUInt32LE(at + offset) - 1, at + offset);
      await expect(read(bytes)).rejects.toThrow(/damaged/);
    }
  });

  it('because it declares more than a disk holds', async () => {
    const bytes = Buffer.from(workbook({ sheets, level: 6 }));
    const at = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    bytes.writeUInt32LE(0xf0000000, at + 24);
    await expect(read(bytes)).rejects.toThrow(/unpacks to more than 2048 MB/);
  });

  it('because a byte of it is another, or it is read after all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = Uint8Array.from(good);
        bytes[at] = (bytes[at] as number) ^ by;
        const told = await read(bytes).catch((error: Error & { code?: string }) => error);
        if (told instanceof Error)
          expect(['not_csv', 'empty_file']).toContain((told as { code?: string }).code);
        else expect(told.csv).toBe('email\njo@acme.co.uk\n');
      }),
      { numRuns: 300 },
    );
  });

  it('because it is noise', async () => {
    for (let i = 0; i < 20; i++) {
      const bytes = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), randomBytes(2_000)]);
      await expect(read(bytes)).rejects.toThrow(/damaged/);
    }
  });

  it('and the disk is to blame', async () => {
    const path = join(folder, 'good.xlsx');
    await writeFile(path, good);
    await expect(writeSheetAsCsv(path, join(folder, 'no', 'such', 'folder.csv'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

/** A workbook whose end says that there are so many files. */
function manyFiles(count: number): Uint8Array {
  const bytes = Buffer.from(good);
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  bytes.writeUInt16LE(count, end + 8);
  bytes.writeUInt16LE(count, end + 10);
  return bytes;
}

describe('whether a file is a workbook', () => {
  it.each<[string, Uint8Array, boolean]>([
    ['a workbook', good, true],
    ['text', Buffer.from('email\njo@acme.co.uk\n'), false],
    ['nothing', Buffer.alloc(0), false],
    ['another zip', Buffer.from('PK\u0003\u0004 photo.jpg', 'latin1'), false],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), false],
  ])('%s', async (name, bytes, answer) => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    expect(await isWorkbook(path)).toBe(answer);
  });

  it('says that one is protected', async () => {
    const path = join(folder, 'protected.xlsx');
    const name = Buffer.from('EncryptedPackage', 'utf16le');
    await writeFile(
      path,
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(3_000_000), name]),
    );
    await expect(isWorkbook(path)).rejects.toThrow('protected with a password');
  });
});

it('reads in a bounded memory what a small file unpacks to', async () => {
  // 100,000 rows that deflate to next to nothing.
  const row = (n: number) =>
    `<row r="${n}"><c r="A${n}" t="inlineStr"><is><t>jo${n}@acme.co.uk</t></is></c></row>`;
  const rows = Array.from({ length: 100_000 }, (_, i) => row(i + 1)).join('');
  const bytes = workbook({ sheets: [{ name: 'One', rows }] });
  const { csv } = await read(bytes);
  expect(csv.length).toBeGreaterThan(1_800_000);
  expect(csv.endsWith('jo100000@acme.co.uk\n')).toBe(true);
});
