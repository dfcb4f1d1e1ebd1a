import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fieldOfColumn } from '#features/contacts/rules/extra-columns.ts';
import { csvLine, neutralise } from '#features/csv/rules.ts';
import { copyText, neutralised } from '#platform/server/csv-copy.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { registerContactFeatures } from '#test/support/contact-features.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { testTasks } from '#test/support/tasks.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;
let workspace = 0;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl, maxConnections: 2 });
  http = await createTestHttp((router) => {
    registerContactFeatures(router, { db, tasks: testTasks(db) });
  });
});
afterAll(async () => {
  await http.app.close();
  await db.close();
  await made.drop();
});
beforeEach(() => {
  workspace += 1;
});

const run = (statement: ReturnType<typeof sql>) => db.asTenant(workspace, (tx) => statement.execute(tx));
const download = (query = '') =>
  http.call(stubCaller(workspace, 'viewer'), 'GET', `/api/emails/export${query}`);

it('neutralises exactly what the CSV rules neutralise', async () => {
  const start = fc.constantFrom(
    '',
    "'",
    "''",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\uff1d',
    '\uff20',
    "'=",
    "''-",
    'a',
    ' =',
    '"',
    '\\',
    '-0.',
    '+44 ',
    "'-",
  );
  const end = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.string({ unit: fc.constantFrom(...'0123456789 ().+-/\n'), maxLength: 5 }),
  );
  const text = fc.tuple(start, end).map(([a, b]) => (a + b).replaceAll('\0', '').toWellFormed());
  const texts = fc.sample(text, 2000);
  const { rows } = await run(
    sql`select array_agg(${neutralised(sql`given`)} order by place) as cells
        from unnest(${texts}::text[]) with ordinality as t (given, place)`,
  );
  expect((rows[0] as { cells: string[] }).cells).toEqual(texts.map(neutralise));
});

