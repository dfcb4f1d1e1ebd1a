import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bin } from '#features/bin/server/index.ts';
import { checkBooks } from '#features/rollups/server/index.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { markUndone, noTask } from './records/record-queries.ts';
import { undoTask } from './undo.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

const nineLines = [
  'email,name',
  'jo@acme.co.uk,Jo',
  'JO@ACME.CO.UK,Jo again',
  'sam@leeds.nhs.uk,Sam',
  'not-an-address,X',
  'pat@firma.de,Pat',
  'kim@notuk,Kim',
  'lee@school.ac.uk,Lee',
  ',Empty',
].join('\n');

const run = (csv: string | Uint8Array, form?: Parameters<typeof importCsv>[3]) =>
  importCsv(product.app, person.cookie, csv, form);

async function get(url: string, cookie = person.cookie) {
  const answer = await product.app.inject({ method: 'GET', url, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
}

async function call(method: 'POST' | 'DELETE', url: string, payload?: object, cookie = person.cookie) {
  const answer = await product.app.inject({
    method,
    url,
    headers: { cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function listed(): Promise<string[]> {
  const { body } = await get('/api/emails?limit=200');
  return body.emails.map((contact: { address: string }) => contact.address).sort();
}

/** No test may leave figures behind that do not agree with the contacts. */
async function expectBooksToAgree(): Promise<void> {
  const { workspaceId } = person;
  expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
}

describe('the fate of rows', () => {
  it('gives each row exactly one fate, and the same file again only duplicates', async () => {
    const first = await run(nineLines);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ imported: 3, duplicates: 1, invalid: 3, nonUk: 1, suppressed: 0 });
    const second = await run(nineLines);
    expect(second.json()).toMatchObject({ imported: 0, duplicates: 4, invalid: 3, nonUk: 1, suppressed: 0 });
    expect(await listed()).toEqual(['jo@acme.co.uk', 'lee@school.ac.uk', 'sam@leeds.nhs.uk']);
    await expectBooksToAgree();
  });

  it('tells of blank lines, and counts them among no rows', async () => {
    const csv =
      'email,name\n\njo@acme.co.uk,Jo\n   \n,Empty\n\r\nsam@leeds.nhs.uk,Sam\n\n"",""\nnot-an-address,X\n\n';
    const dry = (await run(csv, { dryRun: true })).json();
    expect(dry).toMatchObject({ blank: 6, imported: 2, check: { rows: 4, blank: 6 } });
    expect((await get(`/api/imports/${dry.id}`)).body).toMatchObject({ blank: null, check: { blank: 6 } });
    const done = await call('POST', `/api/imports/${dry.id}/run`, {});
    expect(done.body).toMatchObject({ blank: 6, imported: 2, invalid: 2 });
    expect((await get(`/api/imports/${dry.id}`)).body).toMatchObject({ rows: 4, blank: 6 });
    expect((await run('email\nlee@school.ac.uk\n')).json()).toMatchObject({ blank: 0, imported: 1 });
  });

  it('leaves suppressed addresses and domains with their subdomains out', async () => {
    await run(nineLines);
    const suppressed = await call('POST', '/api/suppressions/domain', { domain: 'acme.co.uk' });
    expect(suppressed.body.affectedCount).toBe(1);
    await call('POST', '/api/suppressions/email/manual', { email: 'Never@Leeds.nhs.uk' });
    const answer = await run('email\nnew@mail.acme.co.uk\nnever@leeds.nhs.uk\nnew@leeds.nhs.uk\n');
    expect(answer.json()).toMatchObject({ imported: 1, suppressed: 2 });
    const { body } = await get('/api/emails?search=jo@acme');
    expect(body.emails[0].status).toBe('suppressed');
    await expectBooksToAgree();
  });

  it('skips the test of an option that is off', async () => {
    const all = {
      removeDuplicates: false,
      validateEmails: false,
      filterNonUk: false,
      checkSuppressions: false,
    };
    await call('POST', '/api/suppressions/domain', { domain: 'firma.de' });
    const answer = await run(nineLines, { options: all });
    expect(answer.json()).toMatchObject({ imported: 7, duplicates: 0, invalid: 1, nonUk: 0, suppressed: 0 });
    const { body } = await get('/api/emails?limit=200');
    const statuses = Object.fromEntries(
      body.emails.map((contact: { address: string; status: string }) => [contact.address, contact.status]),
    );
    expect(statuses).toEqual({
      'jo@acme.co.uk': 'active',
      'JO@ACME.CO.UK': 'duplicate',
      'sam@leeds.nhs.uk': 'active',
      'not-an-address': 'invalid',
      'pat@firma.de': 'suppressed',
      'kim@notuk': 'invalid',
      'lee@school.ac.uk': 'active',
    });
    await expectBooksToAgree();
  });

  it('agrees with the counts of a large dirty file that are known by construction', async () => {
    const rows = dirtyRows({ rows: 30_000, seed: 5 });
    const answer = await run(Buffer.concat([...rows]));
    expect(answer.json()).toMatchObject(rows.expected());
    const receipt = await product.app.inject({
      method: 'GET',
      url: `/api/imports/${answer.json().id}/receipt`,
      headers: { cookie: person.cookie },
    });
    const { imported, ...leftOut } = rows.expected();
    const expected = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
    expect(imported + expected).toBe(30_000);
    expect(receipt.body.split(/\r\n(?=\d+,)/)).toHaveLength(expected + 1);
    await expectBooksToAgree();
  });

  it('keeps the columns the settings allow and leaves the others out', async () => {
    await run('Email Address;Full Name;Badge;Source\njo@acme.co.uk;Jo Ashdown;77;"Leeds; stand 4"\n');
    const { body } = await get('/api/emails');
    expect(body.emails[0]).toMatchObject({ name: 'Jo Ashdown', source: 'Leeds; stand 4', attributes: {} });
  });

  it('fills the extra field that contacts have already, whatever its capitals', async () => {
    const cookie = person.cookie;
    const attributes = { firstVisit: '2025-01-02' };
    await call('POST', '/api/emails', { email: 'jane@acme.co.uk', attributes });
    const allowed = { import: { allowedColumns: ['email', 'name', 'FirstVisit'] } };
    await product.app.inject({
      method: 'PATCH',
      url: '/api/settings',
      headers: { cookie },
      payload: allowed,
    });
    const csv = 'email,firstvisit\njo@acme.co.uk,2026-03-09\n';
    const dry = (await run(csv, { dryRun: true })).json();
    expect(dry.check.columns[1]).toMatchObject({ target: 'extra:firstVisit', extraField: 'firstVisit' });
    await call('POST', `/api/imports/${dry.id}/run`, {});
    // What somebody chose by another name, with an earlier version, is done as it was chosen.
    const chosen = { columns: ['email', 'extra:firstvisit'] };
    await run('email,firstVisit\nsam@acme.co.uk,2026-04-01\n', { reading: chosen });
    const { body } = await get('/api/emails?sort=address&order=asc');
    expect(body.emails.map((one: { attributes: object }) => one.attributes)).toEqual([
      { firstVisit: '2025-01-02' },
      { firstVisit: '2026-03-09' },
      { firstvisit: '2026-04-01' },
    ]);
  });

  it('refuses more extra fields than a workspace has room for, before it reads the file', async () => {
    const { workspaceId } = person;
    await product.database.asTenant(workspaceId, (tx) =>
      sql`insert into contact_field_names (workspace_id, name)
          select ${workspaceId}, 'field ' || n from generate_series(1, 1000) n`.execute(tx),
    );
    const csv = 'email,more,field 7\njo@acme.co.uk,1,2\n';
    const kept = { columns: ['email', 'extra:more', 'extra:field 7'] };
    for (const dryRun of [true, false]) {
      const refused = await run(csv, { reading: kept, dryRun });
      expect([refused.statusCode, refused.json().message]).toEqual([
        400,
        expect.stringMatching(
          /^A workspace has at most 1,000 extra fields, .*“more”.* leave its columns out\.$/,
        ),
      ]);
    }
    expect(await listed()).toEqual([]);
    const done = await run(csv, { reading: { columns: ['email', 'skip', 'extra:field 7'] } });
    expect(done.json()).toMatchObject({ imported: 1 });
  });

  it('reads back unchanged what our own export made safe for spreadsheets', async () => {
    await run('email,name\n+tag@acme.co.uk,=HYPERLINK(1)\n');
    const exported = await product.app.inject({
      method: 'GET',
      url: '/api/emails/export',
      headers: { cookie: person.cookie },
    });
    expect(exported.body).toContain("'+tag@acme.co.uk");
    const other = await signUp(product.app);
    await importCsv(product.app, other.cookie, exported.body);
    const { body } = await get('/api/emails', other.cookie);
    expect(body.emails[0]).toMatchObject({ address: '+tag@acme.co.uk', name: '=HYPERLINK(1)' });
  });
});

describe('the receipt', () => {
  it('names line, fate, reason and original text of every row left out', async () => {
    const { id } = (await run(nineLines)).json();
    const receipt = await product.app.inject({
      method: 'GET',
      url: `/api/imports/${id}/receipt`,
      headers: { cookie: person.cookie },
    });
    expect(receipt.headers['content-type']).toContain('text/csv');
    expect(receipt.body.trim().split('\r\n')).toEqual([
      'line,fate,reason,original',
      '3,duplicate,Same as line 2,"JO@ACME.CO.UK,Jo again"',
      '5,invalid,No @ sign,"not-an-address,X"',
      '6,nonUk,Ends in .de,"pat@firma.de,Pat"',
      '7,invalid,No such ending: .notuk,"kim@notuk,Kim"',
      '9,invalid,There is no address in this row,",Empty"',
    ]);
    const { body } = await get(`/api/imports/${id}/rejected?fate=invalid`);
    expect(body.totalCount).toBe(3);
    expect(body.items.map((row: { line: number }) => row.line)).toEqual([5, 7, 9]);
  });
});

describe('a row that is too long to read', () => {
  const csv = `email,notes\nann@acme.co.uk,x\nbob@acme.co.uk,${'y'.repeat(1_200_000)}\ncat@acme.co.uk,z\n`;

  it('is counted as invalid, stands in the receipt, and takes no other with it', async () => {
    const tried = (await run(csv, { dryRun: true })).json();
    expect(tried).toMatchObject({ imported: 2, invalid: 1, blank: 0 });
    const { body } = await call('POST', `/api/imports/${tried.id}/run`, {});
    expect(body).toMatchObject({ imported: 2, invalid: 1, blank: 0 });
    const receipt = await product.app.inject({
      url: `/api/imports/${tried.id}/receipt`,
      headers: { cookie: person.cookie },
    });
    const [, row, end] = receipt.body.split('\r\n');
    expect(row).toMatch(/^3,invalid,The row is too long to read .*"bob@acme\.co\.uk,yyy/);
    expect(row?.length).toBeLessThan(2_000);
    expect(end).toBe('');
  });
});

describe('a dry run', () => {
  it('gives the same counts, writes nothing, and can then be imported', async () => {
    const tried = await run(nineLines, { dryRun: true });
    expect(tried.json()).toMatchObject({ imported: 3, duplicates: 1, invalid: 3, nonUk: 1 });
    const { check, id } = tried.json();
    expect(check.columns).toMatchObject([
      { name: 'email', target: 'email' },
      { name: 'name', target: 'name' },
    ]);
    expect(check.sample.map((row: { fate: string }) => row.fate)).toEqual([
      'imported',
      'duplicate',
      'imported',
      'invalid',
      'nonUk',
      'invalid',
      'imported',
      'invalid',
    ]);
    expect(await listed()).toEqual([]);
    expect((await get('/api/imports')).body.totalCount).toBe(0);

    const again = await call('POST', `/api/imports/${id}/check`, { options: { filterNonUk: false } });
    expect(again.body.counts).toMatchObject({ imported: 4, nonUk: 0 });
    const done = await call('POST', `/api/imports/${id}/run`, { options: { filterNonUk: false } });
    expect(done.body).toMatchObject({ id, imported: 4 });
    expect((await call('POST', `/api/imports/${id}/run`, {})).status).toBe(409);
    await expectBooksToAgree();
  });

  it.each([
    ['too few targets', { columns: ['email'] }, 'The targets are for 1 column, but the file has 2 columns.'],
    [
      'too many targets',
      { columns: ['email', 'name', 'doNotMail'] },
      'The targets are for 3 columns, but the file has 2 columns.',
    ],
    [
      'a rule for a column that is not there',
      { doNotMail: [{ index: 2, values: { yes: 'unsubscribed' }, mail: [] }] },
      'Column 3 was chosen to say who must not be mailed, but the file has 2 columns.',
    ],
    [
      'dates in a column that is not there',
      { doNotMail: [{ index: 1, values: { yes: 'unsubscribed' }, mail: [], dateColumn: 4 }] },
      'Column 5 was chosen to say who must not be mailed, but the file has 2 columns.',
    ],
  ])('refuses %s, with nothing imported', async (_, reading, message) => {
    const { id } = (await run(nineLines, { dryRun: true })).json();
    const refused = { code: 'wrong_columns', message };
    expect((await call('POST', `/api/imports/${id}/check`, { reading })).body).toMatchObject(refused);
    expect((await run(nineLines, { reading })).json()).toMatchObject(refused);
    expect(await listed()).toEqual([]);
  });

  it.each([
    [['email', 'notes', 'skip', 'notes'], 'Columns 2 and 4 both go to “notes”. '],
    [['email', 'extra:phone', 'extra:phone', 'skip'], 'Columns 2 and 3 both go to the extra field “phone”. '],
  ])('refuses two columns for what one says: %j', async (columns, words) => {
    const csv = 'email,Phone,phone,Mobile\nann@acme.co.uk,1,2,3\n';
    const reading = { columns };
    const place = `reading.columns.${columns.lastIndexOf(columns[1] ?? '')}`;
    const message = `${words}Choose another target for one of them.`;
    const { id } = (await run(csv, { dryRun: true })).json();
    for (const verb of ['check', 'run']) {
      const refused = await call('POST', `/api/imports/${id}/${verb}`, { reading });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input', message } });
      expect(refused.body.fields).toEqual({ [place]: message });
    }
    const sent = await run(csv, { reading });
    expect(sent.statusCode).toBe(400);
    expect(sent.json()).toMatchObject({ code: 'invalid_input', fields: { [place]: message } });
    expect(await listed()).toEqual([]);
  });

  it('that fails with other choices leaves the file as it was checked before', async () => {
    const { id } = (await run(nineLines, { dryRun: true })).json();
    const refused = await call('POST', `/api/imports/${id}/check`, {
      options: { filterNonUk: false },
      reading: { columns: ['skip', 'name'] },
    });
    expect(refused.body).toMatchObject({ code: 'no_email_column' });
    expect((await get(`/api/imports/${id}`)).body).toMatchObject({
      status: 'checked',
      error: null,
      options: { filterNonUk: true },
      check: { counts: { imported: 3, nonUk: 1 } },
    });
    expect((await call('POST', `/api/imports/${id}/run`, {})).body).toMatchObject({ imported: 3, nonUk: 1 });
  });

  it('can be discarded with its file', async () => {
    const { id } = (await run(nineLines, { dryRun: true })).json();
    expect((await call('DELETE', `/api/imports/${id}`)).status).toBe(200);
    expect((await get(`/api/imports/${id}`)).status).toBe(404);
    expect(await readdir(join(product.dataDir, 'files', 'imports', String(person.workspaceId)))).toEqual([]);
  });
});

describe('undo', () => {
  it('removes what the import added, once, and leaves earlier contacts and suppressions', async () => {
    await run('email\nold@acme.co.uk\n');
    await call('POST', '/api/suppressions/email/manual', { email: 'jo@acme.co.uk' });
    const { id } = (await run(nineLines, { options: { checkSuppressions: false } })).json();
    const undone = await call('POST', `/api/imports/${id}/undo`);
    expect(undone.body.removed).toBe(3);
    expect(await listed()).toEqual(['old@acme.co.uk']);
    expect((await call('POST', `/api/imports/${id}/undo`)).status).toBe(409);
    expect((await get('/api/suppressions/emails')).body.totalCount).toBe(1);
    await expectBooksToAgree();
    expect((await get('/api/removals')).body.items[0].why).toMatch(
      /^Came with \S+\.csv, whose import was undone$/,
    );
    const restored = await call('POST', `/api/removals/${undone.body.removalId}/restore`);
    expect(restored.body.restored).toBe(3);
    const { body: since } = await get(`/api/imports/${id}`);
    expect(since).toMatchObject({
      undoneAt: expect.any(String),
      restoredAt: expect.any(String),
      restored: { contacts: 3, outOf: 3 },
    });
    await expectBooksToAgree();
  });

  it('says how many of how many came back while some are in the bin', async () => {
    const { id } = (await run(nineLines)).json();
    expect((await get(`/api/imports/${id}`)).body.restored).toBeNull();
    const { removalId } = (await call('POST', `/api/imports/${id}/undo`)).body;
    expect((await get(`/api/imports/${id}`)).body.restored).toEqual({ contacts: 0, outOf: 3 });
    const again = (await call('POST', '/api/emails', { email: 'jo@acme.co.uk' })).body.id;
    await call('POST', `/api/removals/${removalId}/restore`);
    const { body: partly } = await get(`/api/imports/${id}`);
    expect(partly).toMatchObject({ restoredAt: null, restored: { contacts: 2, outOf: 3 } });
    expect((await get('/api/imports')).body.items[0]).toMatchObject({ restored: partly.restored });
    await call('DELETE', `/api/emails/${again}`);
    await call('POST', `/api/removals/${removalId}/restore`);
    expect((await get(`/api/imports/${id}`)).body).toMatchObject({
      restoredAt: expect.any(String),
      restored: { contacts: 3, outOf: 3 },
    });
  });

  it('does not take the restoring of an undo that was cancelled for that of the next', async () => {
    const { id } = (await run(nineLines)).json();
    const first = (await call('POST', `/api/imports/${id}/undo`)).body.removalId;
    // This is how a cancelled undo leaves the import.
    const { workspaceId } = person;
    await product.database.asTenant(workspaceId, (tx) =>
      sql`update imports set undone_at = null where workspace_id = ${workspaceId}`.execute(tx),
    );
    await call('POST', `/api/removals/${first}/restore`);
    const second = (await call('POST', `/api/imports/${id}/undo`)).body;
    expect(second.removed).toBe(3);
    expect((await get(`/api/imports/${id}`)).body).toMatchObject({
      restoredAt: null,
      restored: { contacts: 0, outOf: 3 },
    });
    await call('POST', `/api/removals/${second.removalId}/restore`);
    expect((await get(`/api/imports/${id}`)).body).toMatchObject({
      restoredAt: expect.any(String),
      restored: { contacts: 3, outOf: 3 },
    });
  });
});

it('stays undone when the end of an earlier undo, which was cancelled, runs twice', async () => {
  const { id } = (await run(nineLines)).json();
  const { workspaceId } = person;
  const { database: db } = product;
  const claim = (taskId: number) => db.asTenant(workspaceId, (tx) => markUndone(tx, workspaceId, id, taskId));
  const end = (taskId: number, takeBack?: object) =>
    undoTask({ db, bin: {} as Bin }).broken?.(
      {
        ...{ workspaceId, taskId, userId: null, actor: null },
        input: { importId: id, fileName: 'a.csv', contacts: 3 },
        state: { result: { removed: 0, removalId: null }, takeBack },
        progress: () => undefined,
        checkpoint: async () => undefined,
        signal: new AbortController().signal,
      },
      { status: 'cancelled', message: '' },
    );
  const isUndone = async () => (await get(`/api/imports/${id}`)).body.undoneAt !== null;
  expect(await claim(1)).toBe(true);
  await end(1);
  expect(await isUndone()).toBe(false);
  for (const taskId of [2, noTask]) {
    expect(await claim(taskId)).toBe(true);
    await end(1);
    expect(await isUndone()).toBe(true);
    await end(taskId);
    expect(await isUndone()).toBe(false);
  }
  // This one was cancelled after all its work.
  await claim(3);
  await end(3, { at: 1, changeId: null, takenOut: [], isDone: true });
  expect(await isUndone()).toBe(true);
});

describe('a file that is no list', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  const cases: [name: string, file: string | Uint8Array, code: string][] = [
    ['a PNG', png, 'not_csv'],
    ['a PDF', '%PDF-1.7\n%âãÏÓ\n1 0 obj', 'not_csv'],
    ['an Excel workbook', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(200, 1)]), 'not_csv'],
    ['nothing', '', 'empty_file'],
    ['blanks', '\n\n  \n', 'empty_file'],
    ['a header alone', 'email,name\n', 'empty_file'],
    ['no email column', 'name,town\nJo,Leeds\nSam,York\n', 'no_email_column'],
  ];

  it.each(cases)('%s is refused in words, and nothing changes', async (_name, file, code) => {
    const answer = await run(file);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().code).toBe(code);
    expect(answer.json().message.length).toBeGreaterThan(20);
    const { body } = await get('/api/imports');
    expect(body.items[0]).toMatchObject({ status: 'failed', error: answer.json().message });
    expect(await listed()).toEqual([]);
    const folder = join(product.dataDir, 'files', 'imports', String(person.workspaceId));
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a file that is not called .csv', async () => {
    const answer = await run(nineLines, { fileName: 'list.txt' });
    expect(answer.json()).toMatchObject({ code: 'not_csv' });
  });

  it('refuses a form without a file, broken options and a call that is no form', async () => {
    const headers = { cookie: person.cookie };
    const noFile = formOf([['options', '{}']]);
    const broken = formOf([
      ['options', '{"removeDuplicates": "perhaps"}'],
      ['file', nineLines, 'a.csv'],
    ]);
    const mistyped = formOf([
      ['options', '{"removeDuplicate": false}'],
      ['file', nineLines, 'a.csv'],
    ]);
    for (const form of [noFile, broken, mistyped]) {
      const answer = await product.app.inject({
        method: 'POST',
        url: '/api/emails/import',
        payload: form.payload,
        headers: { ...form.headers, ...headers },
      });
      expect(answer.statusCode).toBe(400);
    }
    const json = await product.app.inject({
      method: 'POST',
      url: '/api/emails/import',
      payload: {},
      headers,
    });
    expect(json.statusCode).toBe(415);
  });
});

describe('a file that is hard to read', () => {
  it('loses one row to an unclosed quote on row 3 of 1,000, not the rest', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `p${index}@acme.co.uk,Person ${index}`);
    rows[2] = 'p2@acme.co.uk,"Person 2';
    const answer = await run(`email,name\n${rows.join('\n')}\n`);
    expect(answer.json().imported).toBe(1000);
  });

  it('reads UTF-16, Windows-1252, NUL bytes and mixed line ends', async () => {
    const utf16 = Buffer.from('\ufeffemail,name\r\nzoe@acme.co.uk,Zoë\r\n', 'utf16le');
    expect((await run(utf16)).json().imported).toBe(1);
    const latin = Buffer.from('email,name\nchloe@acme.co.uk,Chlo\xeb\n', 'latin1');
    expect((await run(latin)).json().imported).toBe(1);
    const mixed = 'email,name\r\nann@acme.co.uk,A\0nn\nbob@acme.co.uk,Bob\rcat@acme.co.uk,Cat\r\n';
    expect((await run(mixed)).json().imported).toBe(3);
    const { body } = await get('/api/emails?limit=200');
    const names = body.emails.map((contact: { name: string }) => contact.name).sort();
    expect(names).toEqual(['A\ufffdnn', 'Bob', 'Cat', 'Chloë', 'Zoë']);
  });

  it('survives a million columns and a field of many megabytes', async () => {
    const wide = `email${',x'.repeat(1_000_000)}\njo@acme.co.uk${',1'.repeat(1_000_000)}\n`;
    const refused = await run(wide);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      code: 'not_csv',
      message: expect.stringContaining('more than 1,024 columns'),
    });
    const long = `email,name\njo@acme.co.uk,"${'x'.repeat(20_000_000)}"\nsam@acme.co.uk,Sam\n`;
    const answer = await run(long);
    expect(answer.statusCode).toBe(200);
    expect(await listed()).toContain('sam@acme.co.uk');
    await expectBooksToAgree();
  });
});

