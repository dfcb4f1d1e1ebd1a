// Tests of: exports
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

interface Given {
  local: string;
  domain: string;
  name: string | null;
  source: string | null;
  date: string | null;
  notes: string | null;
  phone: string | null;
}

/**
 * Text as people and attackers write it: formulas, quotes, line breaks, number-like text, every
 * script.
 */
const written = (characters: fc.Arbitrary<string>) =>
  fc.option(
    fc
      .tuple(
        fc.constantFrom(
          '',
          '',
          '=',
          '+',
          '-',
          '@',
          "'",
          "'=",
          '＝',
          '"',
          '007',
          '1e5',
          '03/04',
          'TRUE',
          '_x0041_',
          '_x0041_x0042_',
        ),
        fc.string({ unit: characters, minLength: 1, maxLength: 12 }),
      )
      .map((pieces) => pieces.join('')),
    { nil: null },
  );
const plain = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.constantFrom(
    ',',
    ';',
    '"',
    "'",
    '\n',
    '\r\n',
    '\r',
    '\t',
    '<',
    '&',
    '>',
    ' ',
    '\\',
    '💷',
    'é',
    '日',
    '=',
    '\\.',
  ),
);
const storable = plain.filter((text) => !text.includes('\0') && text.isWellFormed());
const local = fc
  .tuple(
    fc.constantFrom('', '+', '=', '-', "o'neill", "'", '{a}'),
    fc.stringMatching(/^[a-z][a-z0-9]{2,10}$/),
  )
  .map((pieces) => pieces.join(''));

function contactsOf(characters: fc.Arbitrary<string>, count: number, seed: number): Given[] {
  const text = written(characters);
  const one = fc.record({
    local,
    domain: fc.constantFrom('acme.co.uk', 'shop.org.uk', 'leeds.ac.uk'),
    name: text,
    source: text,
    date: text,
    notes: text,
    phone: text,
  });
  const all = fc.sample(one, { numRuns: count, seed });
  return [...new Map(all.map((given) => [`${given.local}@${given.domain}`, given])).values()];
}

async function store(given: Given[]): Promise<void> {
  await product.database.asTenant(person.workspaceId, (tx) =>
    sql`insert into contacts (workspace_id, local, domain, name, source, date, notes, attributes)
      select ${person.workspaceId}, local, domain, name, source, date, notes,
        case when phone is not null then jsonb_build_object('phone', phone) end
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as t(local text, domain text, name text, source text, date text, notes text, phone text)`.execute(tx),
  );
  // An export of everything takes its count from these rollups.
  await product.database.asTenant(person.workspaceId, (tx) =>
    sql`insert into contact_counts (workspace_id, active) values (${person.workspaceId}, ${given.length})
      on conflict (workspace_id) do update set active = excluded.active`.execute(tx),
  );
}

async function choose(who: SignedIn, change: object): Promise<void> {
  const answer = await product.app.inject({
    method: 'PATCH',
    url: '/api/settings',
    headers: { cookie: who.cookie },
    payload: change,
  });
  expect(answer.statusCode, answer.body).toBe(200);
}
const allowedColumns = ['email', 'name', 'source', 'date', 'notes', 'phone'];

async function download(
  query: string,
  app = product.app,
): Promise<{ type: string; name: string; bytes: Uint8Array }> {
  const answer = await app.inject({
    url: `/api/emails/export${query}`,
    headers: { cookie: person.cookie },
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  const name = /filename="([^"]+)"/.exec(String(answer.headers['content-disposition']))?.[1] ?? '';
  return { type: String(answer.headers['content-type']), name, bytes: new Uint8Array(answer.rawPayload) };
}

/** The stored facts of a contact, for comparing two lists in any order. */
const facts = (given: Given) =>
  JSON.stringify([
    `${given.local}@${given.domain}`,
    given.name,
    given.source,
    given.date,
    given.notes,
    given.phone,
  ]);
/** Compares what is only in one of them, so that a failure shows the contact and not the list. */
function expectSame(back: string[], given: Given[]): void {
  const wanted = new Set(given.map(facts));
  expect(back.filter((contact) => !wanted.has(contact)).slice(0, 3)).toEqual([]);
  expect(new Set(back).size).toBe(wanted.size);
  expect(back).toHaveLength(given.length);
}
const sheetCell = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

