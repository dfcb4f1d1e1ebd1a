import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { takeSlot } from '#features/imports/server/staging-queries.ts';
import { figuresLock } from '#features/rollups/server/locks.ts';
import { tenantStatement } from '#platform/server/database.ts';
import { type LockMode, lockStatement } from '#platform/server/locks.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// What people may do while an import is running.

let test: TestApp;
/** Whose workspace is the first. */
let first: SignedIn;
let owner: SignedIn;
let engine: pg.Client;

beforeAll(async () => {
  test = await openTestApp();
  first = await signUp(test.app);
  engine = new pg.Client({ connectionString: test.appUrl, application_name: 'email-manager import 7' });
  await engine.connect();
});
beforeEach(async () => {
  owner = await signUp(test.app);
});
afterAll(async () => {
  await engine.end();
  await test.close();
});

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const began = performance.now();
  const answer = await test.app.inject({
    method,
    url,
    headers: { cookie: owner.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json(), ms: performance.now() - began };
}
const add = async (email: string) => (await call('POST', '/api/emails', { email })).body.id as number;

it('a contact is deleted while an import holds the slot with the number of the workspace', async () => {
  owner = first;
  expect(owner.workspaceId).toBe(1);
  const id = await add('ann@acme.co.uk');
  expect(await takeSlot(engine)).toBe(1);
  expect((await call('DELETE', `/api/emails/${id}`)).status).toBe(200);
});

const post = async (url: string, payload: object) => (await call('POST', url, payload)).body;
const entry = async (email: string) => (await post('/api/suppressions/email/manual', { email })).id as number;
const blocked = async (domain: string) => (await post('/api/suppressions/domain', { domain })).id as number;
const lifted = async (email: string) =>
  (await call('DELETE', '/api/suppressions/emails', { ids: [await entry(email)] })).body.liftingId as number;
/** A contact whose address is probably mistyped, as verification has found. */
async function mistyped(email: string): Promise<number> {
  const id = await add(email);
  await post('/api/verifications', { ids: [id] });
  return id;
}
const corrected = async (email: string) =>
  (await post('/api/review/corrections/accept', { ids: [await mistyped(email)] })).correctionId as number;
const twoOf = async (name: string) => ({
  keepId: await add(`${name}@gmail.com`),
  otherIds: [await add(`${name}@googlemail.com`)],
});
const merged = async (name: string) =>
  (await post('/api/review/duplicates/merge', await twoOf(name))).mergeId as number;

/** The last: how others hold the lock. Whoever only adds contacts waits for `exclusive` alone. */
type Call = ['POST' | 'DELETE', string, object, LockMode?];

it.each<[string, () => Promise<Call>]>([
  [
    'putting an address on it',
    async () => ['POST', '/api/suppressions/email/manual', { email: 'bob@acme.co.uk' }],
  ],
  [
    'putting a contact on it',
    async () => ['POST', '/api/suppressions/email', { emailId: await add('cara@acme.co.uk') }],
  ],
  [
    'putting contacts on it',
    async () => ['POST', '/api/suppressions/emails', { ids: [await add('dan@acme.co.uk')] }],
  ],
  ['putting a domain on it', async () => ['POST', '/api/suppressions/domain', { domain: 'acme.co.uk' }]],
  [
    'lifting an address',
    async () => ['DELETE', `/api/suppressions/email/${await entry('eve@acme.co.uk')}`, {}],
  ],
  ['lifting a domain', async () => ['DELETE', `/api/suppressions/domain/${await blocked('eve.co.uk')}`, {}]],
  [
    'lifting addresses',
    async () => ['DELETE', '/api/suppressions/emails', { ids: [await entry('fay@acme.co.uk')] }],
  ],
  [
    'lifting domains',
    async () => ['DELETE', '/api/suppressions/domains', { ids: [await blocked('fay.co.uk')] }],
  ],
  [
    'undoing a lifting',
    async () => ['POST', `/api/suppressions/liftings/${await lifted('gus@acme.co.uk')}/undo`, {}],
  ],
  [
    'correcting an address',
    async () => ['POST', '/api/review/corrections/accept', { ids: [await mistyped('hal@gmial.com')] }],
  ],
  [
    'undoing a correction',
    async () => ['POST', `/api/corrections/${await corrected('ida@gmial.com')}/undo`, {}],
  ],
  ['merging contacts', async () => ['POST', '/api/review/duplicates/merge', await twoOf('jan')]],
  ['undoing a merge', async () => ['POST', `/api/merges/${await merged('kim')}/undo`, {}, 'exclusive']],
])('%s waits a second at most for the suppression list, and says for what', async (_what, prepare) => {
  const [method, url, body, mode = 'shared'] = await prepare();
  await engine.query('begin');
  await engine.query(lockStatement(figuresLock, owner.workspaceId, mode));
  const waited = await call(method, url, body);
  await engine.query('rollback');
  expect(waited).toMatchObject({
    status: 409,
    body: { message: 'An import is changing the database just now. Try again in a moment.' },
  });
  expect((await call(method, url, body)).status).toBeLessThan(300);
  // The machine may be busy. The wait itself is 0.8 s.
  expect(waited.ms).toBeLessThan(5_000);
});

const begin = () => engine.query(`begin; ${tenantStatement(owner.workspaceId)}`);

/**
 * A call meets what the engine has not committed yet; then the engine wants what the call holds. If
 * the call waited on, PostgreSQL would end the work of minutes, because it finds the circle a
 * second after the last wait has begun.
 */
async function meet(waits: ReturnType<typeof call>, wanted: string): Promise<void> {
  try {
    await Promise.race([waits, sleep(1_500)]);
    await engine.query(wanted);
    expect(await waits).toMatchObject({ status: 409 });
  } finally {
    await engine.query('rollback');
  }
}

it.each([
  [
    'an entry of a list that comes in',
    `insert into suppressions (workspace_id, local, domain, reason) values ($1, 'leo', 'acme.co.uk', 'manual')`,
  ],
  [
    'a new domain of an import',
    `insert into contact_domains (workspace_id, domain, valid) values ($1, 'acme.co.uk', 1)`,
  ],
])('somebody on a hashed list is added by hand, and meets %s', async (_what, held) => {
  const hash = createHash('sha256').update('leo@acme.co.uk').digest();
  await begin();
  await engine.query(
    `insert into suppression_hashes (workspace_id, kind, hash, reason) values ($1, 'sha256', $2, 'unsubscribed')`,
    [owner.workspaceId, hash],
  );
  await engine.query('commit');
  await begin();
  await engine.query(held, [owner.workspaceId]);
  const adding = call('POST', '/api/emails', { email: 'leo@acme.co.uk', checkSuppressions: false });
  await meet(adding, lockStatement(figuresLock, owner.workspaceId));
});

it('contacts are deleted while another waits for a list that an import adds to', async () => {
  const list = (await post('/api/lists', { name: 'Spring fair' })).id as number;
  const [onList, onNone] = [await add('nia@acme.co.uk'), await add('ole@acme.co.uk')];
  await begin();
  await engine.query('select from lists where workspace_id = $1 and id = $2 for no key update', [
    owner.workspaceId,
    list,
  ]);
  let isAdded = false;
  const adding = call('POST', `/api/lists/${list}/contacts`, { ids: [onList] }).finally(() => {
    isAdded = true;
  });
  try {
    // It holds the removals by now, and waits for the list.
    await sleep(300);
    expect((await call('DELETE', `/api/emails/${onNone}`)).status).toBe(200);
    expect(isAdded).toBe(false);
  } finally {
    await engine.query('rollback');
  }
  expect(await adding).toMatchObject({ status: 200, body: { added: 1 } });
});

it('a row of an import is corrected, and meets the same address in another import', async () => {
  const basis = { basis: 'consent', source: 'Spring fair' };
  const file = await importCsv(test.app, owner.cookie, 'email\nmia@\n', { options: { basis } });
  expect(file.statusCode, file.body).toBe(200);
  await begin();
  await engine.query(`insert into contacts (workspace_id, local, domain) values ($1, 'mia', 'acme.co.uk')`, [
    owner.workspaceId,
  ]);
  const url = `/api/imports/${file.json().id}/rejected/correct`;
  const wantsBases = `
    insert into basis_counts (workspace_id) values (${owner.workspaceId})
    on conflict (workspace_id) do update set workspace_id = excluded.workspace_id`;
  await meet(call('POST', url, { line: 2, email: 'mia@acme.co.uk' }), wantsBases);
  expect((await call('POST', url, { line: 2, email: 'mia@acme.co.uk' })).status).toBe(200);
});

it('a file waits for a deletion that fails, and says of the contact what it has to say', async () => {
  const [id, other] = [await add('pia@acme.co.uk'), await add('quin@acme.co.uk')];
  const listId = (await post('/api/lists', { name: 'Spring fair' })).id as number;
  await post(`/api/lists/${listId}/contacts`, { ids: [other] });
  const options = { basis: { basis: 'none' }, listId };
  await begin();
  try {
    await engine.query('delete from contacts where workspace_id = $1 and id = $2', [owner.workspaceId, id]);
    let isOver = false;
    const importing = importCsv(test.app, owner.cookie, 'email\npia@acme.co.uk\n', { options }).finally(
      () => {
        isOver = true;
      },
    );
    await expect.poll(async () => isOver || (await waitingForLocks(test)) > 0).toBe(true);
    // The file holds neither the bases nor the list meanwhile: a deletion wants both.
    expect((await call('DELETE', `/api/emails/${other}`)).status).toBe(200);
    expect(isOver).toBe(false);
    await engine.query('rollback');
    expect((await importing).statusCode).toBe(200);
  } finally {
    await engine.query('rollback');
  }
  const { body } = await call('GET', `/api/emails/${id}`);
  expect(body).toMatchObject({ marketing: { basis: 'none' }, lists: [{ id: listId }] });
});
