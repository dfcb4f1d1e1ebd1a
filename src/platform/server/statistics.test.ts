import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { type Database, openDatabase } from './database.ts';
import { createLogger } from './logging.ts';
import { changesCountAtOnce, renewStatistics } from './statistics.ts';

let made: TestDatabase;
let owner: Database;
let app: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 1 });
  app = openDatabase({ url: made.appUrl, maxConnections: 2 });
  for (const name of ['grown', 'left_alone'])
    await sql`create table ${sql.table(name)} (n int, text text) with (autovacuum_enabled = off)`.execute(
      owner.system,
    );
});
afterAll(async () => {
  await app?.close();
  await owner?.close();
  await made?.drop();
});

const log = createLogger('silent');
const renew = () => renewStatistics({ db: app, log });

/** When the statistics of a table were renewed last. */
async function renewedAt(table: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select last_analyze as at from pg_stat_user_tables where relname = ${table}`.execute(owner.system);
  return rows[0]?.at ?? null;
}
const grow = (rows: number) =>
  sql`
  with added as (insert into grown select n, 'row' from generate_series(1, ${rows}::int) n returning n)
  select count(*), ${changesCountAtOnce} from added`.execute(owner.system);

it('of a table that has grown are renewed, and no others', async () => {
  await grow(3000);
  await renew();
  expect(await renewedAt('grown')).not.toBeNull();
  expect(await renewedAt('left_alone')).toBeNull();
  const { rows } = await sql<{ rows: number }>`
    select reltuples::int as rows from pg_class where oid = 'grown'::regclass`.execute(app.system);
  expect(rows[0]?.rows).toBeGreaterThanOrEqual(3000);
});

it('are renewed again only after many changes more, also of rows that are there', async () => {
  await grow(3000);
  await renew();
  const before = await renewedAt('grown');
  await grow(10);
  await renew();
  expect(await renewedAt('grown')).toEqual(before);
  await sql`
    with changed as (update grown set text = 'other' returning n)
    select count(*), ${changesCountAtOnce} from changed`.execute(owner.system);
  await renew();
  expect(await renewedAt('grown')).not.toEqual(before);
});

it('are left as they are while somebody holds the table, and where they cannot be renewed', async () => {
  const before = await renewedAt('grown');
  await grow(3000);
  await owner.system.transaction().execute(async (tx) => {
    await sql`lock table grown in share update exclusive mode`.execute(tx);
    await renew();
  });
  expect(await renewedAt('grown')).toEqual(before);
  await sql`revoke execute on function renew_statistics(name) from email_manager_app`.execute(owner.system);
  await renew();
  expect(await renewedAt('grown')).toEqual(before);
  await sql`grant execute on function renew_statistics(name) to email_manager_app`.execute(owner.system);
});

it('are renewed once for all whose work ends at the same time', async () => {
  await grow(3000);
  await renew();
  const renewals = async () => {
    const { rows } = await sql<{ count: number }>`
      select analyze_count as count from pg_stat_user_tables where relname = 'grown'`.execute(owner.system);
    return rows[0]?.count ?? 0;
  };
  const before = await renewals();
  await grow(3000);
  await Promise.all(Array.from({ length: 20 }, renew));
  expect(await renewals()).toBe(before + 1);
  await grow(3000);
  await renew();
  expect(await renewals()).toBe(before + 2);
});
