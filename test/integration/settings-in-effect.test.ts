// Tests of: settings
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mappingOf } from '#features/imports/rules.ts';
import { StagingWriter, stagedColumns } from '#features/imports/server/engine/stage.ts';
import { settings } from '#features/settings/contract.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { type DnsServer, startDnsServer } from '#test/support/dns-server.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/**
 * Changes every setting by name through the API, as the screen does, and shows what then happens
 * differently. The last test compares the names with the contract, so that nobody can add a setting
 * that does nothing.
 */
let product: TestApp;
let person: SignedIn;

let names: DnsServer;

beforeAll(async () => {
  names = await startDnsServer({
    'acme.co.uk': { mx: [{ exchange: 'mail.acme.co.uk', priority: 10 }] },
    'nullmx.co.uk': { mx: [{ exchange: '', priority: 0 }] },
    'silent.co.uk': { fails: 'SERVFAIL' },
    'empty.co.uk': {},
    'webonly.co.uk': { a: ['192.0.2.1'] },
  });
  product = await openTestApp({ DNS_SERVERS: names.address });
});
afterAll(async () => {
  await product.close();
  await names.close();
});
beforeEach(async () => {
  person = await signUp(product.app);
});

const proven = new Set<string>();
function inEffect(name: string, prove: () => Promise<void>): void {
  proven.add(name);
  it(name, prove);
}

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  product.app.inject({
    method,
    url,
    headers: { cookie: person.cookie },
    ...(payload ? { payload } : {}),
  });

async function choose(section: string, values: object): Promise<void> {
  const answer = await send('PATCH', '/api/settings', { [section]: values });
  expect(answer.statusCode, answer.body).toBe(200);
}

const importRows = (lines: string[], form?: Parameters<typeof importCsv>[3]) =>
  importCsv(product.app, person.cookie, `${lines.join('\n')}\n`, form);
const tenant = (statement: ReturnType<typeof sql>) =>
  product.database.asTenant(person.workspaceId, (tx) => statement.execute(tx));
const contacts = async () => (await send('GET', '/api/emails?sort=address')).json().emails;
const addresses = async () => (await contacts()).map((contact: { address: string }) => contact.address);

inEffect('emailValidation.allowedDomains', async () => {
  await choose('emailValidation', { allowedDomains: ['.ie', 'acme.com'] });
  const answer = await importRows(['email', 'a@shop.ie', 'b@acme.com', 'c@sub.acme.com', 'd@shop.co.uk']);
  expect(answer.json()).toMatchObject({ imported: 3, nonUk: 1 });
  await choose('emailValidation', { allowedDomains: ['.ie'] });
  const preview = await send('POST', '/api/emails/clean?preview=true');
  expect(preview.json()).toMatchObject({ nonUk: 2 });
});

inEffect('emailValidation.checkMXRecords', async () => {
  const rows = [
    'email',
    'a@acme.co.uk',
    'b@acme.co.uk',
    'c@nullmx.co.uk',
    'd@gone.co.uk',
    'e@empty.co.uk',
    'f@silent.co.uk',
    'g@webonly.co.uk',
    'h@gone.co.uk',
  ];
  expect((await importRows(rows, { dryRun: true })).json().check.counts).toMatchObject({ invalid: 0 });
  expect(names.questions).toEqual([]);
  await choose('emailValidation', { checkMXRecords: true });
  const checked = await importRows(rows);
  expect(checked.statusCode, checked.body).toBe(200);
  const answer = checked.json();
  expect(answer).toMatchObject({ imported: 4, invalid: 4, duplicates: 0, suppressed: 0, nonUk: 0 });
  // A missing answer never counts against an address.
  expect(await addresses()).toEqual(['a@acme.co.uk', 'b@acme.co.uk', 'f@silent.co.uk', 'g@webonly.co.uk']);
  expect(names.questions.filter((question) => question === 'MX gone.co.uk')).toHaveLength(1);
  const receipt = (await send('GET', `/api/imports/${answer.id}/receipt`)).body;
  expect(receipt).toContain('The domain says that it takes no mail,c@nullmx.co.uk');
  expect(receipt).toContain('The domain does not exist,d@gone.co.uk');
  expect(receipt).toContain('The domain has no mail server,e@empty.co.uk');
  // Switching off the validation for this import also skips the mail server test.
  const unchecked = await importRows(rows, { options: { validateEmails: false } });
  expect(unchecked.json()).toMatchObject({ imported: 4, duplicates: 4, invalid: 0 });
});

