import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { everybody } from '../rules/tree.ts';
import { gatherConditions } from './condition.ts';
import { seek } from './sought.ts';
import { walkById } from './walks/walk-by-id.ts';

// Lists the newest contacts while an import that began before them is still inserting its own.

const workspace = 5;
let made: TestDatabase;
let db: Database;
let importing: pg.Client;

const asTenant = <T>(work: (tx: TenantTx) => Promise<T>) => db.asTenant(workspace, work);

async function add(locals: string[], importId: number | null): Promise<void> {
  await asTenant((tx) =>
    sql`insert into contacts (workspace_id, local, domain, import_id)
        select ${workspace}, local, 'acme.co.uk', ${importId}::bigint from unnest(${locals}::text[]) local`.execute(
      tx,
    ),
  );
}

async function begun(status: string): Promise<number> {
  const { rows } = await asTenant((tx) =>
    sql<{ id: number }>`
      insert into imports (workspace_id, file_name, status, options, first_contact_id)
      values (${workspace}, 'a.csv', ${status}, '{}', nextval('contacts_id_seq')) returning id`.execute(tx),
  );
  return rows[0]?.id as number;
}

async function newest(offset = 0, limit = 4): Promise<string[]> {
  return asTenant(async (tx) => {
    const page = { sort: 'createdAt', order: 'desc', offset, limit } as const;
    const { ids } = await walkById(tx, await seek(tx, workspace, everybody, gatherConditions([])), page);
    const { rows } = await sql<{ id: number; local: string }>`
      select id, local from contacts where workspace_id = ${workspace} and id = any(${ids})`.execute(tx);
    return ids.map((id) => rows.find((row) => row.id === id)?.local ?? 'unseen');
  });
}

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  importing = new pg.Client({ connectionString: made.ownerUrl });
  await importing.connect();
});
afterAll(async () => {
  await importing.end();
  await db.close();
  await made.drop();
});

it('shows what came before it, and what came by hand meanwhile, in the order in which they came', async () => {
  await add(['old.one', 'old.two', 'old.three'], 1);
  const importId = await begun('processing');
  await add(['by.hand'], null);
  await importing.query('begin');
  await importing.query(
    `insert into contacts (workspace_id, local, domain, import_id) select $1, 'new.' || n, 'acme.co.uk', $2 from generate_series(1, 50) n`,
    [workspace, importId],
  );
  await add(['by.hand.later'], null);
  expect(await newest()).toEqual(['by.hand.later', 'by.hand', 'old.three', 'old.two']);
  expect(await newest(1, 2)).toEqual(['by.hand', 'old.three']);
  expect(await newest(4)).toEqual(['old.one']);

  // A second import that began later and ended first is visible at once.
  await add(['second.import'], 3);
  await asTenant((tx) =>
    sql`insert into imports (workspace_id, file_name, status, options, first_contact_id, last_contact_id)
        select ${workspace}, 'b.csv', 'completed', '{}', id, id from contacts where local = 'second.import'`.execute(
      tx,
    ),
  );
  expect(await newest(0, 3)).toEqual(['second.import', 'by.hand.later', 'by.hand']);

  await importing.query(
    `update imports set status = 'completed', last_contact_id = (select max(id) from contacts where import_id = $2)
     where workspace_id = $1 and id = $2`,
    [workspace, importId],
  );
  await importing.query('commit');
  expect(await newest(0, 3)).toEqual(['second.import', 'by.hand.later', 'new.50']);
});
