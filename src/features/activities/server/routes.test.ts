import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { type NewActivity, recordActivity } from './index.ts';
import { registerActivities } from './routes.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  http = await createTestHttp((router) => registerActivities(router, db));
});
afterAll(async () => {
  await http.app.close();
  await db.close();
  await made.drop();
});

const line = (changes: Partial<NewActivity> = {}): NewActivity => ({
  action: 'CSV Import',
  details: 'list.csv',
  status: 'in-progress',
  icon: 'file-import',
  iconColor: 'primary',
  ...changes,
});
const record = (workspaceId: number, changes?: Partial<NewActivity>) =>
  db.asTenant(workspaceId, (tx) => recordActivity(tx, workspaceId, line(changes)));
const list = async (workspaceId: number, query = '') =>
  (await http.call(stubCaller(workspaceId, 'viewer'), 'GET', `/api/activities${query}`)).body;

/** Two people in a workspace, who have chosen nothing yet. */
async function twoPeople(workspaceId: number) {
  const { rows } = await sql<{ id: number }>`
    insert into users (name, email)
    select 'Dee', 'p' || n || '@of-' || ${workspaceId}::bigint || '.co.uk' from generate_series(1, 2) n
    returning id`.execute(db.system);
  const [one, other] = rows.map(({ id }) => ({ ...stubCaller(workspaceId, 'viewer'), userId: String(id) }));
  if (!one || !other) throw new Error('nobody was inserted');
  return [one, other] as const;
}