describe('what is exported comes back unchanged', () => {
  it('as CSV, read by our own import into another workspace', async () => {
    const given = contactsOf(storable, 1500, 11);
    await store(given);
    await choose(person, { import: { allowedColumns } });
    const { bytes, type, name } = await download('?format=csv');
    expect(type).toBe('text/csv; charset=utf-8');
    expect(name).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
    const other = await signUp(product.app);
    await choose(other, { import: { allowedColumns } });
    const answer = await importCsv(product.app, other.cookie, bytes);
    expect(answer.json()).toMatchObject({ imported: given.length, invalid: 0, nonUk: 0, duplicates: 0 });
    const { rows } = await product.database.asTenant(other.workspaceId, (tx) =>
      sql<Given>`select local, domain, name, source, date, notes, attributes ->> 'phone' as phone
        from contacts where workspace_id = ${other.workspaceId}`.execute(tx),
    );
    expectSame(rows.map(facts), given);
  });

  it('as CSV without headings, with who must not be mailed', async () => {
    await importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\ncat@acme.co.uk\n');
    const added = await product.app.inject({
      method: 'POST',
      url: '/api/suppressions/email/manual',
      headers: { cookie: person.cookie },
      payload: { email: 'cat@acme.co.uk' },
    });
    expect(added.statusCode, added.body).toBe(201);
    await choose(person, { export: { includeHeaders: false } });
    const { bytes } = await download('?format=csv');
    const other = await signUp(product.app);
    const answer = await importCsv(product.app, other.cookie, bytes);
    expect(answer.json()).toMatchObject({ imported: 1, suppressed: 1, newlySuppressed: 1 });
  });

  describe('with the marketing basis', () => {
    const refused = { basis: 'none', source: '=Rang; "never, ever"', givenOn: '2026-02-01' };
    const agreed = { basis: 'consent', source: 'Spring fair', givenOn: '2024-04-05' };
    const call = async (
      who: SignedIn,
      method: 'GET' | 'POST' | 'PATCH' | 'PUT',
      url: string,
      payload?: object,
    ) => {
      const headers = { cookie: who.cookie };
      const answer = await product.app.inject({ method, url, headers, ...(payload && { payload }) });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
      return answer.json();
    };
    /** What is said of each contact, and the fields of each. */
    async function said(who: SignedIn) {
      const { emails } = await call(who, 'GET', '/api/emails?sort=address');
      return emails.map(({ address, marketing, attributes }: Record<string, Record<string, string>>) => [
        address,
        { basis: marketing?.basis, source: marketing?.source, givenOn: marketing?.givenOn },
        attributes,
      ]);
    }
    const nothing = { basis: 'unknown', source: null, givenOn: null };
    const wanted = [
      ['ann@acme.co.uk', refused, { marketing_basis: 'consent' }],
      ['bob@acme.co.uk', agreed, {}],
      ['cat@acme.co.uk', { ...nothing, basis: 'soft_opt_in' }, {}],
      ['dan@acme.co.uk', nothing, { marketing_basis: 'none' }],
    ];

    async function fill(): Promise<void> {
      for (const [email, basis, attributes] of wanted) {
        const { id } = await call(person, 'POST', '/api/emails', { email });
        await call(person, 'PATCH', `/api/emails/${id}`, { attributes });
        if (basis !== nothing) await call(person, 'PUT', `/api/emails/${id}/basis`, basis as object);
      }
      expect(await said(person)).toEqual(wanted);
    }

    it.each(['csv', 'xlsx'])('as %s', async (format) => {
      await fill();
      const { bytes } = await download(`?format=${format}&include=verdict`);
      const other = await signUp(product.app);
      await choose(other, { import: { allowedColumns: ['email', 'marketing_basis'] } });
      const fileName = `contacts.${format}`;
      const answer = await importCsv(product.app, other.cookie, bytes, { fileName });
      expect(answer.json()).toMatchObject({ imported: 4 });
      expect(await said(other)).toEqual(wanted);
    });

    it('as JSON, and with no columns for it where nobody has one', async () => {
      const usual = 'email,name,source,date,status,notes,created,first_name,last_name';
      const header = async () => strFromU8((await download('?format=csv')).bytes).split('\n')[0];
      expect(await header()).toBe(usual);
      await fill();
      const ours = 'marketing_basis,marketing_basis_source,marketing_basis_date';
      expect(await header()).toBe(`${usual},${ours},extra_marketing_basis`);
      const { bytes } = await download('?format=json');
      const records = JSON.parse(strFromU8(bytes)) as Record<string, unknown>[];
      expect(records.find(({ email }) => email === 'ann@acme.co.uk')).toMatchObject({
        marketing_basis: 'none',
        marketing_basis_source: refused.source,
        marketing_basis_date: refused.givenOn,
        attributes: { marketing_basis: 'consent' },
      });
      expect(records.find(({ email }) => email === 'dan@acme.co.uk')).toMatchObject({
        marketing_basis: null,
      });
      // A file that says none wins over what is said where it comes to.
      const csv = (await download('?format=csv')).bytes;
      const other = await signUp(product.app);
      const { id } = await call(other, 'POST', '/api/emails', { email: 'ann@acme.co.uk' });
      await call(other, 'PUT', `/api/emails/${id}/basis`, agreed);
      await importCsv(product.app, other.cookie, csv);
      expect((await said(other))[0]).toEqual(['ann@acme.co.uk', refused, {}]);
    });
  });

  it('as CSV, and nobody gets an entry of their own whose domain alone is suppressed', async () => {
    const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      (
        await product.app.inject({
          ...{ method, url, headers: { cookie: person.cookie } },
          ...(payload && { payload }),
        })
      ).json();
    const people = ['ann', 'bob', 'cat', 'dan'].map((name) => `${name}@mail.acme.co.uk`);
    await importCsv(product.app, person.cookie, `email\n${people.join('\n')}\n`);
    await call('POST', '/api/suppressions/email/manual', { email: people[3] });
    await call('POST', '/api/suppressions/domain', { domain: 'acme.co.uk' });
    const { bytes } = await download('?format=csv');
    const bring = async (file: Uint8Array | string) =>
      (await importCsv(product.app, person.cookie, file)).json();
    expect(await bring(bytes)).toMatchObject({ imported: 0, suppressed: 4, newlySuppressed: 0 });
    // Somebody is told apart from their domain by whatever else the file says of them.
    const said = `email,status,Deceased\n${people[1]},suppressed,yes\n${people[2]},unsubscribed,\n`;
    expect(await bring(`${said}${people[2]},suppressed,\n`)).toMatchObject({
      ...{ suppressed: 3, newlySuppressed: 2 },
    });
    const { items } = await call('GET', '/api/suppressions/domains');
    await call('DELETE', `/api/suppressions/domain/${items[0].id}`);
    const { emails } = await call('GET', '/api/emails?sort=address');
    expect(emails.map(({ status }: { status: string }) => status)).toEqual([
      ...['active', 'suppressed', 'suppressed', 'suppressed'],
    ]);
    // Where no domain covers them, they are on the list of the workspace that the file comes to.
    const other = await signUp(product.app);
    expect((await importCsv(product.app, other.cookie, bytes)).json()).toMatchObject({ newlySuppressed: 4 });
  });

  it('as CSV, with a field whose name a spreadsheet would run', async () => {
    const fields = ['email', '@twitter'];
    await choose(person, { import: { allowedColumns: fields } });
    await importCsv(product.app, person.cookie, 'email,@twitter\nann@acme.co.uk,@ann\n');
    const { bytes } = await download('?format=csv');
    expect(strFromU8(bytes)).toContain(`'@twitter`);
    const other = await signUp(product.app);
    await choose(other, { import: { allowedColumns: fields } });
    await importCsv(product.app, other.cookie, bytes);
    const { rows } = await product.database.asTenant(other.workspaceId, (tx) =>
      sql`select attributes from contacts where workspace_id = ${other.workspaceId}`.execute(tx),
    );
    expect(rows).toEqual([{ attributes: expect.objectContaining({ '@twitter': '@ann' }) }]);
  });

  it('as JSON', async () => {
    const given = contactsOf(storable, 1500, 12);
    await store(given);
    const { bytes, type, name } = await download('?format=json');
    expect(type).toBe('application/json; charset=utf-8');
    expect(name).toMatch(/\.json$/);
    const read = JSON.parse(strFromU8(bytes)) as (Record<string, string | null> & {
      attributes: Record<string, string>;
    })[];
    const back = read.map(({ email, name, source, date, notes, attributes }) =>
      JSON.stringify([email, name, source, date, notes, attributes.phone ?? null]),
    );
    expectSame(back, given);
    expect(read[0]).toMatchObject({
      status: 'active',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  it('as a workbook, every cell text', async () => {
    const given = contactsOf(storable, 1500, 13);
    await store(given);
    await choose(person, { import: { allowedColumns } });
    const { bytes, name } = await download('?format=xlsx');
    expect(name).toMatch(/\.xlsx$/);
    const [header, ...rows] = await readSheet(Buffer.from(bytes), { trim: false });
    expect(header).toEqual([
      'email',
      'name',
      'source',
      'date',
      'status',
      'notes',
      'created',
      'first_name',
      'last_name',
      'phone',
    ]);
    const back = rows.map((row) => {
      const [email, name, source, date, status, notes, created, , , phone] = row.map(sheetCell);
      expect([status, typeof created]).toEqual(['active', 'string']);
      return JSON.stringify([email, name, source, date, notes, phone ?? null]);
    });
    expectSame(back, given);
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] as Uint8Array);
    expect(sheet.match(/<c /g)?.length).toBe(sheet.match(/<c [^>]*t="inlineStr"/g)?.length);
    expect(sheet).not.toContain('<f>');
  });

  it('as a workbook, with characters that XML cannot hold and cells longer than Excel takes', async () => {
    const base = { domain: 'acme.co.uk', source: null, date: null, phone: null };
    const long = '💷'.repeat(20_000);
    await store([
      { ...base, local: 'odd', name: '\x01\x1f￾', notes: '_x0041_' },
      { ...base, local: 'twice', name: '_x0041_x0042_', notes: '_x0041\x01' },
      { ...base, local: 'long', name: 'a'.repeat(40_000), notes: long },
    ]);
    const sheet = strFromU8(
      unzipSync((await download('?format=xlsx')).bytes)['xl/worksheets/sheet1.xml'] as Uint8Array,
    );
    expect(sheet).toContain('>_x0001__x001F__xFFFE_<');
    expect(sheet).toContain('>_x005F_x0041_<');
    expect(sheet).toContain('>_x005F_x0041_x005F_x0042_<');
    expect(sheet).toContain('>_x005F_x0041_x0001_<');
    const cells = [...sheet.matchAll(/>([^<]{1000,})</g)].map((match) => match[1] as string);
    expect(cells.map((cell) => cell.length <= 32_767 && cell.isWellFormed())).toEqual([true, true]);
    expect(cells[0]).toHaveLength(32_767);
  });
});

describe('more contacts than a file may hold', () => {
  const many = (count: number): Given[] =>
    Array.from({ length: count }, (_, index) => ({
      local: `person${index}`,
      domain: 'acme.co.uk',
      name: index % 3 === 0 ? `line\n"${index}"` : null,
      source: null,
      date: null,
      notes: null,
      phone: null,
    }));

  it.each(['csv', 'json', 'xlsx'] as const)('come as a zip of numbered parts: %s', async (format) => {
    await store(many(25));
    await choose(person, { export: { maxRecordsPerFile: 10 } });
    const { bytes, type, name } = await download(`?format=${format}`);
    expect(type).toBe('application/zip');
    expect(name).toMatch(/^contacts-\d{4}-\d\d-\d\d\.zip$/);
    const files = Object.entries(unzipSync(bytes));
    expect(files.map(([file]) => file.replace(/^contacts-\d{4}-\d\d-\d\d-/, ''))).toEqual([
      `part-001.${format}`,
      `part-002.${format}`,
      `part-003.${format}`,
    ]);
    const emails: string[] = [];
    const sizes: number[] = [];
    for (const [, content] of files) {
      const found = await emailsIn(content, format);
      sizes.push(found.length);
      emails.push(...found);
    }
    expect(sizes).toEqual([10, 10, 5]);
    expect(emails.toSorted()).toEqual(
      many(25)
        .map((given) => `${given.local}@acme.co.uk`)
        .toSorted(),
    );
  });

  async function emailsIn(content: Uint8Array, format: 'csv' | 'json' | 'xlsx'): Promise<string[]> {
    const text = format === 'xlsx' ? '' : strFromU8(content);
    if (format === 'json') return JSON.parse(text).map((contact: { email: string }) => contact.email);
    if (format === 'csv') {
      expect(text.startsWith('email,name,')).toBe(true);
      return [...text.matchAll(/^"(person\d+@acme\.co\.uk)"/gm)].map((match) => match[1] as string);
    }
    const [header, ...rows] = await readSheet(Buffer.from(content));
    expect(header?.[0]).toBe('email');
    return rows.map((row) => String(row[0]));
  }

  it('are refused in words when that would be a heap of files', async () => {
    await store([]);
    await product.database.asTenant(person.workspaceId, (tx) =>
      sql`update contact_counts set active = 15000000 where workspace_id = ${person.workspaceId}`.execute(tx),
    );
    await choose(person, { export: { maxRecordsPerFile: 1000 } });
    const answer = await product.app.inject({
      url: '/api/emails/export',
      headers: { cookie: person.cookie },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('15,000 files');
    const check = await product.app.inject({
      url: '/api/emails/export/check',
      headers: { cookie: person.cookie },
    });
    expect(check.json().message).toBe(answer.json().message);
    await choose(person, { export: { maxRecordsPerFile: 100_000 } });
    const fine = await product.app.inject({
      url: '/api/emails/export/check?format=json',
      headers: { cookie: person.cookie },
    });
    expect(fine.json()).toMatchObject({ contacts: 15_000_000, parts: 150 });
  });
});

it('writes times in the one way that everything reads, in each format and whatever the database’s zone', async () => {
  const [given] = contactsOf(storable, 1, 16);
  await store([given as Given]);
  await product.database.asTenant(person.workspaceId, (tx) =>
    sql`update contacts set created_at = '2026-07-01 00:30:15.9+01' where workspace_id = ${person.workspaceId}`.execute(
      tx,
    ),
  );
  const zone = (set: string) =>
    sql.raw(`do $$ begin execute format('alter database %I ${set}', current_database()); end $$`);
  await zone(`set timezone to ''Europe/London''`).execute(product.owner.system);
  // A connection keeps the time zone that the database had when it was opened.
  const { app } = await product.again();
  const time = '2026-06-30T23:30:15Z';
  const csv = strFromU8((await download('?format=csv', app)).bytes);
  expect(csv).toContain(`,${time}`);
  const [record] = JSON.parse(strFromU8((await download('?format=json', app)).bytes));
  expect(record.created).toBe(time);
  const [, row] = await readSheet(Buffer.from((await download('?format=xlsx', app)).bytes));
  expect(row).toContain(time);
  await zone('reset timezone').execute(product.owner.system);
});

it('takes a selection too long for an address, and nothing of another workspace in it', async () => {
  const given = contactsOf(storable, 3000, 14);
  await store(given);
  const { rows } = await product.owner.system.executeQuery<{ id: number }>(
    sql`select id from contacts where workspace_id = ${person.workspaceId} order by id limit 2000`.compile(
      product.owner.system,
    ),
  );
  const ask = (cookie: string, body: object) =>
    product.app.inject({
      method: 'POST',
      url: '/api/emails/export?format=json',
      headers: { cookie },
      payload: body,
    });
  const ids = rows.map(({ id }) => id);
  expect((await ask(person.cookie, { ids })).json()).toHaveLength(2000);
  expect((await ask(person.cookie, { filter: { domain: 'leeds.ac.uk' } })).json().length).toBeLessThan(3000);
  const other = await signUp(product.app);
  expect((await ask(other.cookie, { ids })).json()).toEqual([]);
  expect((await ask(person.cookie, { ids: [] })).statusCode).toBe(400);
});

it('writes down who took how many contacts', async () => {
  await store(contactsOf(storable, 5, 15));
  await download('?format=json');
  const activities = await product.app.inject({ url: '/api/activities', headers: { cookie: person.cookie } });
  expect(activities.json()[0]).toMatchObject({ action: 'Export', details: expect.stringContaining('.json') });
  const { rows } = await product.database.asTenant(person.workspaceId, (tx) =>
    sql`select actor, details from audit_log where workspace_id = ${person.workspaceId} and action = 'contacts.exported'`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([{ actor: person.email, details: expect.objectContaining({ filter: {} }) }]);
});

it('is only told of by HEAD, and nobody is said to have taken it', async () => {
  await store(contactsOf(storable, 5, 15));
  const head = (url: string, cookie = person.cookie) =>
    product.app.inject({ method: 'HEAD', url, headers: { cookie } });
  for (const format of ['csv', 'xlsx']) {
    const answer = await head(`/api/emails/export?format=${format}`);
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  }
  expect((await head('/api/emails/export', '')).statusCode).toBe(401);
  expect((await head('/api/audit/export')).headers['content-type']).toContain('text/csv');
  const { rows } = await product.database.asTenant(person.workspaceId, (tx) =>
    sql`select action from audit_log where workspace_id = ${person.workspaceId} and action like '%exported'`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([]);
});

it.each(['csv', 'json', 'xlsx'])(
  'fails at the reader when the database fails in the middle: %s',
  async (format) => {
    await product.database.asTenant(person.workspaceId, (tx) =>
      sql`insert into contacts (workspace_id, local, domain, notes)
      select ${person.workspaceId}::bigint, 'p' || n, 'acme.co.uk', md5(n::text) || repeat(md5((n * 7)::text), 30)
      from generate_series(1, 60000) n`.execute(tx),
    );
    if (!product.app.server.listening) await product.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = product.app.server.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/api/emails/export?format=${format}`, {
      headers: { cookie: person.cookie },
    });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await reader.read();
    const killed = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'copy (%' and pid <> pg_backend_pid()`.execute(
      product.database.system,
    );
    expect(killed.rows).toHaveLength(1);
    const readAll = async () => {
      while (!(await reader.read()).done);
    };
    await expect(readAll()).rejects.toThrow();
  },
);
