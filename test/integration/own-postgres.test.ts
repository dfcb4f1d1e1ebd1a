// Tests of: platform
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger } from '#platform/server/logging.ts';
import { formOf } from '#test/support/app.ts';
import { withDatabase } from '#test/support/database.ts';
import {
  makeDataDir,
  type Product,
  removeDataDir,
  startExpectingRefusal,
  startProduct,
} from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// The whole product on the operator's own PostgreSQL, with a user who may not create roles. Each
// test is a new installation.

let serverDir: string;
let dataDir: string;
let server: EmbeddedPostgres;
let admin: pg.Client;
let databaseUrl: string;

const appRole = 'email_manager_app';

beforeAll(async () => {
  serverDir = makeDataDir();
  server = await startEmbeddedPostgres({
    dataDir: serverDir,
    log: createLogger('silent'),
    settings: { fsync: 'off' },
  });
  admin = new pg.Client({ connectionString: server.superuserUrl });
  await admin.connect();
  await admin.query(`create role team login password 'of-the-team'`);
  const url = new URL(withDatabase(server.superuserUrl, 'team'));
  url.username = 'team';
  url.password = 'of-the-team';
  databaseUrl = url.href;
});
beforeEach(async () => {
  dataDir = makeDataDir();
  await admin.query(`drop role if exists ${appRole}`);
  await admin.query('create database team owner team');
});
afterEach(async () => {
  await admin.query('drop database team with (force)');
  removeDataDir(dataDir);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  removeDataDir(serverDir);
});

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'k'.repeat(40),
  ...more,
});

it('refuses where row-level security cannot bind, and starts where that is accepted by name', async () => {
  const refused = await startExpectingRefusal(dataDir, environment());
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('would not keep workspaces apart');
  expect(refused.output).toContain('WITHOUT_ROW_LEVEL_SECURITY=accept');
  const product = await startProduct(dataDir, environment({ WITHOUT_ROW_LEVEL_SECURITY: 'accept' }));
  const { output } = await product.stop();
  expect(output).toContain('queries alone keep workspaces apart');
});

/** What a refused start asks an administrator to do. */
async function followAdvice(): Promise<void> {
  const refused = await startExpectingRefusal(dataDir, environment());
  const advice = /Let an administrator run: (create role .*?; grant .*?;)/.exec(refused.output)?.[1] ?? '';
  await admin.query(advice.replace('<that user>', 'team'));
}

it('imports and runs tasks once an administrator has followed its advice', async () => {
  await followAdvice();
  const product = await startProduct(dataDir, environment());
  try {
    const { cookie } = await signUpAt(product.url);
    const imported = await importRows(product, cookie);
    expect(imported).toMatchObject({ imported: 3 });
    // Runs as a task, which a database function claims.
    expect(await clean(product, cookie)).toMatchObject({ status: 200 });
  } finally {
    await product.stop();
  }
});

it('refuses a role that bypasses row-level security, and one that owns the tables', async () => {
  await followAdvice();
  await admin.query(`alter role ${appRole} bypassrls`);
  const bypassing = await startExpectingRefusal(dataDir, environment());
  expect(bypassing.output).toContain(`The role ${appRole} may bypass row-level security.`);
  await admin.query(`alter role ${appRole} nobypassrls`);
  await admin.query(`alter role ${appRole} login password 'of-the-app'`);
  const url = new URL(databaseUrl);
  url.username = appRole;
  url.password = 'of-the-app';
  const owning = await startExpectingRefusal(dataDir, environment({ DATABASE_URL: url.href }));
  expect(owning.output).toContain(`The role ${appRole} owns the tables`);
});

async function importRows(product: Product, cookie: string): Promise<unknown> {
  const form = formOf([
    ['options', '{}'],
    ['file', 'email\nann@acme.co.uk\nbob@acme.co.uk\ncara@acme.co.uk\n', 'three.csv'],
  ]);
  const answer = await fetch(`${product.url}/api/emails/import`, {
    method: 'POST',
    headers: { ...form.headers, cookie },
    body: form.payload,
  });
  return answer.json();
}

const clean = (product: Product, cookie: string) =>
  fetch(`${product.url}/api/maintenance/cleanup`, { method: 'POST', headers: { cookie } });