describe('activities', () => {
  it('are listed newest first, each workspace its own', async () => {
    await record(1, { details: 'first' });
    await record(1, { details: 'second' });
    await record(2, { details: 'elsewhere' });
    expect((await list(1)).map((item: { details: string }) => item.details)).toEqual(['second', 'first']);
    expect(await list(1, '?limit=1')).toHaveLength(1);
  });

  it('update the line of the same subject and move it to the top', async () => {
    await record(3, { subject: 'import:1', actor: 'ann@acme.co.uk' });
    await record(3, { details: 'between' });
    await record(3, {
      subject: 'import:1',
      status: 'completed',
      details: '12 contacts',
      iconColor: 'success',
    });
    const lines = await list(3);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ status: 'completed', details: '12 contacts', iconColor: 'success' });
    expect(Date.parse(lines[0].timestamp)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('take a file name that PostgreSQL could not hold', async () => {
    await record(4, { details: 'a\0b\ud800.csv' });
    expect((await list(4))[0].details).toBe('ab\ufffd.csv');
  });

  it('are undone with the change they tell of', async () => {
    await expect(
      db.asTenant(5, async (tx) => {
        await recordActivity(tx, 5, line());
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow();
    expect(await list(5)).toEqual([]);
  });

  it('are filtered by title, person, state and day, and read on from a line', async () => {
    await record(6, { details: 'one', actor: 'ann@acme.co.uk' });
    await record(6, { details: 'two', actor: 'bob@acme.co.uk', action: 'Email Added', status: 'completed' });
    await record(6, { details: 'three', actor: 'ann@acme.co.uk', status: 'failed' });
    const details = async (query: string) =>
      (await list(6, query)).map((item: { details: string }) => item.details);
    expect(await details('?actor=ann@acme.co.uk')).toEqual(['three', 'one']);
    expect(await details('?action=Email%20Added')).toEqual(['two']);
    expect(await details('?status=failed')).toEqual(['three']);
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/London' }).format(new Date());
    expect(await details(`?from=${today}&to=${today}`)).toEqual(['three', 'two', 'one']);
    expect(await details('?to=2020-01-01')).toEqual([]);
    const [newest] = await list(6, '?limit=1');
    expect(await details(`?before=${newest.id}&limit=1`)).toEqual(['two']);
    expect((await http.call(stubCaller(6, 'viewer'), 'GET', '/api/activities/filters')).body).toEqual({
      actions: ['CSV Import', 'Email Added'],
      actors: ['ann@acme.co.uk', 'bob@acme.co.uk'],
    });
    expect((await http.call(stubCaller(7, 'viewer'), 'GET', '/api/activities/filters')).body.actors).toEqual(
      [],
    );
  });

  it('name who did it by their address, also where only their number is known', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into users (name, email) values ('Cat', 'cat@acme.co.uk') returning id`.execute(db.system);
    await record(10, { actor: String(rows[0]?.id) });
    await record(10, { actor: '999999999' });
    expect((await list(10)).map((line: { actor: string }) => line.actor)).toEqual([
      '999999999',
      'cat@acme.co.uk',
    ]);
    expect(await list(10, '?actor=cat@acme.co.uk')).toHaveLength(1);
  });

  it('ring the bell when work ends, for each person until they have seen it', async () => {
    const [ann, bob] = await twoPeople(8);
    const bell = async (caller: typeof ann) => (await http.call(caller, 'GET', '/api/notifications')).body;
    await record(8, { action: 'Email Added', status: 'completed' });
    await record(8, { subject: 'import:1' });
    expect(await bell(ann)).toEqual({ items: [], unread: 0 });
    await record(8, { subject: 'import:1', status: 'failed', link: '/imports/1' });
    expect(await bell(ann)).toMatchObject({
      items: [{ status: 'failed', link: '/imports/1', isNew: true }],
      unread: 1,
    });
    await http.call(ann, 'POST', '/api/notifications/read');
    expect(await bell(ann)).toMatchObject({ items: [{ isNew: false }], unread: 0 });
    expect((await bell(bob)).unread).toBe(1);
    await record(8, { action: 'Member Joined', status: 'completed', notify: true });
    expect(await bell(ann)).toMatchObject({ items: [{ isNew: true }, { isNew: false }], unread: 1 });
    expect(await bell(stubCaller(9, 'viewer'))).toEqual({ items: [], unread: 0 });
  });

  it('go on ringing for what has come since the list was read that they were shown', async () => {
    const [ann] = await twoPeople(12);
    const bell = async () => (await http.call(ann, 'GET', '/api/notifications')).body;
    const read = async (until?: string) =>
      (await http.call(ann, 'POST', '/api/notifications/read', until && { until })).body;
    await record(12, { action: 'First', status: 'completed', notify: true });
    const { items: shown } = await bell();
    // The time shown is in milliseconds, the time stored in microseconds.
    await sql`select pg_sleep(0.002)`.execute(db.system);
    await record(12, { action: 'Second', status: 'failed', notify: true });
    expect(await read(shown[0].timestamp)).toEqual({ unread: 1 });
    const both = [
      { action: 'Second', isNew: true },
      { action: 'First', isNew: false },
    ];
    expect(await bell()).toMatchObject({ items: both, unread: 1 });
    expect(await read()).toEqual({ unread: 0 });
    // Another window shows an older list. It takes nothing back.
    expect(await read(shown[0].timestamp)).toEqual({ unread: 0 });
    expect(await read('0000-01-01T00:00:00Z')).toEqual({ unread: 0 });
    expect(await read('9999-12-31T00:00:00Z')).toEqual({ unread: 0 });
    await record(12, { action: 'Third', status: 'completed', notify: true });
    expect((await bell()).unread).toBe(1);
  });

  it('ring for what a person chose, and stand under the bell in any case', async () => {
    const [dee, eve] = await twoPeople(11);
    const bell = async (caller: typeof dee) => (await http.call(caller, 'GET', '/api/notifications')).body;
    const choices = '/api/account/notifications';
    expect((await http.call(dee, 'GET', choices)).body).toEqual({
      finished: true,
      failed: true,
      invitations: true,
    });
    await record(11, { subject: 'import:1', status: 'completed' });
    await record(11, { subject: 'import:2', status: 'failed' });
    await record(11, { action: 'Member Joined', status: 'completed', notify: true });
    expect((await bell(dee)).unread).toBe(3);

    expect((await http.call(dee, 'PATCH', choices, { finished: false })).body.finished).toBe(false);
    expect(await bell(dee)).toMatchObject({
      unread: 2,
      items: [{ action: 'Member Joined', isNew: true }, { isNew: true }, { isNew: false }],
    });
    expect((await http.call(dee, 'PATCH', choices, { failed: false })).body).toEqual({
      finished: false,
      failed: false,
      invitations: true,
    });
    expect((await bell(dee)).unread).toBe(1);
    expect((await bell(eve)).unread).toBe(3);
    expect((await http.call(dee, 'PATCH', choices, { finished: 'maybe' })).status).toBe(400);
    expect((await http.call(null, 'PATCH', choices, { finished: true })).status).toBe(401);
  });

  it('are for members only', async () => {
    expect((await http.call(null, 'GET', '/api/activities')).status).toBe(401);
  });
});