it('writes the header and every field, with a name that carries the date', async () => {
  await run(sql`insert into contacts (workspace_id, local, domain, address, name, source, date, notes, created_at, first_name, last_name)
    values (${workspace}, 'tom', 'acme.co.uk', 'Tom@acme.co.uk', 'Ash, "Tom"', '=HYPERLINK("x")', '09/03/2026', ${'two\nlines; one'}, '2026-03-09T10:00:00Z', '=Tom', 'Ash'),
           (${workspace}, '=cmd', 'shop.uk', null, null, null, null, null, '2026-03-09T10:00:00Z', null, null)`);
  await run(
    sql`insert into suppressions (workspace_id, local, domain, reason) values (${workspace}, 'tom', 'acme.co.uk', 'manual')`,
  );
  const answer = await download();
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const [header, ...lines] = answer.body.trimEnd().split(/\n(?=")/);
  expect(header).toBe('email,name,source,date,status,notes,created,first_name,last_name');
  expect(lines.toSorted()).toEqual([
    `"'=cmd@shop.uk",,,,active,,2026-03-09T10:00:00Z,,`,
    `"Tom@acme.co.uk","Ash, ""Tom""","'=HYPERLINK(""x"")","09/03/2026",suppressed,"two\nlines; one",2026-03-09T10:00:00Z,"'=Tom","Ash"`,
  ]);
  // The same cells as the product's own CSV writer, which omits quotation marks where it can.
  expect(csvLine(['=HYPERLINK("x")'])).toBe(`"'=HYPERLINK(""x"")"\r\n`);
});

it('holds every extra field that the workspace keeps, the allowed ones first', async () => {
  await run(
    sql`insert into settings (workspace_id, import) values (${workspace}, '{"allowedColumns": ["email", "name", "Town"]}')`,
  );
  await run(sql`insert into contact_field_names (workspace_id, name) values
    (${workspace}, 'tags'), (${workspace}, 'company name'), (${workspace}, 'status'), (${workspace}, 'first_name'), (${workspace}, 'phone')`);
  const attributes = {
    tags: '"VIP","Trade"',
    'company name': 'Ash & Co',
    status: 'Subscribed',
    first_name: 'Tom',
    phone: '+44 20 7946 0018',
    town: 'Bath',
  };
  await run(sql`insert into contacts (workspace_id, local, domain, attributes, created_at) values
    (${workspace}, 'tom', 'acme.co.uk', ${JSON.stringify(attributes)}, '2026-03-09T10:00:00Z')`);
  const { body } = await download();
  expect(body.split('\n').slice(0, -1)).toEqual([
    'email,name,source,date,status,notes,created,first_name,last_name,town,company name,extra_first_name,phone,extra_status,tags',
    '"tom@acme.co.uk",,,,active,,2026-03-09T10:00:00Z,"Tom",,"Bath","Ash & Co",,"+44 20 7946 0018","Subscribed","""VIP"",""Trade"""',
  ]);
  const { body: json } = await download('?format=json');
  expect(json).toMatchObject([{ email: 'tom@acme.co.uk', attributes }]);
});

it('holds an extra field once, as contacts have it, where the settings write it otherwise', async () => {
  await run(
    sql`insert into settings (workspace_id, import) values (${workspace}, '{"allowedColumns": ["email", "FirstVisit"]}')`,
  );
  await run(sql`insert into contact_field_names (workspace_id, name) values (${workspace}, 'firstVisit')`);
  await run(sql`insert into contacts (workspace_id, local, domain, attributes) values
    (${workspace}, 'tom', 'acme.co.uk', '{"firstVisit": "2026-03-09"}')`);
  const [header, row] = (await download()).body.split('\n');
  expect(header).toMatch(/,last_name,firstVisit$/);
  expect(row).toMatch(/,"2026-03-09"$/);
});

it('holds extra fields that are called like an allowed column, under names that lead back to them', async () => {
  const allowedColumns = ['email', 'name', 'source', 'phone'];
  await run(
    sql`insert into settings (workspace_id, import) values (${workspace}, ${JSON.stringify({ allowedColumns })})`,
  );
  await run(sql`insert into contact_field_names (workspace_id, name) values
    (${workspace}, 'name'), (${workspace}, 'extra_name'), (${workspace}, 'phone')`);
  const attributes = { name: 'Second', extra_name: 'Third', phone: '01947 600123' };
  await run(sql`insert into contacts (workspace_id, local, domain, name, attributes, created_at) values
    (${workspace}, 'tom', 'acme.co.uk', 'Tom Ash', ${JSON.stringify(attributes)}, '2026-03-09T10:00:00Z')`);
  const [header = '', row] = (await download()).body.split('\n');
  // Nobody has an extra field `source`, so it has no second column.
  expect(header).toBe(
    'email,name,source,date,status,notes,created,first_name,last_name,extra_name,phone,extra_extra_name',
  );
  expect(row).toMatch(/^"tom@acme.co.uk","Tom Ash",.*,"Second","01947 600123","Third"$/);
  expect(header.split(',').slice(-3).map(fieldOfColumn)).toEqual(['name', 'phone', 'extra_name']);
});

it('holds an extra field called like a first or last name beside the name that the contact has', async () => {
  const names = ['first_name', 'last_name'];
  const allowedColumns = ['email', 'name', ...names];
  await run(
    sql`insert into settings (workspace_id, import) values (${workspace}, ${JSON.stringify({ allowedColumns })})`,
  );
  for (const name of names)
    await run(sql`insert into contact_field_names (workspace_id, name) values (${workspace}, ${name})`);
  const attributes = JSON.stringify({ first_name: 'Second', last_name: 'Other' });
  await run(sql`insert into contacts (workspace_id, local, domain, first_name, last_name, attributes) values
    (${workspace}, 'tom', 'acme.co.uk', 'Tom', null, ${attributes})`);
  const [header = '', row] = (await download()).body.split('\n');
  expect(header).toMatch(/,first_name,last_name,extra_first_name,extra_last_name$/);
  expect(row).toMatch(/,"Tom","Other","Second",$/);
  expect(header.split(',').slice(-2).map(fieldOfColumn)).toEqual(names);
});

it('leaves the header away when the settings say so, and follows the filter', async () => {
  await run(
    sql`insert into settings (workspace_id, export) values (${workspace}, '{"includeHeaders": false}')`,
  );
  await run(sql`insert into contacts (workspace_id, local, domain, state) values
    (${workspace}, 'tom', 'acme.co.uk', 0), (${workspace}, 'o''neill\\x', 'acme.co.uk', 1), (${workspace}, 'ann', 'shop.uk', 0)`);
  const emails = async (query: string) =>
    (await download(query)).body
      .split('\n')
      .slice(0, -1)
      .map((line: string) => line.split(',')[0])
      .toSorted();
  expect(await emails('')).toEqual(['"ann@shop.uk"', '"o\'neill\\x@acme.co.uk"', '"tom@acme.co.uk"']);
  expect(await emails('?domain=acme.co.uk&status=active')).toEqual(['"tom@acme.co.uk"']);
  expect(await emails(`?search=${encodeURIComponent("O'Neill\\X")}`)).toEqual(['"o\'neill\\x@acme.co.uk"']);
  expect(await emails(`?search=${encodeURIComponent("' or true --")}`)).toEqual([]);
});

it('holds those that are named, of this workspace alone', async () => {
  await run(sql`insert into contacts (workspace_id, local, domain) values
    (${workspace}, 'ann', 'acme.co.uk'), (${workspace}, 'bob', 'acme.co.uk'), (${workspace}, 'cat', 'acme.co.uk')`);
  const { rows } = await run(sql`select id from contacts where workspace_id = ${workspace} order by id`);
  const [ann, , cat] = (rows as { id: number }[]).map(({ id }) => id);
  const { body } = await download(`?ids=${cat},${ann},${cat},999999`);
  expect(body.split('\n').slice(1, -1).toSorted()).toEqual([
    expect.stringMatching(/^"ann@/),
    expect.stringMatching(/^"cat@/),
  ]);
  const stranger = await http.call(stubCaller(1_000_000), 'GET', `/api/emails/export?ids=${ann}`);
  expect(stranger.body).toBe('email,name,source,date,status,notes,created,first_name,last_name\n');
  expect((await download('?ids=1,')).status).toBe(400);
  expect((await download(`?ids=${Array(1001).fill(1).join(',')}`)).status).toBe(400);
});

it('holds nothing of another workspace', async () => {
  await run(
    sql`insert into contacts (workspace_id, local, domain) values (${workspace}, 'tom', 'acme.co.uk')`,
  );
  const other = await http.call(stubCaller(1_000_000), 'GET', '/api/emails/export');
  expect(other.body).toBe('email,name,source,date,status,notes,created,first_name,last_name\n');
});

it('writes any value into the statement as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (given) => {
      const text = given.replaceAll('\0', '').toWellFormed();
      const statement = copyText(db.system, sql`select ${text}::text as v, ${7}::int as n`, 'format csv');
      const query = statement.slice('copy ('.length, statement.lastIndexOf(') to stdout'));
      const { rows } = await run(sql.raw(query));
      expect(rows).toEqual([{ v: text, n: 7 }]);
    }),
    { numRuns: 200 },
  );
});

it('gives its connection back when the reader goes away', async () => {
  await run(sql`insert into contacts (workspace_id, local, domain, notes)
    select ${workspace}::bigint, 'p' || n, 'acme.co.uk', repeat('x', 1000) from generate_series(1, 20000) n`);
  await download(); // makes the caller known
  await http.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.app.server.address() as { port: number };
  for (let round = 0; round < 4; round++) {
    const stop = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/api/emails/export`, {
      signal: stop.signal,
      headers: { 'x-test-caller': JSON.stringify(stubCaller(workspace, 'viewer')) },
    });
    expect(response.status).toBe(200);
    await response.body?.getReader().read();
    stop.abort();
  }
  // The pool has two connections, so a lost one would make this wait for ever.
  expect((await download()).body.split('\n')).toHaveLength(20_002);
});
