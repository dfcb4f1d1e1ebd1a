import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { openFileStore } from '#platform/server/files.ts';
import { registerContactFeatures, testAudience } from '#test/support/contact-features.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { join, testTasks } from '#test/support/tasks.ts';
import { liftingDays } from '../rules.ts';
import { createSuppressions } from './index.ts';
import { purgeLiftings } from './lifting/lifting-queries.ts';

// Selections that are too large for one transaction. On a busy machine, just filling a workspace
// takes time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: TestDatabase;
let db: Database;
let tasks: Tasks;
let http: TestHttp;
let workspace = 700;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  tasks = testTasks(db);
  http = await createTestHttp((router) => {
    registerContactFeatures(router, { db, tasks });
    join(createSuppressions({ db, tasks, audience: testAudience, files: openFileStore(tmpdir()) }), {
      tasks,
      router,
    });
    tasks.register(router);
  });
});
afterAll(async () => {
  await http.app.close();
  await tasks.stop();
  await db.close();
  await made.drop();
});

const contacts = 13_000;

beforeEach(async () => {
  workspace += 10;
  await db.asTenant(workspace, async (tx) => {
    await sql`
      insert into contacts (workspace_id, local, domain, state)
      select ${workspace}::bigint, 'p' || n, 'shop' || n % 90 || '.co.uk', (n % 10 = 0)::int
      from generate_series(1, ${contacts}::int) n order by 3, 2`.execute(tx);
    await sql`
      insert into contact_domains (workspace_id, domain, valid, invalid)
      select ${workspace}::bigint, domain, count(*) filter (where state = 0), count(*) filter (where state = 1)
      from contacts where workspace_id = ${workspace} group by domain`.execute(tx);
    await sql`
      insert into contact_counts (workspace_id, active, invalid, domains)
      select ${workspace}::bigint, sum(valid), sum(invalid), count(*)
      from contact_domains where workspace_id = ${workspace}`.execute(tx);
  });
});

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
  http.call(stubCaller(workspace), method, url, body);
const summary = async () => (await call('GET', '/api/suppressions/summary')).body;
const stats = async () => (await call('GET', '/api/stats')).body;
const books = () => db.asTenant(workspace, (tx) => checkBooks(tx, workspace));
const lastTask = async () => (await call('GET', '/api/tasks')).body.items[0];

