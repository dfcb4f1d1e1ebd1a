import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, sqlState } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { recordAudit } from './index.ts';

let made: TestDatabase;
let db: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

const add = (workspaceId: number, action: string) =>
  db.asTenant(workspaceId, (tx) =>
    recordAudit(tx, workspaceId, {
      actor: 'ann@acme.co.uk',
      action,
      subject: 'import:1',
      details: { a: 'x\0' },
    }),
  );
const read = (workspaceId: number) =>
  db.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql`select actor, action, subject, details from audit_log`.execute(tx);
    return rows;
  });
const insufficientPrivilege = '42501';

describe('the audit log', () => {
  it("keeps each workspace's lines to itself", async () => {
    await add(1, 'import.started');
    await add(2, 'import.undone');
    expect(await read(1)).toEqual([
      { actor: 'ann@acme.co.uk', action: 'import.started', subject: 'import:1', details: { a: 'x' } },
    ]);
  });

  it.each([
    ['changed', sql`update audit_log set action = 'nothing'`],
    ['deleted', sql`delete from audit_log`],
    ['emptied', sql`truncate audit_log`],
  ])('cannot be %s by the product', async (_verb, statement) => {
    await add(3, 'settings.changed');
    const error = await db.asTenant(3, (tx) => statement.execute(tx)).catch((thrown) => thrown);
    expect(sqlState(error)).toBe(insufficientPrivilege);
    expect((await read(3)).length).toBeGreaterThan(0);
  });

  it('keeps its lines when a later grant gave the rights back', async () => {
    await add(4, 'settings.changed');
    const owner = openDatabase({ url: made.ownerUrl });
    try {
      await sql`grant update, delete on audit_log to email_manager_app`.execute(owner.system);
      await db.asTenant(4, (tx) => sql`delete from audit_log`.execute(tx));
      expect(await read(4)).toHaveLength(1);
    } finally {
      await sql`revoke update, delete on audit_log from email_manager_app`.execute(owner.system);
      await owner.close();
    }
  });
});
