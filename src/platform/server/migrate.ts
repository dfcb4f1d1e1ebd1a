import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { sqlState } from './database.ts';
import { applyGrants } from './grants.ts';
import type { Log } from './logging.ts';
import { holdStart, patienceMs, waitAtMost } from './start-locks.ts';

/**
 * The schema's history: plain SQL files `NNNN_name.sql`, applied once each, in order, forward only.
 * Each runs in its own transaction together with its record in `schema_migrations`, so it applies
 * whole or not at all. Never change a file once it is applied: every start compares its checksum.
 */
export interface MigrateOptions {
  directory?: string;
  log: Log;
  /** How it waits for tables that others hold; as usual when absent. */
  turns?: typeof usualTurns;
}

/** Tells the operator in a sentence what is wrong with the migrations. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

interface MigrationFile {
  name: string;
  sql: string;
  checksum: string;
}

export const migrationsDirectory = fileURLToPath(new URL('../../../db/migrations', import.meta.url));

/** The migration files of a folder, in order. Throws when a name or number is wrong. */
export function readMigrations(directory: string): MigrationFile[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, index) => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (!number) throw new MigrationError(`db/migrations/${name}: a migration is called NNNN_name.sql`);
    if (Number(number) !== index + 1) {
      throw new MigrationError(
        `db/migrations/${name}: number ${String(index + 1).padStart(4, '0')} is missing or taken twice`,
      );
    }
    const sql = readFileSync(join(directory, name), 'utf8');
    // Line endings depend on the checkout. They are not a change.
    const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
    return { name, sql, checksum };
  });
}

/**
 * Brings the database and the app role's rights up to date, and returns the names of the files it
 * applied. Several processes may call it at once: the others wait and then find nothing to do.
 * Throws `MigrationError` when an applied file was edited or is missing, or when one fails. Files
 * applied before the failure stay applied.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<string[]> {
  const files = readMigrations(options.directory ?? migrationsDirectory);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'email-manager migrate' });
  await client.connect();
  try {
    await holdStart(client, 'migrations');
    await prepare(client);
    const waiting = await waitingFiles(client, files);
    const turns = options.turns ?? usualTurns;
    const until = Date.now() + turns.forMs;
    const began = Date.now();
    // In a new database each takes milliseconds, and what comes next is what its owner looks for.
    const isNew = waiting.length === files.length;
    const level = isNew ? 'debug' : 'info';
    for (const file of waiting) await apply(client, file, { log: options.log, level, turns, until });
    if (isNew) options.log.info({ ms: Date.now() - began }, `Made the tables by ${files.length} migrations`);
    await applyGrants(client);
    return waiting.map((file) => file.name);
  } finally {
    await client.end(); // also lets go of the advisory lock
  }
}

/** True when every migration file has been applied. For the readiness call. */
export async function isMigrated(client: { query: pg.ClientBase['query'] }, directory = migrationsDirectory) {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from schema_migrations',
  );
  return (rows[0]?.count ?? 0) >= readMigrations(directory).length;
}

/** Creates what every migration relies on: the extension and the table of migrations. */
async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has_table: boolean; has_extension: boolean }>(`
    select to_regclass('public.schema_migrations') is not null as has_table,
           exists (select from pg_extension where extname = 'pg_trgm') as has_extension`);
  const found = rows[0];
  if (!found?.has_extension) await client.query('create extension if not exists pg_trgm');
  if (!found?.has_table) {
    await client.query(`
      -- owner: platform
      create table schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
  }
}

async function waitingFiles(client: pg.Client, files: MigrationFile[]): Promise<MigrationFile[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  );
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const applied of rows) {
    const file = byName.get(applied.name);
    if (!file) {
      throw new MigrationError(
        `The database has migration ${applied.name}, which this version of Email Manager does not know. ` +
          'Start the newer version that made it, or restore the backup from before it.',
      );
    }
    if (file.checksum !== applied.checksum) {
      throw new MigrationError(
        `db/migrations/${applied.name} was changed after it had been applied. Put the file back as it was and write a new migration.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  return files.filter((file) => !applied.has(file.name));
}

/**
 * How long a migration waits for a table that somebody reads, such as an export or a dump: longer,
 * and everybody else would wait behind it. Then it lets go and tries again. All files together do
 * so for less time than the other starting processes wait for this one.
 */
const usualTurns = { waitMs: 2_000, pauseMs: 3_000, forMs: patienceMs * (2 / 3) };

interface Turns {
  log: Log;
  /** How loudly it says what it does. */
  level: 'debug' | 'info';
  turns: typeof usualTurns;
  /** After this it tries no more (ms since 1970). */
  until: number;
}

async function apply(
  client: pg.Client,
  file: MigrationFile,
  { log, level, turns, until }: Turns,
): Promise<void> {
  const began = Date.now();
  // Log it beforehand too: on a large database one can take minutes, during which nothing answers.
  log[level](`Applying migration ${file.name}`);
  for (let turn = 1; !(await applyOnce(client, file, turns.waitMs, until)); turn++) {
    if (turn === 1) log.warn(`Migration ${file.name} waits for somebody who uses a table that it changes`);
    await sleep(turns.pauseMs);
  }
  log[level]({ ms: Date.now() - began }, `Applied migration ${file.name}`);
}

/**
 * What others at work cause: a lock that was not to be had in time, or a deadlock. Both go by.
 */
const isInTheWay = (error: unknown): boolean => ['55P03', '40P01'].includes(sqlState(error) ?? '');

/** False when others are in the way, and it may be tried again. */
async function applyOnce(
  client: pg.Client,
  file: MigrationFile,
  waitMs: number,
  until: number,
): Promise<boolean> {
  await client.query('begin');
  try {
    await waitAtMost(client, waitMs);
    await client.query(file.sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      file.name,
      file.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection itself may be what failed
    if (isInTheWay(error) && Date.now() < until) return false;
    const { message, position } = error as { message: string; position?: string };
    const line = position ? ` (line ${file.sql.slice(0, Number(position)).split('\n').length})` : '';
    throw new MigrationError(`db/migrations/${file.name}${line}: ${message}`, { cause: error });
  }
  return true;
}
