import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { isMigrated, migrate, readMigrations } from './migrate.ts';
import { holdStart } from './start-locks.ts';

const log = pino({ level: 'silent' });

describe('migrate', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let directory: string;
  const url = () => database.ownerUrl;
  const write = (name: string, sql: string) => writeFileSync(join(directory, name), sql);

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'migrations-'));
    await owner.query('delete from schema_migrations');
    await owner.query('drop table if exists cats, dogs');
    await owner.query('drop sequence if exists tries');
    await owner.query('create sequence tries');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('applies each file once, in order', async () => {
    write('0001_cats.sql', 'create table cats (id int primary key)');
    expect(await migrate(url(), { directory, log })).toEqual(['0001_cats.sql']);
    expect(await isMigrated(owner, directory)).toBe(true);
    write('0002_more_cats.sql', 'alter table cats add name text');
    expect(await isMigrated(owner, directory)).toBe(false);
    expect(await migrate(url(), { directory, log })).toEqual(['0002_more_cats.sql']);
    expect(await migrate(url(), { directory, log })).toEqual([]);
  });

  it('applies a file once when several processes start together', async () => {
    write('0001_cats.sql', 'create table cats (id int primary key)');
    write('0002_dogs.sql', 'create table dogs (id int primary key)');
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url(), { directory, log })));
    expect(applied.flat().sort()).toEqual(['0001_cats.sql', '0002_dogs.sql']);
  });

  it('lets others read a table while it waits for somebody who has read it for long', async () => {
    write('0001_cats.sql', 'create table cats (id int primary key)');
    await migrate(url(), { directory, log });
    write('0002_more_cats.sql', 'alter table cats add name text');
    const turns = { waitMs: 100, pauseMs: 300, forMs: 30_000 };
    await owner.query('begin');
    await owner.query('select from cats');
    const migrated = migrate(url(), { directory, log, turns });
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    await other.query("set statement_timeout = '2s'");
    for (let read = 0; read < 5; read++) {
      await other.query('select from cats');
      await sleep(100);
    }
    await other.end();
    await owner.query('commit');
    expect(await migrated).toEqual(['0002_more_cats.sql']);
  });

  it('tries again after a deadlock with somebody who is at work', async () => {
    write(
      '0001_cats.sql',
      `create table cats (id int primary key);
       do $$ begin
         if nextval('tries') = 1 then raise 'deadlock detected' using errcode = '40P01'; end if;
       end $$`,
    );
    const turns = { waitMs: 100, pauseMs: 10, forMs: 30_000 };
    expect(await migrate(url(), { directory, log, turns })).toEqual(['0001_cats.sql']);
  });

  it('gives up in time, however long one try takes', async () => {
    write(
      '0001_cats.sql',
      `do $$ begin
         perform nextval('tries'), pg_sleep(0.3);
         raise 'canceling statement due to lock timeout' using errcode = '55P03';
       end $$`,
    );
    const turns = { waitMs: 100, pauseMs: 10, forMs: 500 };
    await expect(migrate(url(), { directory, log, turns })).rejects.toThrow(/0001_cats\.sql: .*lock timeout/);
    const { rows } = await owner.query('select last_value::int as tries from tries');
    expect(rows[0].tries).toBeLessThanOrEqual(2);
  });

  it('says why a start ends that has waited long for another one', async () => {
    await holdStart(owner, 'grants');
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    try {
      await expect(holdStart(other, 'grants', 50)).rejects.toThrow(/Another process .* its log/);
    } finally {
      await other.end();
      await owner.query('select pg_advisory_unlock_all()');
    }
  });

  it('keeps nothing of a file that fails half-way, and says which line', async () => {
    write('0001_cats.sql', 'create table cats (id int primary key);\ninsert into nowhere values (1);');
    await expect(migrate(url(), { directory, log })).rejects.toThrow(/0001_cats\.sql \(line 2\): .*nowhere/);
    const { rows } = await owner.query(`select to_regclass('cats') as cats`);
    expect(rows[0].cats).toBeNull();
  });

  it('refuses an applied file that was edited, and one it does not know', async () => {
    write('0001_cats.sql', 'create table cats (id int primary key)');
    await migrate(url(), { directory, log });
    write('0001_cats.sql', 'create table cats (id bigint primary key)');
    await expect(migrate(url(), { directory, log })).rejects.toThrow(/0001_cats\.sql was changed after/);
    rmSync(join(directory, '0001_cats.sql'));
    await expect(migrate(url(), { directory, log })).rejects.toThrow(/does not know/);
  });

  it('lets the app role use a new table, which it does not own', async () => {
    write(
      '0001_cats.sql',
      'create table cats (id bigint generated always as identity primary key, name text)',
    );
    await migrate(url(), { directory, log });
    const app = new pg.Client({ connectionString: database.appUrl });
    await app.connect();
    try {
      await app.query(`insert into cats (name) values ('Tom')`);
      await expect(app.query('drop table cats')).rejects.toThrow(/must be owner/);
      await expect(app.query(`delete from schema_migrations`)).rejects.toThrow(/permission denied/);
    } finally {
      await app.end();
    }
  });

  it('refuses a gap, a number taken twice and a name without a number', () => {
    write('0001_a.sql', '');
    write('0003_b.sql', '');
    expect(() => readMigrations(directory)).toThrow(/0002 is missing/);
    rmSync(join(directory, '0003_b.sql'));
    write('0001_b.sql', '');
    expect(() => readMigrations(directory)).toThrow(/taken twice/);
    rmSync(join(directory, '0001_b.sql'));
    write('first.sql', '');
    expect(() => readMigrations(directory)).toThrow(/NNNN_name/);
  });
});
