import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { migrateJobs } from './jobs.ts';
import { migrate } from './migrate.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let owner: pg.Client;
let app: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connected(database.ownerUrl);
  app = await connected(database.appUrl);
  await migrateJobs(database.ownerUrl);
});
afterAll(async () => {
  await owner.end();
  await app.end();
  await database.drop();
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** The role's rights, as one text per table, sequence and function. */
async function rights(): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(`
    select format('%s %s', c.oid::regclass, string_agg(a.privilege_type, ',' order by a.privilege_type)) as line
    from pg_class c cross join aclexplode(c.relacl) a
    where c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and a.grantee = 'email_manager_app'::regrole
    group by c.oid
    union all
    select format('%s %s', oid::regprocedure, has_function_privilege('email_manager_app', oid, 'execute'))
    from pg_proc where pronamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
    order by line`);
  return rows.map((row) => row.line);
}

/** The database as a start leaves it before the role exists. */
async function withoutRole(): Promise<void> {
  for (const schema of ['public', 'pgboss']) {
    for (const kind of ['tables', 'sequences', 'functions'])
      await owner.query(`revoke all on all ${kind} in schema ${schema} from email_manager_app`);
  }
  await owner.query(`
    revoke usage on schema pgboss from email_manager_app;
    alter default privileges in schema public revoke all on tables from email_manager_app;
    alter default privileges in schema public revoke all on sequences from email_manager_app`);
}

const startAgain = async () => {
  await migrate(database.ownerUrl, { log });
  await migrateJobs(database.ownerUrl);
};

it('gives a role that came after the first start all that it has where it came before', async () => {
  const before = await rights();
  await withoutRole();
  expect(await rights()).not.toEqual(before);
  await startAgain();
  expect(await rights()).toEqual(before);
  await app.query('truncate import_staging_1');
  await app.query('select claim_abandoned_imports(60)');
  await app.query('select count(*) from pgboss.job');
});

it('takes back what the role may not have, and changes nothing when all is right', async () => {
  const before = await rights();
  await owner.query(
    'grant update, delete on audit_log, admin_actions, schema_migrations to email_manager_app',
  );
  await startAgain();
  expect(await rights()).toEqual(before);
  const versions = () =>
    owner.query(`select oid, xmin from pg_class where relnamespace = 'public'::regnamespace order by oid`);
  const { rows } = await versions();
  await startAgain();
  expect((await versions()).rows).toEqual(rows);
});

it('gives the rights to tables that a migration makes from then on', async () => {
  await owner.query('create table made_later (id int)');
  await app.query('select from made_later');
});