describe('limits', () => {
  it('answers 413 to a file over the limit and keeps nothing of it', async () => {
    await product.owner.system.transaction().execute(async (tx) => {
      await sql`insert into settings (workspace_id, import) values (${person.workspaceId}, '{"maxFileSize": 1}')`.execute(
        tx,
      );
    });
    const answer = await run(`email\n${'someone@acme.co.uk\n'.repeat(80_000)}`);
    expect(answer.statusCode).toBe(413);
    expect(answer.json().message).toContain('1 MB');
    expect((await get('/api/imports')).body.items[0].status).toBe('failed');
  });

  it('ends an import that takes longer than allowed, with nothing imported', async () => {
    await sql`insert into settings (workspace_id, import) values (${person.workspaceId}, '{"timeoutSeconds": 1}')`.execute(
      product.owner.system,
    );
    const answer = await run(Buffer.concat([...dirtyRows({ rows: 400_000, seed: 9 })]));
    expect(answer.json()).toMatchObject({ code: 'timeout' });
    expect(await listed()).toEqual([]);
    await expectBooksToAgree();
  });
});

describe('two at once', () => {
  it('imports the same file sent twice at once exactly once', async () => {
    const file = Buffer.concat([...dirtyRows({ rows: 5000, seed: 3 })]);
    const answers = await Promise.all([run(file), run(file), run(file)]);
    const { imported, duplicates } = dirtyRows({ rows: 5000, seed: 3 }).expected();
    const totals = answers.map((answer) => answer.json());
    expect(totals.map((total) => total.imported).reduce((sum, count) => sum + count, 0)).toBe(imported);
    for (const total of totals) expect(total.imported + total.duplicates).toBe(imported + duplicates);
    await expectBooksToAgree();
  });

  it('keeps the books when a domain is suppressed and contacts are added during an import', async () => {
    const file = Buffer.concat([...dirtyRows({ rows: 20_000, seed: 4 })]);
    const sample = String(file)
      .split('\n')
      .slice(1, 40)
      .map((row) => row.split(',')[0] ?? '');
    const domains = sample
      .map((address) => address.split('@')[1] ?? '')
      .filter((domain) => domain.endsWith('.uk'));
    const importing = run(file);
    for (const domain of domains.slice(0, 8)) {
      await call('POST', '/api/suppressions/domain', { domain });
      await call('POST', '/api/emails', { email: `extra@${domain}`, checkSuppressions: false });
    }
    expect((await importing).statusCode).toBe(200);
    await expectBooksToAgree();
  });
});

