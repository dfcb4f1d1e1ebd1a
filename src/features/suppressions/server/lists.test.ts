import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkBooks, holdFigures } from '#features/rollups/server/index.ts';
import { figuresLock } from '#features/rollups/server/locks.ts';
import { openFileStore } from '#platform/server/files.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { forgetReceipts } from './lists/forget-receipts.ts';
import { endAbandoned } from './lists/routes.ts';

let product: TestApp;
let me: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
});
afterAll(() => product.close());
beforeEach(async () => {
  me = await signUp(product.app);
});

const get = async (url: string, who = me) => product.app.inject({ url, headers: { cookie: who.cookie } });
const json = async (url: string) => (await get(url)).json();
const call = (method: 'POST' | 'DELETE', url: string, payload: object) =>
  product.app.inject({ method, url, headers: { cookie: me.cookie }, payload });

function importList(text: string, form: { name?: string; reason?: string; form?: string } = {}, who = me) {
  const fields: Parameters<typeof formOf>[0] = [];
  if (form.reason) fields.push(['reason', form.reason]);
  if (form.form) fields.push(['form', form.form]);
  fields.push(['file', text, form.name ?? 'list.csv']);
  const { payload, headers } = formOf(fields);
  return product.app.inject({
    method: 'POST',
    url: '/api/suppressions/import',
    headers: { ...headers, cookie: who.cookie },
    payload,
  });
}
const contacts = (addresses: string[], options = {}) =>
  importCsv(product.app, me.cookie, `email\n${addresses.join('\n')}\n`, {
    options: { filterNonUk: false, ...options },
  });
const statusOf = async (address: string) =>
  (await json(`/api/emails?search=${encodeURIComponent(address)}`)).emails[0]?.status;
const books = () => product.database.asTenant(me.workspaceId, (tx) => checkBooks(tx, me.workspaceId));
const hashOf = (kind: string, address: string) => createHash(kind).update(address).digest('hex');

describe('a form that is not right', () => {
  const send = (fields: Parameters<typeof formOf>[0]) => {
    const { payload, headers } = formOf(fields);
    const url = '/api/suppressions/import';
    return product.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, cookie: me.cookie },
      payload,
    });
  };

  it.each([
    [
      'two files',
      [
        ['file', 'a@b.uk\n', 'a.txt'],
        ['file', 'c@d.uk\n', 'b.txt'],
      ],
      'more than one file',
    ],
    [
      'a reason after the file',
      [
        ['file', 'a@b.uk\n', 'a.txt'],
        ['reason', 'bounced'],
      ],
      'before the file',
    ],
    ['no file', [['reason', 'bounced']], 'Choose a file'],
  ] as [string, Parameters<typeof formOf>[0], string][])(
    'with %s adds nobody',
    async (_, fields, message) => {
      const answer = await send(fields);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().message).toContain(message);
      expect((await json('/api/suppressions/summary')).emails).toEqual({});
      const { items } = await json('/api/suppressions/imports');
      for (const item of items) expect(item).toMatchObject({ status: 'failed' });
    },
  );

  it('whose process died while it arrived is ended at night', async () => {
    await importList('a@b.uk\n');
    await sql`
      update suppression_batches set status = 'processing', file_key = null, finished_at = null,
        created_at = now() - interval '3 hours' where workspace_id = ${me.workspaceId}`.execute(
      product.owner.system,
    );
    const { database: db } = product;
    const files = openFileStore(join(product.dataDir, 'files'));
    expect(await endAbandoned({ db, files }, me.workspaceId)).toBe(1);
    expect(await endAbandoned({ db, files }, me.workspaceId)).toBe(0);
    const { items } = await json('/api/suppressions/imports');
    expect(items).toMatchObject([{ status: 'failed', error: expect.stringContaining('cut off') }]);
  });
});

