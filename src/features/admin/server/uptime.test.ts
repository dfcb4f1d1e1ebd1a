import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createUptime } from './uptime.ts';

let made: TestDatabase;
let db: Database;
let owner: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 1 });
});
afterAll(async () => {
  await db?.close();
  await owner?.close();
  await made?.drop();
});

beforeEach(() => sql`delete from uptime_spans`.execute(owner.system));

const lines = async () =>
  (
    await sql<{ open: boolean }>`select stopped_at is null as open from uptime_spans order by id`.execute(
      owner.system,
    )
  ).rows.map(({ open }) => open);

it('keeps one line for a process that goes on, and another after a silence', async () => {
  const uptime = createUptime({ db: db.system, log: createLogger('silent'), role: 'all' });
  await uptime.beat();
  await uptime.beat();
  expect(await lines()).toEqual([true]);
  expect((await uptime.processes()).map(({ process }) => process)).toEqual([uptime.process]);

  // Two hours of silence; the process had vouched for one of them.
  await sql`update uptime_spans set began_at = now() - interval '3 hours', seen_at = now() - interval '2 hours'`.execute(
    owner.system,
  );
  expect(await uptime.processes()).toEqual([]);
  await uptime.beat();
  expect(await lines()).toEqual([false, true]);
  const figures = await uptime.figures(30);
  expect(figures.breaks).toBe(1);
  expect(figures.measured).toBeCloseTo(33.33, 1);
});

it('ends its line when it stops in good order, and forgets lines of long ago', async () => {
  await sql`
    insert into uptime_spans (process, host, role, began_at, seen_at, stopped_at)
    select process, 'here', 'all', now() - interval '300 days', seen, case when process = 'stopped' then seen end
    from (values ('stopped', now() - interval '200 days'), ('recent', now())) v (process, seen)`.execute(
    owner.system,
  );
  const uptime = createUptime({ db: db.system, log: createLogger('silent'), role: 'web' });
  uptime.start();
  await uptime.stop();
  expect(await lines()).toEqual([true, false]);
});
