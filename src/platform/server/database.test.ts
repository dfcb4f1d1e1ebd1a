import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { inBackground, type Purpose, withContext } from './call-context.ts';
import { type Database, type DatabaseOptions, isUnavailable, openDatabase } from './database.ts';
import { asAppError } from './error-map.ts';
import { prepared } from './prepared.ts';

let made: TestDatabase;
const open: Database[] = [];

beforeAll(async () => {
  made = await createTestDatabase();
});
afterEach(async () => {
  for (const db of open.splice(0)) await db.close();
});
afterAll(() => made.drop());

function database(options: Partial<DatabaseOptions> = {}): Database {
  const db = openDatabase({ url: made.appUrl, ...options });
  open.push(db);
  return db;
}

const nothing = async () => undefined;
const openOf = (db: Database) =>
  Object.fromEntries(db.connections().map(({ purpose, open: count }) => [purpose, count]));
const sizes = { interactive: 2, background: 1, streams: 2, public: 1 };

/** A transaction that stays open until `end` is called. */
function longCall(db: Database, workspaceId: number, purpose: Purpose = 'interactive') {
  let end = () => {};
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const done = withContext({ purpose }, () =>
    db.asTenant(workspaceId, async () => {
      begin();
      await mayEnd;
    }),
  );
  return { begun, done, end };
}

describe('a prepared statement', () => {
  it('is planned once for a connection, and gets its values each time', async () => {
    const db = database({ maxConnections: 1 });
    const double = (value: number) =>
      db.asTenant(1, async (tx) => {
        const { rows } = await sql<{
          doubled: number;
        }>`${prepared} select 2 * ${value}::int as doubled`.execute(tx);
        return rows[0]?.doubled;
      });
    expect([await double(4), await double(21)]).toEqual([8, 42]);
    const { rows } = await db.asTenant(1, (tx) =>
      sql<{ plans: number }>`select count(*)::int as plans from pg_prepared_statements
        where statement like '%doubled'`.execute(tx),
    );
    expect(rows).toEqual([{ plans: 1 }]);
  });
});

describe('connections', () => {
  it('may break between two statements of a transaction, which then fails and nothing else', async () => {
    const db = database();
    const killer = new pg.Client({ connectionString: made.appUrl });
    await killer.connect();
    const broken = db.asTenant(1, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      // Here nobody waits for an answer, so nobody but a listener hears that the connection is
      // gone.
      await sleep(200);
      await sql`select 1`.execute(tx);
    });
    await expect(broken).rejects.toSatisfy(isUnavailable);
    await killer.end();
    expect(await db.asTenant(1, (tx) => sql`select 1 as one`.execute(tx))).toMatchObject({
      rows: [{ one: 1 }],
    });
  });

  it('are of the purpose that the work is for', async () => {
    const db = database();
    await db.asTenant(1, nothing);
    await withContext({ purpose: 'interactive' }, () => db.asTenant(1, nothing));
    await withContext({ purpose: 'public' }, () => sql`select 1`.execute(db.system));
    (await db.lendStream(1)).release();
    await withContext({ purpose: 'interactive' }, () => inBackground(() => db.asTenant(1, nothing)));
    expect(openOf(db)).toEqual({ interactive: 1, background: 1, streams: 1, public: 1 });
  });

  it('of one purpose stay free while all of another are taken', async () => {
    const db = database({ sizes });
    const task = longCall(db, 1, 'background');
    await task.begun;
    await withContext({ purpose: 'interactive' }, () => db.asTenant(1, nothing));
    task.end();
    await task.done;
  });

  it('are not all taken by one workspace', async () => {
    const db = database({ sizes });
    const first = longCall(db, 1);
    await first.begun;
    const second = longCall(db, 1);
    const other = longCall(db, 2);
    await other.begun;
    const waiting = db.connections().find(({ purpose }) => purpose === 'interactive')?.waiting;
    expect(waiting).toBe(1);
    first.end();
    await second.begun;
    for (const call of [second, other]) call.end();
    await Promise.all([first.done, second.done, other.done]);
  });

  it('wait for nobody for ever', async () => {
    const db = database();
    const limits = async () => {
      const { rows } = await sql<{ name: string; setting: string }>`
        select name, setting from pg_settings
        where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`.execute(
        db.system,
      );
      return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
    };
    const interactive = await withContext({ purpose: 'interactive' }, limits);
    const open = await withContext({ purpose: 'public' }, limits);
    expect(interactive).toMatchObject({ lock_timeout: 10_000, statement_timeout: 120_000 });
    expect(open).toMatchObject({ lock_timeout: 1000, statement_timeout: 5000 });
    for (const purpose of ['background', 'streams'] as const) {
      const { lock_timeout, idle_in_transaction_session_timeout } = await withContext({ purpose }, limits);
      expect(lock_timeout).toBeGreaterThan(0);
      expect(idle_in_transaction_session_timeout).toBeGreaterThan(0);
    }
  });
});

describe('a call that holds a connection', () => {
  it('may not wait for a second one', async () => {
    const db = database();
    const second = /holds one connection at most/;
    await expect(db.asTenant(1, () => db.asTenant(1, nothing))).rejects.toThrow(second);
    await expect(db.asTenant(1, () => sql`select 1`.execute(db.system))).rejects.toThrow(second);
    await expect(db.asTenant(1, () => db.lendStream(1))).rejects.toThrow(second);
  });

  it('may start work that nobody waits for', async () => {
    const db = database();
    let work: Promise<unknown> = Promise.resolve();
    await db.asTenant(1, async () => {
      work = inBackground(() => db.asTenant(2, nothing));
      await sleep(1);
    });
    await work;
  });

  it('is told of where it is not stopped', async () => {
    const told: string[] = [];
    const db = database({ onMisuse: (error) => told.push(error.message) });
    await db.asTenant(1, () => db.asTenant(1, nothing));
    expect(told).toEqual([expect.stringContaining('holds one connection at most')]);
  });
});

it.each(['\\u0000', '\\ud83d', '\\ude00'])(
  'JSON with %s, which cannot be stored, is its sender’s mistake',
  async (given) => {
    const store = database().asTenant(1, (tx) =>
      sql`select ${`{"text":"${given}"}`}::jsonb -> 'text'`.execute(tx),
    );
    const error = await store.catch((thrown: unknown) => thrown);
    expect(asAppError(error)).toMatchObject({ code: 'invalid_input' });
    const malformed = database().asTenant(1, (tx) => sql`select ${'{'}::jsonb`.execute(tx));
    expect(asAppError(await malformed.catch((thrown: unknown) => thrown))).toMatchObject({
      code: 'internal',
    });
  },
);
