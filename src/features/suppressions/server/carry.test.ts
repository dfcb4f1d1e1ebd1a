import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { lockDomains } from '#features/rollups/server/rollup-queries.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { recogniseContacts, selectNewest } from './lists/batch-queries.ts';

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
afterEach(async () => {
  expect(await product.database.asTenant(me.workspaceId, (tx) => checkBooks(tx, me.workspaceId))).toEqual([]);
});

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { cookie: me.cookie };
  const answer = await product.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  expect([200, 201], answer.body).toContain(answer.statusCode);
  return answer.json();
}
const hashOf = (kind: string, address: string) => createHash(kind).update(address).digest('hex');

async function importHashes(kind: string, addresses: string[]): Promise<void> {
  const lines = addresses.map((address) => hashOf(kind, address)).join('\n');
  const { payload, headers } = formOf([
    ['reason', 'unsubscribed'],
    ['file', lines, 'list.csv'],
  ]);
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/suppressions/import',
    headers: { ...headers, cookie: me.cookie },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

async function fill(addresses: string[]): Promise<void> {
  const options = { filterNonUk: false, checkSuppressions: false };
  const answer = await importCsv(product.app, me.cookie, `email\n${addresses.join('\n')}\n`, { options });
  expect(answer.statusCode, answer.body).toBe(200);
  await call('POST', '/api/verifications');
}
const statuses = async () => {
  const { emails } = await call('GET', '/api/emails?order=asc&limit=100');
  return Object.fromEntries(
    emails.map(({ address, status }: { address: string; status: string }) => [address, status]),
  );
};
const gmial = { pattern: { from: 'gmial.com', to: 'gmail.com' } };

describe.each(['md5', 'sha1', 'sha256'])('a list of %s hashes', (kind) => {
  it('recognises whoever gets an address of it by a correction', async () => {
    await importHashes(kind, ['jo@gmail.com']);
    await fill(['jo@gmial.com', 'ann@gmial.com']);
    expect(await statuses()).toEqual({ 'ann@gmial.com': 'active', 'jo@gmial.com': 'active' });
    const offered = await call('GET', '/api/review/corrections/contacts?from=gmial.com&to=gmail.com');
    expect(
      offered.items.map((item: { after: string; isSuppressed: boolean }) => [item.after, item.isSuppressed]),
    ).toEqual([
      ['ann@gmail.com', false],
      ['jo@gmail.com', true],
    ]);
    const accepted = await call('POST', '/api/review/corrections/accept', gmial);
    expect(accepted).toMatchObject({ corrected: 2, suppressed: 1 });
    expect(await statuses()).toEqual({ 'ann@gmail.com': 'active', 'jo@gmail.com': 'suppressed' });
    expect((await call('GET', '/api/suppressions/summary')).emails).toEqual({ unsubscribed: 1 });
  });

  it('recognises whoever gets an address of it back when a correction is undone', async () => {
    await fill(['jo@gmial.com', 'ann@gmial.com']);
    const { correctionId } = await call('POST', '/api/review/corrections/accept', gmial);
    await importHashes(kind, ['jo@gmial.com']);
    expect(await statuses()).toEqual({ 'ann@gmail.com': 'active', 'jo@gmail.com': 'active' });
    await call('POST', `/api/corrections/${correctionId}/undo`);
    expect(await statuses()).toEqual({ 'ann@gmial.com': 'active', 'jo@gmial.com': 'suppressed' });
  });
});

it('somebody who left by one address is not forgotten where the other was suppressed by hand', async () => {
  await fill(['jo@gmial.com', 'j.o@acme.co.uk', 'ann@shop.co.uk']);
  const { emails } = await call('GET', '/api/emails?order=asc');
  const idOf = (address: string) => emails.find((one: { address: string }) => one.address === address).id;
  const put = (email: string, reason: string) =>
    call('POST', '/api/suppressions/email/manual', { email, reason });
  await put('jo@gmial.com', 'unsubscribed');
  await put('ann@shop.co.uk', 'complained');
  await put('j.o@acme.co.uk', 'bounced');
  await call('POST', '/api/review/duplicates/merge', {
    keepId: idOf('j.o@acme.co.uk'),
    otherIds: [idOf('jo@gmial.com'), idOf('ann@shop.co.uk')],
  });
  const { items } = await call('GET', '/api/suppressions/emails?search=j.o@acme');
  expect(items).toMatchObject([
    { reason: 'complained', note: 'Carried over from another address. On the list before: bounced' },
  ]);
  expect((await call('GET', '/api/suppressions/summary')).emails).toEqual({ unsubscribed: 1, complained: 2 });
});

it('whoever gets another address does not get the bounce of the old one, unless it is the same mailbox', async () => {
  await fill(['jo@gmial.com', 'ann@gmial.com', 'a.b.smith@gmail.com', 'absmith+news@googlemail.com']);
  const put = (email: string) => call('POST', '/api/suppressions/email/manual', { email, reason: 'bounced' });
  await put('jo@gmial.com');
  await put('absmith+news@googlemail.com');
  const offered = await call('GET', '/api/review/corrections/contacts?from=gmial.com&to=gmail.com');
  expect(offered.items.map((item: { isSuppressed: boolean }) => item.isSuppressed)).toEqual([false, false]);
  const accepted = await call('POST', '/api/review/corrections/accept', gmial);
  expect(accepted).toMatchObject({ corrected: 2, suppressed: 0 });
  const [{ contacts }] = (await call('GET', '/api/review/duplicates')).items;
  const [keepId, otherId] = ['a.b.smith@gmail.com', 'absmith+news@googlemail.com'].map(
    (address) => contacts.find((one: { address: string }) => one.address === address).id,
  );
  await call('POST', '/api/review/duplicates/merge', { keepId, otherIds: [otherId] });
  expect(await statuses()).toEqual({
    ...{ 'ann@gmail.com': 'active', 'jo@gmail.com': 'active' },
    'a.b.smith@gmail.com': 'suppressed',
  });
});

it('whoever leaves a blocked domain stays suppressed, also where the old address bounced', async () => {
  await fill(['jo@gmial.com']);
  await call('POST', '/api/suppressions/email/manual', { email: 'jo@gmial.com', reason: 'bounced' });
  await call('POST', '/api/suppressions/domain', { domain: 'gmial.com' });
  await call('POST', '/api/review/corrections/accept', gmial);
  expect(await statuses()).toEqual({ 'jo@gmail.com': 'suppressed' });
  expect((await call('GET', '/api/suppressions/summary')).emails).toEqual({ bounced: 1, manual: 1 });
});

/** A hashed list with one address, not committed yet, after its first look. */
async function beginHashes(tx: TenantTx, address: string) {
  const { workspaceId, email } = me;
  const { rows } = await sql<{ id: number }>`
    insert into suppression_batches (workspace_id, source, reason) values (${workspaceId}, 'file', 'unsubscribed')
    returning id`.execute(tx);
  const source = { batchId: rows[0]?.id as number, createdBy: email };
  await sql`
    insert into suppression_hashes (workspace_id, kind, hash, reason, batch_id)
    values (${workspaceId}, 'sha256', decode(${hashOf('sha256', address)}, 'hex'), 'unsubscribed', ${source.batchId})`.execute(
    tx,
  );
  const newest = await selectNewest(tx, workspaceId);
  expect(await recogniseContacts(tx, workspaceId, 'sha256', source)).toEqual([]);
  return { source, newest };
}

it('a hashed list that comes in while an address is changed still recognises it', async () => {
  await fill(['jo@gmial.com', 'ann@gmial.com']);
  const { workspaceId } = me;
  await product.database.asTenant(workspaceId, async (tx) => {
    const { source, newest } = await beginHashes(tx, 'jo@gmail.com');
    // Between the two looks, by somebody who cannot see this list yet.
    expect(await call('POST', '/api/review/corrections/accept', gmial)).toMatchObject({ suppressed: 0 });
    await lockDomains(tx, workspaceId, 'exclusive');
    expect(await recogniseContacts(tx, workspaceId, 'sha256', source, newest)).toEqual([
      { part: 'unsubscribed', entries: 1 },
    ]);
    await sql`delete from suppressions where workspace_id = ${workspaceId}`.execute(tx);
  });
});

it('a hashed list that comes in while somebody is put on the list by hand still tells why', async () => {
  const { workspaceId } = me;
  await product.database.asTenant(workspaceId, async (tx) => {
    const { source, newest } = await beginHashes(tx, 'jo@gmail.com');
    const own = { email: 'jo@gmail.com', reason: 'manual' };
    expect(await call('POST', '/api/suppressions/email/manual', own)).toMatchObject({ reason: 'manual' });
    expect(await recogniseContacts(tx, workspaceId, 'sha256', source, newest)).toEqual([
      { part: 'manual', entries: -1 },
      { part: 'unsubscribed', entries: 1 },
    ]);
    await sql`delete from suppressions where workspace_id = ${workspaceId}`.execute(tx);
  });
});

it('a hashed list that comes in while somebody is put back on the list still tells why', async () => {
  const { workspaceId } = me;
  const own = { email: 'jo@gmail.com', reason: 'manual' };
  const { id } = await call('POST', '/api/suppressions/email/manual', own);
  const { liftingId } = await call('DELETE', `/api/suppressions/email/${id}`, { reason: 'a slip' });
  await call('POST', '/api/suppressions/email/manual', { ...own, email: 'ann@gmail.com' });
  await product.database.asTenant(workspaceId, async (tx) => {
    const { source, newest } = await beginHashes(tx, 'jo@gmail.com');
    // It comes back under its old number, which is below the newest.
    expect(await call('POST', `/api/suppressions/liftings/${liftingId}/undo`)).toEqual({ restored: 1 });
    await lockDomains(tx, workspaceId, 'exclusive');
    expect(await recogniseContacts(tx, workspaceId, 'sha256', source, newest)).toEqual([
      { part: 'manual', entries: -1 },
      { part: 'unsubscribed', entries: 1 },
    ]);
    await sql`delete from suppressions where workspace_id = ${workspaceId}`.execute(tx);
  });
});

it.each(['an import', 'hand'])(
  'a hashed list recognises whoever %s brings meanwhile under an older number',
  async (how) => {
    const { workspaceId } = me;
    const before = Promise.withResolvers<void>();
    const after = Promise.withResolvers<void>();
    onTestFinished(() => after.resolve());
    const importId = await product.database.asTenant(workspaceId, async (tx) => {
      if (how === 'hand') return null;
      const { rows } = await sql<{ id: number }>`
      insert into imports (workspace_id, file_name, status, options, first_contact_id)
      values (${workspaceId}, 'a.csv', 'processing', '{}', nextval('contacts_id_seq')) returning id`.execute(
        tx,
      );
      return rows[0]?.id;
    });
    const coming = product.database.asTenant(workspaceId, async (tx) => {
      await sql`
      insert into contacts (workspace_id, local, domain, import_id)
      values (${workspaceId}, 'jo', 'gmail.com', ${importId}::bigint)`.execute(tx);
      before.resolve();
      await after.promise;
    });
    await before.promise;
    await call('POST', '/api/emails', { email: 'ann@gmail.com' });
    await product.database.asTenant(workspaceId, async (tx) => {
      const { source, newest } = await beginHashes(tx, 'jo@gmail.com');
      after.resolve();
      await coming;
      await lockDomains(tx, workspaceId, 'exclusive');
      expect(await recogniseContacts(tx, workspaceId, 'sha256', source, newest)).toEqual([
        { part: 'unsubscribed', entries: 1 },
      ]);
      await sql`delete from suppressions where workspace_id = ${workspaceId}`.execute(tx);
      await sql`delete from contacts where workspace_id = ${workspaceId} and local = 'jo'`.execute(tx);
    });
  },
);

it('whoever is merged with somebody a hashed list has is suppressed', async () => {
  await importHashes('sha256', ['absmith+news@googlemail.com']);
  await fill(['a.b.smith@gmail.com', 'absmith+news@googlemail.com']);
  const [{ contacts }] = (await call('GET', '/api/review/duplicates')).items;
  const keep = contacts.find((one: { address: string }) => one.address === 'a.b.smith@gmail.com');
  const other = contacts.find((one: { id: number }) => one.id !== keep.id);
  expect(keep.status).toBe('active');
  await call('POST', '/api/review/duplicates/merge', { keepId: keep.id, otherIds: [other.id] });
  expect(await statuses()).toEqual({ 'a.b.smith@gmail.com': 'suppressed' });
});