it('the lines that could not be read are kept as long as receipts are, and not longer', async () => {
  await importList('ann@acme.co.uk\nnonsense\n');
  const { database: db } = product;
  const { workspaceId } = me;
  const files = openFileStore(join(product.dataDir, 'files'));
  const [{ id }] = (await json('/api/suppressions/imports')).items;
  const receipt = () => get(`/api/suppressions/imports/${id}/receipt`);
  const ended = (days: number) =>
    sql`
      update suppression_batches set finished_at = now() - make_interval(days => ${days}::int)
      where workspace_id = ${workspaceId}`.execute(product.owner.system);
  await ended(364);
  await forgetReceipts({ db, files }, workspaceId);
  expect((await receipt()).body).toContain('nonsense');
  await ended(366);
  await forgetReceipts({ db, files }, workspaceId);
  expect((await receipt()).statusCode).toBe(404);
  expect((await json('/api/suppressions/imports')).items).toMatchObject([{ id, hasReceipt: false }]);
  expect(await files.list(`suppressions/${workspaceId}`)).toEqual([]);
});

describe('importing a list', () => {
  it('goes on when its sender hangs up, and its record says so', async () => {
    const url = await product.app.listen({ port: 0, host: '127.0.0.1' });
    const lines = Array.from({ length: 150_000 }, (_, n) => `left${n}@gone${n % 500}.co.uk`);
    const { payload, headers } = formOf([['file', `${lines.join('\n')}\n`, 'long.txt']]);
    const sender = new AbortController();
    const sent = fetch(`${url}/api/suppressions/import`, {
      method: 'POST',
      headers: { ...headers, cookie: me.cookie, origin: url },
      body: payload,
      signal: sender.signal,
    });
    const task = async () => (await json('/api/tasks')).items[0];
    await vi.waitFor(async () => expect(await task()).toMatchObject({ status: 'running' }), 60_000);
    sender.abort();
    await expect(sent).rejects.toThrow();
    await vi.waitFor(async () => expect(await task()).toMatchObject({ status: 'completed' }), 60_000);
    const { items } = await json('/api/suppressions/imports');
    expect(items[0]).toMatchObject({ status: 'completed', error: null });
    expect((await json('/api/suppressions/summary')).emails).toEqual({ imported: 150_000 });
  });

  it('takes addresses and domains, counts every line once, and says which it could not read', async () => {
    await contacts(['ann@acme.co.uk', 'bob@shop.uk', 'cat@shop.uk', 'dan@mail.firm.uk']);
    await call('POST', '/api/suppressions/email/manual', { email: 'bob@shop.uk' });
    const list =
      'ANN@acme.co.uk\nbob@shop.uk\n\nann@acme.co.uk\n@Firm.uk\nnobody@else.uk\nnonsense\n@co.uk\n';
    const answer = await importList(list, { name: 'do not mail.txt', reason: 'unsubscribed' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      lines: 7,
      added: 2,
      alreadyThere: 2,
      invalid: 2,
      domains: 1,
      hashes: 0,
      recognised: 0,
    });
    expect(await statusOf('ann@acme.co.uk')).toBe('suppressed');
    expect(await statusOf('dan@mail.firm.uk')).toBe('suppressed');
    expect(await statusOf('cat@shop.uk')).toBe('active');
    expect(await json('/api/suppressions/summary')).toEqual({
      emails: { unsubscribed: 3 },
      domains: { imported: 1 },
      hashes: {},
    });
    expect((await json('/api/suppressions/emails?search=bob@shop.uk')).items[0].note).toBe(
      'On the list before: manual',
    );
    expect(await books()).toEqual([]);
    const { items } = await json('/api/suppressions/imports');
    expect(items).toMatchObject([
      { fileName: 'do not mail.txt', reason: 'unsubscribed', status: 'completed', hasReceipt: true },
    ]);
    const receipt = await get(`/api/suppressions/imports/${items[0].id}/receipt`);
    expect(receipt.body).toMatch(/^line,reason,original\r\n7,.*no @ sign.*,nonsense\r\n8,.*,'@co.uk\r\n$/);
    expect(
      (await get(`/api/suppressions/imports/${items[0].id}/receipt`, await signUp(product.app))).statusCode,
    ).toBe(404);
    // The same list again changes nothing.
    expect((await importList(list)).json()).toMatchObject({
      added: 0,
      domains: 0,
      alreadyThere: 5,
      invalid: 2,
    });
    expect(await books()).toEqual([]);
  });

  it('refuses what is no list, keeps a record of it, and changes nothing', async () => {
    const answer = await importList('PK\u0003\u0004 a workbook', { name: 'list.xlsx' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(/ZIP|archive/);
    expect((await json('/api/suppressions/imports')).items).toMatchObject([
      { status: 'failed', hasReceipt: false },
    ]);
    expect((await importList('a@b.uk\n', { reason: 'erased' })).statusCode).toBe(400);
    const viewer = await signUpMember(product.app, product.database, {
      workspaceId: me.workspaceId,
      role: 'viewer',
    });
    expect((await importList('a@b.uk\n', {}, viewer)).statusCode).toBe(403);
    expect((await json('/api/suppressions/emails')).totalCount).toBe(0);
  });

  it('works in the background for those who would not wait', async () => {
    const { payload, headers } = formOf([['file', 'ann@acme.co.uk\n', 'list.csv']]);
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/suppressions/import',
      headers: { ...headers, cookie: me.cookie, prefer: 'respond-async' },
      payload,
    });
    expect(answer.statusCode).toBe(202);
    await product.tasks.finished(me.workspaceId, answer.json().taskId);
    expect((await json('/api/suppressions/emails')).items).toMatchObject([
      { email: 'ann@acme.co.uk', reason: 'imported' },
    ]);
  });
});

describe.each(['md5', 'sha1', 'sha256'])('a list of %s hashes', (kind) => {
  it('finds the contacts it is about, and keeps out whoever comes later', { timeout: 90_000 }, async () => {
    await contacts(['ann@acme.co.uk', 'bob@shop.uk']);
    const header = `${kind},reason,date`;
    const list = [
      header,
      `${hashOf(kind, 'ann@acme.co.uk')},complained,2024-05-06`,
      `${hashOf(kind, 'later@shop.uk').toUpperCase()},,`,
      `${hashOf(kind, 'forced@shop.uk')},,`,
      `${hashOf(kind, 'byhand@shop.uk')},,`,
      'not a hash at all,,',
    ].join('\n');
    expect((await importList(list, { form: kind })).json()).toMatchObject({
      lines: 5,
      added: 4,
      hashes: 4,
      recognised: 1,
      invalid: 1,
      alreadyThere: 0,
    });
    const { items } = await json('/api/suppressions/emails');
    expect(items).toMatchObject([
      {
        email: 'ann@acme.co.uk',
        reason: 'complained',
        createdAt: '2024-05-06T00:00:00.000Z',
        affectedCount: 1,
      },
    ]);
    expect(await statusOf('ann@acme.co.uk')).toBe('suppressed');
    expect(await statusOf('bob@shop.uk')).toBe('active');
    expect(await books()).toEqual([]);

    // An import leaves them out, and says why.
    const imported = (await contacts(['later@shop.uk', 'eve@shop.uk'])).json();
    expect(imported).toMatchObject({ imported: 1, suppressed: 1 });
    expect((await get(`/api/imports/${imported.id}/receipt`)).body).toMatch(
      /suppressed,[^\n]*,later@shop.uk/,
    );
    // With the check off they come in, and are shown as suppressed.
    expect((await contacts(['forced@shop.uk'], { checkSuppressions: false })).json()).toMatchObject({
      imported: 1,
    });
    expect(await statusOf('forced@shop.uk')).toBe('suppressed');
    expect(await books()).toEqual([]);
    const byHand = { email: 'byhand@shop.uk', checkSuppressions: true };
    expect((await call('POST', '/api/emails', byHand)).statusCode).toBe(409);
    expect((await call('POST', '/api/emails', { ...byHand, checkSuppressions: false })).statusCode).toBe(201);
    expect(await statusOf('byhand@shop.uk')).toBe('suppressed');
    expect(await books()).toEqual([]);

    // A lifted address is off the hashed list too.
    const entry = (await json('/api/suppressions/emails?search=forced')).items[0];
    await call('DELETE', `/api/suppressions/email/${entry.id}`, { reason: 'asked to be mailed again' });
    expect(await statusOf('forced@shop.uk')).toBe('active');
    expect((await json('/api/suppressions/summary')).hashes).toEqual({ [kind]: 3 });
    expect(await books()).toEqual([]);
  });
});

describe('exporting a list', () => {
  it('gives addresses with reason, date and note, safe in a spreadsheet, that come back as they were', async () => {
    for (const [email, reason, note] of [
      ['=cmd@acme.co.uk', 'complained', '=HYPERLINK("http://x")'],
      ['ann@acme.co.uk', 'unsubscribed', 'two\nlines; and "quotes"'],
      ['bob@acme.co.uk', 'bounced', null],
    ]) {
      await call('POST', '/api/suppressions/email/manual', { email: String(email), reason, note });
    }
    await call('POST', '/api/suppressions/domain', { domain: 'shop.uk', note: 'a competitor' });
    const exported = await get('/api/suppressions/export');
    expect(exported.headers['content-disposition']).toMatch(/suppressed-emails-\d{4}-\d\d-\d\d\.csv/);
    expect(exported.body).toMatch(/^email,reason,date,note\n'=cmd@acme\.co\.uk,complained,/);
    expect(exported.body).toContain(`"'=HYPERLINK(""http://x"")"`);
    const domains = await get('/api/suppressions/export?kind=domains');
    const hashed = await get('/api/suppressions/export?form=sha256');
    expect(hashed.body.split('\n')).toContainEqual(
      expect.stringContaining(`${hashOf('sha256', 'ann@acme.co.uk')},unsubscribed,`),
    );
    const shown = async () => ({
      emails: (await json('/api/suppressions/emails')).items,
      domains: (await json('/api/suppressions/domains')).items,
    });
    const bare = ({ id, createdBy, createdAt, ...rest }: Record<string, string>) => ({
      ...rest,
      at: createdAt?.slice(0, 19),
    });
    const before = await shown();

    me = await signUp(product.app);
    expect((await importList(exported.body, { reason: 'manual' })).json()).toMatchObject({
      added: 3,
      invalid: 0,
    });
    expect((await importList(domains.body, { reason: 'manual' })).json()).toMatchObject({
      domains: 1,
      invalid: 0,
    });
    const after = await shown();
    const byName = (a: { email: string }, b: { email: string }) => (a.email < b.email ? -1 : 1);
    expect(after.emails.map(bare).sort(byName)).toEqual(before.emails.map(bare).sort(byName));
    expect(after.domains.map(bare)).toEqual(before.domains.map(bare));

    // Hashes that came in go out as hashes, together with the plain entries.
    me = await signUp(product.app);
    await importList(hashed.body);
    await call('POST', '/api/suppressions/email/manual', { email: 'new@acme.co.uk' });
    const again = (await get('/api/suppressions/export?form=sha256')).body.split('\n').slice(1, -1).sort();
    const own = hashed.body.split('\n').slice(1, -1);
    expect(again).toHaveLength(4);
    for (const line of own) expect(again).toContain(line);
  });
});

it('a list and a file that both suppress the same address wait for each other one way round only', async () => {
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_locks
      where locktype = 'advisory' and not granted and classid = ${figuresLock.number}`.execute(
      product.owner.system,
    );
    return rows[0]?.count ?? 0;
  };
  const isAskedToWait = async () => {
    const { rows } = await sql`
      select from tasks where workspace_id = ${me.workspaceId} and phase = 'Waiting for another list'`.execute(
      product.owner.system,
    );
    return rows.length > 0;
  };
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const somebody = product.database.asTenant(me.workspaceId, async (tx) => {
    await holdFigures(tx, me.workspaceId);
    held.resolve();
    await free.promise;
  });
  await held.promise;
  let file: ReturnType<typeof importCsv>;
  let list: ReturnType<typeof importList>;
  try {
    // Without an order between them, the list would now add its entry and want the figures after
    // the file, which then waits for that entry.
    file = importCsv(product.app, me.cookie, 'email,Unsubscribed\njo@acme.co.uk,yes\nal@acme.co.uk,no\n');
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 30_000, interval: 50 });
    list = importList('email\njo@acme.co.uk\npat@acme.co.uk\n');
    await vi.waitFor(async () => expect(await isAskedToWait()).toBe(true), {
      timeout: 30_000,
      interval: 50,
    });
  } finally {
    free.resolve();
    await somebody;
  }
  expect((await file).json()).toMatchObject({ imported: 1, suppressed: 1, newlySuppressed: 1 });
  expect((await list).json()).toMatchObject({ added: 1, alreadyThere: 1 });
  expect(await books()).toEqual([]);
});
