import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { readSettings } from './index.ts';
import { registerSettings } from './routes.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  http = await createTestHttp((router) => registerSettings(router, db));
});
afterAll(async () => {
  await http.app.close();
  await db.close();
  await made.drop();
});

const admin = stubCaller(1, 'admin');

describe('settings', () => {
  it('answers the defaults to a viewer of a new workspace', async () => {
    const { status, body } = await http.call(stubCaller(1, 'viewer'), 'GET', '/api/settings');
    expect(status).toBe(200);
    expect(body.export).toEqual({ defaultFormat: 'csv', includeHeaders: true, maxRecordsPerFile: 100_000 });
  });

  it('changes only the fields that were sent, and only in this workspace', async () => {
    const { status, body } = await http.call(admin, 'PATCH', '/api/settings', { import: { batchSize: 250 } });
    expect(status).toBe(200);
    expect(body.import).toMatchObject({ batchSize: 250, maxFileSize: 100 });
    const next = await http.call(admin, 'PATCH', '/api/settings', { import: { maxFileSize: 40 } });
    expect(next.body.import).toMatchObject({ batchSize: 250, maxFileSize: 40 });
    const other = await http.call(stubCaller(2), 'GET', '/api/settings');
    expect(other.body.import.batchSize).toBe(1000);
  });

  it('refuses an editor and a value out of range, naming the field', async () => {
    expect(
      (await http.call(stubCaller(1), 'PATCH', '/api/settings', { import: { batchSize: 1 } })).status,
    ).toBe(403);
    const { status, body } = await http.call(admin, 'PATCH', '/api/settings', { import: { batchSize: 0 } });
    expect(status).toBe(400);
    expect(body.fields).toHaveProperty('import.batchSize');
  });

  it('keeps both changes when two people change the same section at once', async () => {
    const owner = stubCaller(3, 'owner');
    await Promise.all([
      http.call(owner, 'PATCH', '/api/settings', { emailValidation: { strictValidation: false } }),
      http.call(owner, 'PATCH', '/api/settings', { emailValidation: { checkMXRecords: true } }),
    ]);
    const { body } = await http.call(owner, 'GET', '/api/settings');
    expect(body.emailValidation).toMatchObject({ strictValidation: false, checkMXRecords: true });
  });

  it('audits what changed from what to what, and nothing when nothing did', async () => {
    const owner = stubCaller(4, 'owner');
    for (let time = 0; time < 2; time++) {
      await http.call(owner, 'PATCH', '/api/settings', { export: { defaultFormat: 'json' } });
    }
    const lines = await db.asTenant(4, (tx) =>
      sql`select actor, action, subject, details from audit_log where workspace_id = 4`.execute(tx),
    );
    expect(lines.rows).toEqual([
      {
        actor: owner.email,
        action: 'settings.changed',
        subject: 'settings:export',
        details: { changes: { defaultFormat: { from: 'csv', to: 'json' } } },
      },
    ]);
  });

  it('reads a section that an earlier version stored', async () => {
    await db.asTenant(5, (tx) =>
      sql`insert into settings (workspace_id, import, export)
          values (5, '{"batchSize": "many", "maxFileSize": 9}', '[]')`.execute(tx),
    );
    const settings = await db.asTenant(5, (tx) => readSettings(tx, 5));
    expect(settings.import).toMatchObject({ batchSize: 1000, maxFileSize: 9 });
    const changed = await http.call(stubCaller(5, 'admin'), 'PATCH', '/api/settings', {
      export: { includeHeaders: false },
    });
    expect(changed.body.export.includeHeaders).toBe(false);
  });
});
