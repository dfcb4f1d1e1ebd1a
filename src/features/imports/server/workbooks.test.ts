import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formOf, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { tableWorkbook, textRows, workbook } from '#test/support/workbooks.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());

const get = async (url: string) =>
  (await product.app.inject({ url, headers: { cookie: person.cookie } })).json();

async function send(bytes: Uint8Array, fields: Record<string, unknown> = {}, fileName = 'members.xlsx') {
  const form = formOf([
    ...Object.entries(fields).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
    ['file', bytes, fileName],
  ]);
  return product.app.inject({
    method: 'POST',
    url: '/api/emails/import',
    payload: form.payload,
    headers: { ...form.headers, cookie: person.cookie },
  });
}

const receiptOf = async (id: number) => {
  const receipt = await product.app.inject({
    url: `/api/imports/${id}/receipt`,
    headers: { cookie: person.cookie },
  });
  return Papa.parse<{ line: string; fate: string; original: string }>(receipt.body.trim(), {
    header: true,
  }).data.map(({ line, fate, original }) => `${line} ${fate} ${original}`);
};
const files = () => readdir(join(product.dataDir, 'files', 'imports', String(person.workspaceId)));

/** A title, an empty row, a cell of two lines, and rows that are left out. */
const table = [
  ['Members of May'],
  null,
  ['Email', 'Name', 'Notes'],
  ['jo@acme.co.uk', 'Jo', 'met\nin York'],
  ['not-an-address', 'Sam'],
  ['pat@firma.de'],
  null,
  ['jo@acme.co.uk', 'Jo again', '"x", y'],
];
const lists = workbook({
  sheets: [
    { name: 'Read me', rows: textRows([['Ask Jo about this list']]) },
    { name: 'Members', rows: textRows(table) },
    { name: 'Old & gone', rows: textRows([['mail'], ['ann@acme.co.uk'], ['bob@acme.co.uk']]) },
  ],
});
const sheets = ['Read me', 'Members', 'Old & gone'];