describe('access', () => {
  it('keeps imports of other workspaces out of sight', async () => {
    const { id } = (await run(nineLines)).json();
    const stranger = await signUp(product.app);
    for (const path of ['', '/receipt', '/rejected', '/events']) {
      expect((await get(`/api/imports/${id}${path}`, stranger.cookie)).status).toBe(404);
    }
    for (const path of ['/undo', '/check', '/run']) {
      expect((await call('POST', `/api/imports/${id}${path}`, {}, stranger.cookie)).status).toBe(404);
    }
    expect((await call('DELETE', `/api/imports/${id}`, undefined, stranger.cookie)).status).toBe(404);
  });

  it('lets a viewer look and not import', async () => {
    const viewer = await signUpMember(product.app, product.database, {
      workspaceId: person.workspaceId,
      role: 'viewer',
    });
    expect((await get('/api/imports', viewer.cookie)).status).toBe(200);
    expect((await importCsv(product.app, viewer.cookie, nineLines)).statusCode).toBe(403);
    expect((await importCsv(product.app, '', nineLines)).statusCode).toBe(401);
  });
});

describe('a long import', () => {
  it('answers at once when asked to, and tells its true progress until it is done', async () => {
    const file = Buffer.concat([...dirtyRows({ rows: 20_000, seed: 8 })]);
    const answer = await run(file, { headers: { prefer: 'respond-async' } });
    expect(answer.statusCode).toBe(202);
    const events = await product.app.inject({
      method: 'GET',
      url: `/api/imports/${answer.json().id}/events`,
      headers: { cookie: person.cookie },
    });
    const last = events.body.trim().split('\n\n').at(-1) ?? '';
    expect(last).toContain('event: done');
    expect(JSON.parse(last.split('data: ')[1] ?? '')).toMatchObject({
      status: 'completed',
      results: dirtyRows({ rows: 20_000, seed: 8 }).expected(),
    });
  });
});

