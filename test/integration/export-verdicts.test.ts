// Tests of: exports, verification
import Papa from 'papaparse';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Contact } from '#features/contacts/contract.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let person: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  test.tasks.startWork();
});
afterAll(() => test.close());
beforeEach(async () => {
  person = await signUp(test.app);
});

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, who = person) =>
  test.app.inject({ method, url, headers: { cookie: who.cookie }, ...(payload ? { payload } : {}) });
const keepAll = {
  removeDuplicates: true,
  validateEmails: false,
  filterNonUk: false,
  checkSuppressions: false,
};
async function fill(csv: string): Promise<number> {
  const answer = await importCsv(test.app, person.cookie, csv, { options: keepAll });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().id;
}
async function verifyAll(): Promise<void> {
  const answer = await call('POST', '/api/verifications');
  expect(answer.statusCode, answer.body).toBe(200);
}
async function listed(query = ''): Promise<Contact[]> {
  const body = (await call('GET', `/api/emails?limit=200&${query}`)).json();
  expect(body.totalCount).toBe(body.emails.length);
  return body.emails;
}
async function exported(query: string) {
  const answer = await call('GET', `/api/emails/export?${query}`);
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  return answer;
}
type Row = Record<string, string>;
const table = async (query: string): Promise<Row[]> =>
  Papa.parse<Row>((await exported(`format=csv&${query}`)).body, { header: true, skipEmptyLines: true }).data;

const mixed = [
  'email,source',
  'jo.bloggs@acme.co.uk,fair',
  'info@acme.co.uk,fair',
  '=jo@hotmial.com,web',
  'sam@mailinator.com,web',
  'ann@kent.sch.uk,web',
  'pat@btinternet.com,fair',
  'no-at-sign.co.uk,web',
].join('\n');

const columns = ['verdict', 'reasons', 'suggestion', 'risk', 'uk', 'kind', 'verified'];