describe('an Excel workbook', () => {
  it('is checked, imported and receipted like a CSV, with the rows of its sheet as lines', async () => {
    person = await signUp(product.app);
    const reading = { columns: ['email', 'name', 'notes'] };
    const { id, check } = (await send(lists, { dryRun: true, reading })).json();
    expect(check).toMatchObject({
      sheet: { name: 'Members', sheets },
      titles: ['Members of May'],
      rows: 4,
      problems: { total: 0 },
      counts: { imported: 1, invalid: 1, nonUk: 1, duplicates: 1, suppressed: 0 },
    });
    expect(check.columns.map(({ name }: { name: string }) => name)).toEqual(['Email', 'Name', 'Notes']);
    expect(check.sample.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6, 8]);
    const run = await product.app.inject({
      method: 'POST',
      url: `/api/imports/${id}/run`,
      payload: {},
      headers: { cookie: person.cookie },
    });
    expect(run.json()).toMatchObject({ imported: 1, sheet: { name: 'Members', sheets } });
    expect(await receiptOf(id)).toEqual([
      '5 invalid not-an-address,Sam,',
      '6 nonUk pat@firma.de,,',
      '8 duplicate jo@acme.co.uk,Jo again,"""x"", y"',
    ]);
    expect(await get(`/api/imports/${id}`)).toMatchObject({
      fileName: 'members.xlsx',
      fileSize: lists.length,
      sheet: { name: 'Members', sheets },
    });
    const { emails } = await get('/api/emails');
    expect(emails).toMatchObject([{ address: 'jo@acme.co.uk', name: 'Jo', notes: 'met\nin York' }]);
    expect(await files()).toEqual([]);
  });

  it('is imported at once', async () => {
    person = await signUp(product.app);
    expect((await send(lists)).json()).toMatchObject({ imported: 1, sheet: { name: 'Members' } });
    expect(await files()).toEqual([]);
  });

  it('is read from another sheet when one is named, and names those there are', async () => {
    person = await signUp(product.app);
    const { id } = (await send(lists, { dryRun: true })).json();
    const check = (reading: object) =>
      product.app.inject({
        method: 'POST',
        url: `/api/imports/${id}/check`,
        payload: { reading },
        headers: { cookie: person.cookie },
      });
    const other = (await check({ sheet: 'Old & gone' })).json();
    expect(other).toMatchObject({ sheet: { name: 'Old & gone' }, rows: 2, columns: [{ name: 'mail' }] });
    // What is written there is known, so a choice of bytes changes nothing.
    const pinned = await check({
      sheet: 'Old & gone',
      dialect: { delimiter: ';', encoding: 'utf-16le', quote: '' },
    });
    expect(pinned.json()).toMatchObject({
      rows: 2,
      dialect: { delimiter: ',', encoding: 'utf-8', quote: '"' },
    });
    const headless = (await check({ sheet: 'Old & gone', dialect: { header: false } })).json();
    expect(headless).toMatchObject({ rows: 3, counts: { imported: 2, invalid: 1 } });
    const none = await check({ sheet: 'Nobody' });
    expect(none.json()).toMatchObject({ code: 'not_csv', message: 'This workbook has no sheet “Nobody”.' });
    expect((await check({ sheet: 'Read me' })).json()).toMatchObject({ code: 'no_email_column' });
    const discarded = await product.app.inject({
      method: 'DELETE',
      url: `/api/imports/${id}`,
      headers: { cookie: person.cookie },
    });
    expect(discarded.statusCode).toBe(200);
    expect(await files()).toEqual([]);
  });

  it('is read by what is in it, not by its name', async () => {
    person = await signUp(product.app);
    expect((await send(lists, {}, 'really.csv')).json()).toMatchObject({ imported: 1 });
    const text = Buffer.from('email\nann@acme.co.uk\n');
    expect((await send(text, {}, 'really.xlsx')).json()).toMatchObject({ imported: 1, sheet: null });
  });

  it('brings opt-outs, names and dates', async () => {
    person = await signUp(product.app);
    const rows = [
      ['First name', 'Last name', 'E-mail', 'Unsubscribed on'],
      ['Jo', 'Smith', 'jo@acme.co.uk', ''],
      ['Ann', 'Lee', 'ann@acme.co.uk', '2024-03-12'],
    ];
    expect((await send(tableWorkbook(rows))).json()).toMatchObject({
      imported: 1,
      suppressed: 1,
      newlySuppressed: 1,
    });
    const { emails } = await get('/api/emails');
    expect(emails).toMatchObject([{ firstName: 'Jo', lastName: 'Smith' }]);
  });

  const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length >> 1);
  it.each<[string, Uint8Array, string]>([
    [
      'cut off',
      cut(lists),
      'This workbook is damaged and cannot be read. Open it in Excel, save it again and import that.',
    ],
    [
      'empty',
      workbook({ sheets: [{ name: 'A', rows: '' }] }),
      'This workbook is empty. Choose one with at least one row.',
    ],
    [
      'a bomb',
      workbook({ sheets: [{ name: 'A', rows: '' }], styles: ' '.repeat(40_000_000) }),
      'This workbook unpacks to more than 32 MB, which is more than can be read at once. Save the sheet as CSV and import that.',
    ],
    [
      'too wide',
      tableWorkbook([Array.from({ length: 1_100 }, (_, i) => `c${i}`), ['jo@acme.co.uk']]),
      'This file has more than 1,024 columns. Delete those that you do not need and choose the file again.',
    ],
  ])('that is %s is refused in words, and leaves nothing', async (_case, bytes, message) => {
    person = await signUp(product.app);
    const answer = await send(bytes);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ message });
    const { items } = await get('/api/imports');
    expect(items[0]).toMatchObject({ status: 'failed', error: message });
    expect(await files()).toEqual([]);
  });

  it('of another kind is refused before it is read', async () => {
    person = await signUp(product.app);
    const answer = await send(Buffer.from('d0cf11e0a1b11ae1', 'hex'), {}, 'list.xls');
    expect(answer.json()).toMatchObject({
      code: 'not_csv',
      message:
        'Only .csv files can be imported, and .xlsx workbooks. Save the list as CSV and choose that file. An .xls of an older Excel can also be saved as .xlsx.',
    });
  });
});