inEffect('emailValidation.strictValidation', async () => {
  const doubtful = ['email', '"quoted local"@acme.co.uk', 'a@b.doesnotexist'];
  const options = { filterNonUk: false };
  expect((await importRows(doubtful, { options })).json()).toMatchObject({ imported: 0, invalid: 2 });
  expect((await send('POST', '/api/emails', { email: 'a@b.doesnotexist' })).statusCode).toBe(400);
  await choose('emailValidation', { strictValidation: false });
  expect((await importRows(doubtful, { options })).json().imported).toBeGreaterThan(0);
  expect((await send('POST', '/api/emails', { email: 'c@b.doesnotexist' })).statusCode).toBe(201);
});

inEffect('emailValidation.ukPolicy', async () => {
  const rows = ['email', 'a@shop.co.uk', 'b@btinternet.com', 'c@acme.com', 'd@firma.de'];
  const dryRun = async () => {
    const answer = await importRows(rows, { dryRun: true });
    return (await send('GET', `/api/imports/${answer.json().id}`)).json().check.counts.nonUk;
  };
  expect(await dryRun()).toBe(3);
  await choose('emailValidation', { ukPolicy: 'likely' });
  expect(await dryRun()).toBe(2);
  await choose('emailValidation', { ukPolicy: 'any_but_foreign_cctld' });
  expect(await dryRun()).toBe(1);
});

it('has one answer to what is British, in an import, in Clean and in the counts', async () => {
  const rows = ['email', 'a@gov.scot', 'b@gov.wales', 'c@s4c.cymru', 'd@cityoflondon.london', 'e@shop.co.uk'];
  expect((await importRows(rows)).json()).toMatchObject({ imported: 5, nonUk: 0 });
  expect((await send('POST', '/api/emails/clean?preview=true')).json()).toMatchObject({ nonUk: 0 });
  const view = (await send('GET', '/api/emails/uk')).json();
  expect([view.contacts.uk, view.leftOut.uk]).toEqual([5, 0]);
  await choose('emailValidation', { allowedDomains: ['.co.uk'] });
  expect((await send('POST', '/api/emails/clean?preview=true')).json()).toMatchObject({ nonUk: 4 });
});

inEffect('import.batchSize', async () => {
  const pieces: number[] = [];
  const copy = new Writable({
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk.toString().split('\n').length - 1);
      done();
    },
  });
  const writer = new StagingWriter(
    copy,
    stagedColumns(mappingOf(['email']), { hasOptOuts: false, mends: false }),
    4,
  );
  const verdict = { local: 'a', domain: 'b.uk', address: null, state: 0 };
  const row = { part: 0, text: 'a@b.uk', fields: ['a@b.uk'], verdict };
  for (let line = 1; line <= 10; line++) writer.add({ line, ...row } as never);
  await writer.end();
  expect(pieces).toEqual([4, 4, 2]);
  // Even the smallest possible size does not change the result.
  await choose('import', { batchSize: 1 });
  expect((await importRows(['email', 'a@acme.co.uk', 'b@acme.co.uk'])).json()).toMatchObject({ imported: 2 });
});

inEffect('import.maxFileSize', async () => {
  const rows = ['email', ...Array.from({ length: 70_000 }, (_, n) => `someone${n}@acme.co.uk`)];
  await choose('import', { maxFileSize: 1 });
  const refused = await importRows(rows);
  expect(refused.statusCode).toBe(413);
  expect(refused.json().message).toContain('1 MB');
  await choose('import', { maxFileSize: 2 });
  expect((await importRows(rows)).json()).toMatchObject({ imported: 70_000 });
});

inEffect('import.timeoutSeconds', async () => {
  await choose('import', { timeoutSeconds: 1 });
  const answer = await importCsv(
    product.app,
    person.cookie,
    Buffer.concat([...dirtyRows({ rows: 400_000, seed: 9 })]),
  );
  expect(answer.json()).toMatchObject({ code: 'timeout' });
  expect(await addresses()).toEqual([]);
});

inEffect('import.allowedColumns', async () => {
  const row = ['email,name,source,phone', 'a@acme.co.uk,Ann,Leeds,0113'];
  await choose('import', { allowedColumns: ['email', 'name', 'phone'] });
  await importRows(row);
  expect((await contacts())[0]).toMatchObject({ name: 'Ann', source: null, attributes: { phone: '0113' } });
});

inEffect('export.defaultFormat', async () => {
  const type = async () => (await send('GET', '/api/emails/export')).headers['content-type'];
  expect(await type()).toBe('text/csv; charset=utf-8');
  await choose('export', { defaultFormat: 'json' });
  expect(await type()).toBe('application/json; charset=utf-8');
  await choose('export', { defaultFormat: 'xlsx' });
  expect(await type()).toContain('spreadsheetml');
});

inEffect('export.includeHeaders', async () => {
  await importRows(['email', 'a@acme.co.uk']);
  const firstLine = async () => (await send('GET', '/api/emails/export')).body.split('\n')[0];
  expect(await firstLine()).toBe('email,name,source,date,status,notes,created,first_name,last_name');
  await choose('export', { includeHeaders: false });
  expect(await firstLine()).toMatch(/^"a@acme.co.uk",/);
});