/** The cells of a contact's verdict, computed from what the list says about it. */
function cells({ verification }: Contact): Row {
  if (!verification) return Object.fromEntries(columns.map((column) => [column, '']));
  return {
    verdict: verification.verdict,
    reasons: verification.reasons.toSorted().join(' '),
    suggestion: verification.suggestion ?? '',
    risk: String(verification.risk),
    uk: verification.uk ?? '',
    kind: verification.kind ?? '',
    verified: verification.checkedAt,
  };
}
const toTheSecond = (time: string) => Math.round(Date.parse(time) / 1000);
/** The same cells from a row of a table, so that the two can be compared. */
function cellsOf(row: Row): Row {
  const { verified = '', ...rest } = Object.fromEntries(columns.map((name) => [name, row[name] ?? '']));
  return { ...rest, reasons: (rest.reasons ?? '').split(' ').toSorted().join(' '), verified };
}
function expectVerdicts(rows: Row[], contacts: Contact[]): void {
  expect(rows.map(({ email }) => email).toSorted()).toEqual(contacts.map((c) => c.address).toSorted());
  for (const contact of contacts) {
    const wanted = cells(contact);
    const found = cellsOf(rows.find(({ email }) => email === contact.address) as Row);
    expect({ ...found, verified: '' }).toEqual({ ...wanted, verified: '' });
    if (wanted.verified === '') expect(found.verified).toBe('');
    else
      expect(
        Math.abs(toTheSecond(found.verified as string) - toTheSecond(wanted.verified as string)),
      ).toBeLessThan(2);
  }
}
const plainRow = (row: Row): Row => ({
  ...row,
  email: (row.email ?? '').replace(/^'/, ''),
  suggestion: (row.suggestion ?? '').replace(/^'/, ''),
});

describe('an export with verdicts', () => {
  it('holds as CSV what the list says of each contact, and nothing where none was verified', async () => {
    await fill(mixed);
    await verifyAll();
    await fill('email\nlate@acme.co.uk\n');
    const rows = (await table('include=verdict')).map(plainRow);
    const contacts = await listed();
    expect(contacts.filter(({ verification }) => verification === null)).toHaveLength(1);
    expect(new Set(contacts.map(({ verification }) => verification?.verdict)).size).toBeGreaterThan(2);
    expectVerdicts(rows, contacts);
  });

  it('follows a run over all contacts that found a verdict true again', async () => {
    await fill(mixed);
    await verifyAll();
    const [before] = await table('include=verdict&domain=acme.co.uk');
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await verifyAll();
    const rows = await table('include=verdict&domain=acme.co.uk');
    expectVerdicts(rows, await listed('domain=acme.co.uk'));
    expect(toTheSecond(rows[0]?.verified ?? '')).toBeGreaterThan(toTheSecond(before?.verified ?? ''));
  });

  it('is off unless asked for, in each format', async () => {
    await fill(mixed);
    await verifyAll();
    expect((await exported('format=csv')).body.split('\n')[0]).toBe(
      'email,name,source,date,status,notes,created,first_name,last_name',
    );
    expect(Object.keys((await exported('format=json')).json()[0])).toEqual([
      'email',
      'name',
      'source',
      'date',
      'status',
      'notes',
      'created',
      'first_name',
      'last_name',
      'attributes',
    ]);
    expect((await call('GET', '/api/emails/export?include=everything')).statusCode).toBe(400);
  });

  it('holds as JSON lists and numbers, and null where none was verified', async () => {
    await fill(mixed);
    await verifyAll();
    await fill('email\nlate@acme.co.uk\n');
    const read = (await exported('format=json&include=verdict')).json() as Record<string, unknown>[];
    const typo = read.find(({ email }) => email === '=jo@hotmial.com');
    expect(typo).toMatchObject({
      suggestion: '=jo@hotmail.com',
      reasons: expect.arrayContaining(['typo_suspected']),
      risk: expect.any(Number),
      verified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(read.find(({ email }) => email === 'late@acme.co.uk')).toMatchObject(
      Object.fromEntries(columns.map((column) => [column, null])),
    );
  });

  it('holds them as a workbook, every cell text', async () => {
    await fill(mixed);
    await verifyAll();
    const { rawPayload } = await exported('format=xlsx&include=verdict');
    const [header = [], ...rows] = await readSheet(Buffer.from(rawPayload), { trim: false });
    expect(header.slice(-7)).toEqual(columns);
    const asRows = rows.map((row) =>
      Object.fromEntries(header.map((name, index) => [String(name), String(row[index] ?? '')])),
    );
    expectVerdicts(asRows, await listed());
  });

  it('lets no spreadsheet run a suggestion as a formula', async () => {
    await fill('email\n=jo@hotmial.com\n');
    await verifyAll();
    const { body } = await exported('format=csv&include=verdict');
    expect(body).toContain(`"'=jo@hotmail.com"`);
    expect(body).not.toMatch(/[,"]=jo/);
  });

  it('comes back through our own import unchanged', async () => {
    await fill(mixed);
    await verifyAll();
    const { rawPayload } = await exported('format=csv&include=verdict');
    const other = await signUp(test.app);
    const back = await importCsv(test.app, other.cookie, rawPayload, { options: keepAll });
    expect(back.json()).toMatchObject({ imported: 7, duplicates: 0 });
    const addresses = async (who: SignedIn) =>
      (await call('GET', '/api/emails?limit=200', undefined, who))
        .json()
        .emails.map(({ address, source, attributes }: Contact) =>
          JSON.stringify([address, source, attributes]),
        )
        .toSorted();
    expect(await addresses(other)).toEqual(await addresses(person));
  });

  it('leaves a column that people brought its name', async () => {
    const allowedColumns = ['email', 'kind', 'risk'];
    await call('PATCH', '/api/settings', { import: { allowedColumns } });
    await fill('email,kind,risk\njo.bloggs@acme.co.uk,customer,low\n');
    await verifyAll();
    const [row] = await table('include=verdict');
    expect(row).toMatchObject({ kind: 'customer', risk: 'low', verdict: 'valid', verification_risk: '0' });
    expect(row).toHaveProperty('verification_kind');
  });

  it('is the same for named contacts and under maintenance, and says so in the audit log', async () => {
    await fill(mixed);
    await verifyAll();
    const ids = (await listed('verdict=valid')).map(({ id }) => id);
    const named = await call('POST', '/api/emails/export?format=json&include=verdict', { ids });
    expect(named.json().map((row: { verdict: string }) => row.verdict)).toEqual(ids.map(() => 'valid'));
    const maintained = await call('GET', '/api/maintenance/export?format=json&include=verdict');
    expect(maintained.json()[0]).toHaveProperty('verdict');
    const [line] = (await call('GET', '/api/audit?area=contacts')).json().items;
    expect(line).toMatchObject({ action: 'contacts.exported', details: { include: 'verdict' } });
  });
});

describe('an export holds what the list shows', () => {
  const queries = [
    'verdict=valid',
    'verdict=invalid',
    'verdict=risky&status=active',
    'reason=role',
    'reason=typo_suspected',
    'kind=free',
    'kind=disposable',
    'uk=uk',
    'uk=likely_uk',
    'riskFrom=1',
    'riskTo=20',
    'riskFrom=10&riskTo=60',
    'source=fair',
    'source=web&verdict=valid',
    'addedFrom=2020-01-01',
    'addedTo=2020-01-01',
    'search=acme',
    'search=acme&verdict=risky',
    'domain=acme.co.uk&reason=role',
    'status=invalid',
  ];

  it('under each filter, also of verdicts', async () => {
    const importId = await fill(mixed);
    await verifyAll();
    await fill('email\nlate@acme.co.uk\n');
    const sizes: number[] = [];
    for (const query of [...queries, `importId=${importId}`]) {
      const shown = (await listed(query)).map(({ address }) => address).toSorted();
      sizes.push(shown.length);
      for (const include of ['', '&include=verdict']) {
        const rows = (await exported(`format=json&${query}${include}`)).json() as { email: string }[];
        expect(rows.map(({ email }) => email).toSorted(), query).toEqual(shown);
      }
      const check = (await call('GET', `/api/emails/export/check?${query}&include=verdict`)).json();
      expect(check.contacts, query).toBe(shown.length);
      const body = Object.fromEntries(
        [...new URLSearchParams(query)].map(([name, value]) => [
          name,
          /^\d+$/.test(value) ? Number(value) : value,
        ]),
      );
      const selected = await call('POST', '/api/emails/export?format=json', { filter: body });
      expect(selected.json(), query).toHaveLength(shown.length);
    }
    // A filter that finds everything or nothing would prove little.
    expect(sizes.filter((size) => size > 0 && size < 8).length).toBeGreaterThan(14);
  });
});