async function begin(method: 'POST' | 'DELETE', url: string, body: unknown): Promise<number> {
  // The stub knows a caller from their first call on.
  await call('GET', '/api/stats');
  const answer = await http.app.inject({
    method,
    url,
    headers: {
      'x-test-caller': JSON.stringify(stubCaller(workspace)),
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    payload: JSON.stringify(body),
  });
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json().taskId;
}

/** Holds what a statement locks until the work is stuck there. Returns how to let go. */
async function hold(statement: string): Promise<() => Promise<void>> {
  const holder = await db.pool.connect();
  await holder.query('begin');
  await holder.query(`set local app.workspace_id = '${workspace}'`);
  await holder.query(statement, [workspace]);
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

it('suppresses by filter in pieces, lifts all of it in pieces, and puts it back', async () => {
  const active = contacts * 0.9;
  await call('POST', '/api/suppressions/email/manual', { email: 'p1@shop1.co.uk', reason: 'complained' });
  const done = await call('POST', '/api/suppressions/emails', { filter: { status: 'active' } });
  expect(done.body).toEqual({ suppressed: active - 1 });
  expect(await summary()).toMatchObject({ emails: { manual: active - 1, complained: 1 } });
  expect(await stats()).toMatchObject({ suppressedEmails: active, validEmails: 0, invalidEmails: 1300 });
  expect(await books()).toEqual([]);
  expect(await lastTask()).toMatchObject({
    kind: 'suppressions.suppress',
    title: 'Suppress 11,699 contacts',
    summary: '11,699 addresses were put on the suppression list.',
    link: '/suppressions',
    done: active - 1,
    total: active - 1,
  });

  const lifted = await call('DELETE', '/api/suppressions/emails', {
    filter: { reason: 'manual' },
    reason: 'all of them came back',
  });
  expect(lifted.body).toEqual({ removed: active - 1, liftingId: expect.any(Number) });
  expect(await summary()).toMatchObject({ emails: { complained: 1 } });
  expect(await stats()).toMatchObject({ suppressedEmails: 1, validEmails: active - 1 });
  expect(await books()).toEqual([]);

  // Entries that are on the list again by now stay as they are.
  await call('POST', '/api/suppressions/email/manual', { email: 'p2@shop2.co.uk', reason: 'bounced' });
  const undo = () => call('POST', `/api/suppressions/liftings/${lifted.body.liftingId}/undo`);
  expect((await undo()).body).toEqual({ restored: active - 2 });
  expect(await summary()).toMatchObject({ emails: { manual: active - 2, complained: 1, bounced: 1 } });
  expect(await stats()).toMatchObject({ suppressedEmails: active, validEmails: 0 });
  expect(await books()).toEqual([]);
  expect((await undo()).status).toBe(409);
});

it('does named contacts the same way, those of another workspace left out', async () => {
  const { rows } = await db.asTenant(workspace, (tx) =>
    sql<{ id: number }>`select id from contacts where workspace_id = ${workspace} limit 6000`.execute(tx),
  );
  const ids = rows.map(({ id }) => id);
  workspace += 1;
  expect((await call('POST', '/api/suppressions/emails', { ids })).body).toEqual({ suppressed: 0 });
  workspace -= 1;
  expect((await call('POST', '/api/suppressions/emails', { ids })).body).toEqual({ suppressed: 6000 });
  expect((await call('POST', '/api/suppressions/emails', { ids })).body).toEqual({ suppressed: 0 });
  expect(await books()).toEqual([]);
});

it('refuses a filter that it does not understand, and puts nobody on the list', async () => {
  const filter = { status: 'active', opened: 'yes' };
  const refused = await call('POST', '/api/suppressions/emails', { filter });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('“opened”');
});

it('suppressing that is cancelled says what it did, and locks nothing between its pieces', async () => {
  // Somebody imports a list with an address of the second piece.
  const letGo = await hold(`insert into suppressions (workspace_id, local, domain, reason)
    select workspace_id, local, domain, 'imported' from contacts
    where id = (select min(id) + 7000 from contacts where workspace_id = $1)`);
  let taskId: number;
  try {
    taskId = await begin('POST', '/api/suppressions/emails', { filter: {} });
    await expect.poll(async () => (await stats()).suppressedEmails, { timeout: 60_000 }).toBe(5000);
    expect(await books()).toEqual([]);
    expect((await call('POST', `/api/tasks/${taskId}/cancel`)).status).toBe(200);
  } finally {
    await letGo();
  }
  expect(await tasks.finished(workspace, taskId)).toMatchObject({
    status: 'cancelled',
    result: { suppressed: 5000 },
    summary: '5,000 addresses were put on the suppression list.',
  });
  expect(await summary()).toMatchObject({ emails: { manual: 5000 } });
  expect(await books()).toEqual([]);
});

it('a lifting that is cancelled can be undone, but not while it is at work', async () => {
  await call('POST', '/api/suppressions/emails', { filter: {} });
  const letGo = await hold(
    'select from suppressions where id = (select min(id) + 7000 from suppressions where workspace_id = $1) for update',
  );
  let taskId: number;
  let undo: () => ReturnType<typeof call>;
  try {
    taskId = await begin('DELETE', '/api/suppressions/emails', { filter: {}, reason: 'a mistake' });
    await expect.poll(async () => (await summary()).emails.manual, { timeout: 60_000 }).toBe(contacts - 5000);
    const { rows } = await db.asTenant(workspace, (tx) =>
      sql<{ id: number }>`select id from suppression_liftings where workspace_id = ${workspace}`.execute(tx),
    );
    undo = () => call('POST', `/api/suppressions/liftings/${rows[0]?.id}/undo`);
    const early = await undo();
    expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('still being removed')]);
    expect((await call('POST', `/api/tasks/${taskId}/cancel`)).status).toBe(200);
  } finally {
    await letGo();
  }
  const ended = await tasks.finished(workspace, taskId);
  expect(ended).toMatchObject({ status: 'cancelled', result: { removed: 5000 } });
  expect(await books()).toEqual([]);
  expect((await undo()).body).toEqual({ restored: 5000 });
  expect(await summary()).toMatchObject({ emails: { manual: contacts } });
  expect(await stats()).toMatchObject({ suppressedEmails: contacts });
  expect(await books()).toEqual([]);
});

it('a lifting whose undo is at work outlives its days', async () => {
  await call('POST', '/api/suppressions/emails', { filter: {} });
  const { body } = await call('DELETE', '/api/suppressions/emails', { filter: {}, reason: 'a mistake' });
  // Somebody puts an address of the second piece on the list.
  const letGo = await hold(`insert into suppressions (workspace_id, local, domain, reason)
    select workspace_id, local, domain, 'manual' from lifted_suppressions
    where id = (select min(id) + 7000 from lifted_suppressions where workspace_id = $1)`);
  let taskId: number;
  try {
    taskId = await begin('POST', `/api/suppressions/liftings/${body.liftingId}/undo`, {});
    await expect.poll(async () => (await summary()).emails.manual, { timeout: 60_000 }).toBe(5000);
    await db.asTenant(workspace, async (tx) => {
      await sql`
        update suppression_liftings set created_at = now() - interval '31 days' where workspace_id = ${workspace}`.execute(
        tx,
      );
      await purgeLiftings(tx, workspace, liftingDays);
    });
  } finally {
    await letGo();
  }
  expect(await tasks.finished(workspace, taskId)).toMatchObject({ result: { restored: contacts } });
  expect(await summary()).toMatchObject({ emails: { manual: contacts } });
  expect(await books()).toEqual([]);
  await db.asTenant(workspace, async (tx) => {
    await sql`
      update suppression_liftings set undone_at = now() - interval '2 days' where workspace_id = ${workspace}`.execute(
      tx,
    );
    await purgeLiftings(tx, workspace, liftingDays);
    const { rows } = await sql`select from lifted_suppressions where workspace_id = ${workspace}`.execute(tx);
    expect(rows).toEqual([]);
  });
});