describe('an import whose process died', () => {
  async function abandon(status: 'uploading' | 'checking' | 'processing', file: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      insert into imports (workspace_id, file_name, file_size, status, options, created_by, lease_until, attempts)
      values (${person.workspaceId}, 'left.csv', ${file.length}, ${status},
        '{"removeDuplicates":true,"validateEmails":true,"filterNonUk":true,"checkSuppressions":true}',
        ${person.userId}, now() - interval '1 minute', 1)
      returning id`.execute(product.owner.system);
    const id = rows[0]?.id ?? 0;
    const key = `imports/${person.workspaceId}/${id}.csv`;
    await sql`update imports set file_key = ${key} where id = ${id}`.execute(product.owner.system);
    await mkdir(join(product.dataDir, 'files', 'imports', String(person.workspaceId)), { recursive: true });
    await writeFile(join(product.dataDir, 'files', key), file);
    return id;
  }

  async function settled(
    id: number,
  ): Promise<{ status: string; results: object | null; error: string | null }> {
    for (let look = 0; look < 100; look++) {
      const { body } = await get(`/api/imports/${id}`);
      if (['completed', 'failed', 'checked'].includes(body.status)) return body;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the import was never taken up');
  }

  it('is run again from the stored file by whoever comes next, once', async () => {
    const id = await abandon('processing', nineLines);
    const others = [await product.again(), await product.again()];
    await Promise.all(others.map((other) => other.imports.look()));
    expect(await settled(id)).toMatchObject({ status: 'completed', results: { imported: 3, duplicates: 1 } });
    expect(await listed()).toHaveLength(3);
    await expectBooksToAgree();
  });

  it('is checked again when it was only being checked', async () => {
    const id = await abandon('checking', nineLines);
    await product.imports.look();
    expect(await settled(id)).toMatchObject({ status: 'checked', check: { counts: { imported: 3 } } });
    expect(await listed()).toEqual([]);
  });

  it('is marked as cut off when its file had not arrived whole', async () => {
    const id = await abandon('uploading', nineLines.slice(0, 30));
    await product.imports.look();
    expect(await settled(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('cut off') });
    expect(await listed()).toEqual([]);
  });
});
