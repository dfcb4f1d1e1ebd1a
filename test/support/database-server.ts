import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { appRole, ownerRole, startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger } from '#platform/server/logging.ts';
import { migrate } from '#platform/server/migrate.ts';
import { prepareServer } from '#platform/server/start-database.ts';
import { type TestServer, withDatabase } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Nothing is flushed. These databases are thrown away, so a power cut does not matter. */
const throwAway = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  max_connections: '300',
};

/**
 * Runs once per test run: starts a PostgreSQL server with one migrated database that every test
 * file copies. It is the embedded server in a temporary folder, or the one that TEST_DATABASE_URL
 * names. That URL's user must be allowed to create databases and roles.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const log = createLogger('warn');
  const given = process.env.TEST_DATABASE_URL;
  const template = `email_manager_test_${process.pid}_template`;
  if (given) {
    await prepareServer(given, 'refuse', log);
    const server = { adminUrl: given, ownerUrl: given, appUrl: roleInUrl(given, appRole), template };
    await makeTemplate(server);
    project.provide('testServer', server);
    return () => dropDatabases(server);
  }
  const folder = mkdtempSync(join(tmpdir(), 'email-manager-test-'));
  // Under root the server runs as another user, who has to get in.
  chmodSync(folder, 0o711);
  const running = await startEmbeddedPostgres({ dataDir: folder, log, settings: throwAway });
  const server = {
    adminUrl: running.superuserUrl,
    ownerUrl: running.ownerUrl,
    appUrl: running.appUrl,
    template,
    owner: ownerRole,
  };
  const tearDown = async () => {
    running.stopNow();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server);
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide('testServer', server);
  return tearDown;
}

/** The same URL, with connections that begin as `role`. */
function roleInUrl(url: string, role: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', `-c role=${role}`);
  return changed.href;
}

async function makeTemplate(server: TestServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  await client.query(
    `create database ${server.template} template template0 ${server.owner ? `owner ${server.owner}` : ''}`,
  );
  await client.end();
  await migrate(withDatabase(server.ownerUrl, server.template), { log: createLogger('warn') });
}

/**
 * For a server that keeps running: removes what this run made, including leftovers of killed test
 * files.
 */
async function dropDatabases(server: TestServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  const mine = server.template.replace(/_template$/, '');
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [mine],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}