inEffect('export.maxRecordsPerFile', async () => {
  await importRows(['email', 'a@acme.co.uk', 'b@acme.co.uk', 'c@acme.co.uk']);
  await choose('export', { maxRecordsPerFile: 3 });
  expect((await send('GET', '/api/emails/export')).headers['content-type']).toBe('text/csv; charset=utf-8');
  await choose('export', { maxRecordsPerFile: 2 });
  const zip = await send('GET', '/api/emails/export');
  expect(zip.headers['content-type']).toBe('application/zip');
  expect(
    zip.rawPayload
      .toString('latin1')
      .match(/part-00\d\.csv/g)
      ?.at(-1),
  ).toBe('part-002.csv');
});

inEffect('retention.binDays', async () => {
  await choose('retention', { binDays: 3 });
  const remove = async (email: string, daysAgo: number) => {
    const { id } = (await send('POST', '/api/emails', { email })).json();
    const { removalId } = (await send('DELETE', `/api/emails/${id}`)).json();
    await tenant(sql`update removals set created_at = now() - make_interval(days => ${daysAgo}::int)
      where workspace_id = ${person.workspaceId} and id = ${removalId}`);
    return removalId;
  };
  const young = await remove('young@acme.co.uk', 2);
  const old = await remove('old@acme.co.uk', 4);
  const refused = await send('POST', `/api/removals/${old}/restore`);
  expect(refused.statusCode).toBe(410);
  expect(refused.json().message).toContain('3 days');
  await product.nightly();
  const kept = await tenant(
    sql`select local from removed_contacts where workspace_id = ${person.workspaceId}`,
  );
  expect(kept.rows).toEqual([{ local: 'young' }]);
  expect((await send('POST', `/api/removals/${young}/restore`)).json()).toMatchObject({ restored: 1 });
});

inEffect('retention.receiptDays', async () => {
  await choose('retention', { receiptDays: 10 });
  const old = (await importRows(['email', 'a@acme.co.uk', 'nonsense'])).json().id;
  const young = (await importRows(['email', 'b@acme.co.uk', 'nonsense'])).json().id;
  const receipt = (id: number) => send('GET', `/api/imports/${id}/receipt`);
  expect((await receipt(old)).statusCode).toBe(200);
  const { rows } = await tenant(sql`update imports set finished_at = now() - interval '11 days'
    where workspace_id = ${person.workspaceId} and id = ${old} returning receipt_key as key`);
  const path = join(product.dataDir, 'files', (rows[0] as { key: string }).key);
  expect(existsSync(path)).toBe(true);
  await product.nightly();
  expect(existsSync(path)).toBe(false);
  expect((await receipt(old)).statusCode).toBe(404);
  expect((await receipt(young)).statusCode).toBe(200);
});

inEffect('retention.uploadDays', async () => {
  await choose('retention', { uploadDays: 5 });
  const put = async (daysAgo: number) => {
    const { id } = (await importRows(['email', 'a@acme.co.uk'], { dryRun: true })).json();
    const { rows } = await tenant(sql`update imports
      set created_at = now() - make_interval(days => ${daysAgo}::int)
      where workspace_id = ${person.workspaceId} and id = ${id} returning file_key as key`);
    const path = join(product.dataDir, 'files', (rows[0] as { key: string }).key);
    return { id, path };
  };
  const young = await put(4);
  const old = await put(6);
  await product.nightly();
  expect([existsSync(young.path), existsSync(old.path)]).toEqual([true, false]);
  expect((await send('GET', `/api/imports/${young.id}`)).statusCode).toBe(200);
  expect((await send('GET', `/api/imports/${old.id}`)).statusCode).toBe(404);
});

inEffect('retention.activityDays', async () => {
  await choose('retention', { activityDays: 20 });
  await tenant(sql`insert into activities (workspace_id, action, details, status, icon, icon_color, created_at)
    select ${person.workspaceId}::bigint, 'Test', age || ' days', 'completed', 'x', 'primary', now() - make_interval(days => age)
    from unnest(array[19, 21]) age`);
  await product.nightly();
  const shown = (await send('GET', '/api/activities')).json();
  expect(shown.map((line: { details: string }) => line.details)).toContain('19 days');
  expect(shown.map((line: { details: string }) => line.details)).not.toContain('21 days');
});

/** The sender is stored and checked. It will be used once the product can send. */

it('there is no setting without effect', () => {
  const names = Object.entries(settings.shape)
    .filter(([section]) => section !== 'sender')
    .flatMap(([section, { shape }]) => Object.keys(shape).map((name) => `${section}.${name}`));
  expect([...proven].toSorted()).toEqual(names.toSorted());
});
