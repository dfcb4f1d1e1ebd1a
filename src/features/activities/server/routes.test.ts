import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { createActivities, type NewActivity, recordActivity } from './index.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  http = await createTestHttp((router) => createActivities({ db }).register(router));
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

  it('are for members only', async () => {
    expect((await http.call(null, 'GET', '/api/activities')).status).toBe(401);
  });
});
