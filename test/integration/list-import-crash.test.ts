// Tests of: suppressions
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { openDatabase } from '#platform/server/database.ts';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { formOf } from '#test/support/app.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// Kills the whole product in the middle of importing a suppression list. Afterwards the list must
// be exactly the file's, with each entry once, and the books must agree.

const lines = 60_000;
const contacts = 3_000;
let dataDir: string;
let product: Product;
let cookie: string;

beforeAll(async () => {
  dataDir = makeDataDir();
  product = await startProduct(dataDir);
  ({ cookie } = await signUpAt(product.url));
});
afterAll(async () => {
  await product.stop();
  removeDataDir(dataDir);
});

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${product.url}${path}`, { headers: { cookie } });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

async function send(path: string, fields: Parameters<typeof formOf>[0], prefer = ''): Promise<Response> {
  const form = formOf(fields);
  return fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: { ...form.headers, cookie, prefer },
    body: form.payload,
  });
}

interface Task {
  status: string;
  done: number;
  total: number | null;
  result: Record<string, number> | null;
}

const address = (n: number) => `person${n}@firm${n % 700}.co.uk`;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** Nine addresses and a hash in every ten lines, and three lines that are no entries. */
const line = (n: number) => (n % 10 === 0 ? hashOf(address(n)) : address(n));
const file = `${Array.from({ length: lines - 3 }, (_, n) => line(n)).join('\n')}\nnonsense\nmore nonsense\n@\n`;

it('an import of a list killed half-way is made good after the restart', { timeout: 240_000 }, async () => {
  const csv = Array.from({ length: contacts }, (_, n) => address(n)).join('\n');
  const imported = await send('/api/emails/import', [
    ['options', '{}'],
    ['file', `email\n${csv}\n`, 'contacts.csv'],
  ]);
  expect(await imported.json()).toMatchObject({ imported: contacts });

  const started = await send('/api/suppressions/import', [['file', file, 'list.txt']], 'respond-async');
  expect(started.status).toBe(202);
  const { taskId } = (await started.json()) as { taskId: number };
  const task = () => get<Task>(`/api/tasks/${taskId}`);
  // By then part of it is in the database, in a transaction that is still open.
  await expect.poll(async () => (await task()).done, { timeout: 90_000, interval: 5 }).toBeGreaterThan(0);
  expect((await task()).status).toBe('running');
  product.child.kill('SIGKILL');
  await new Promise((resolve) =>
    product.child.exitCode === null && product.child.signalCode === null
      ? product.child.once('exit', resolve)
      : resolve(null),
  );
  product = await startProduct(dataDir);

  let ended = await task();
  for (; ended.status === 'running' || ended.status === 'waiting'; ended = await task()) await sleep(200);
  const hashes = Math.ceil((lines - 3) / 10);
  const recognised = contacts / 10;
  expect(ended).toMatchObject({
    status: 'completed',
    result: { lines, added: lines - 3, alreadyThere: 0, invalid: 3, hashes, recognised },
  });
  expect(await get('/api/suppressions/summary')).toEqual({
    emails: { imported: lines - 3 - hashes + recognised },
    domains: {},
    hashes: { sha256: hashes },
  });
  expect(await get('/api/stats')).toMatchObject({ suppressedEmails: contacts, validEmails: 0 });
  expect(await booksAndEntries()).toEqual({
    differences: [],
    entries: lines - 3 - hashes + recognised,
    hashes,
  });
});

/** What the tables themselves hold, and where the figures differ. */
async function booksAndEntries() {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the product runs no database');
  const client = new pg.Client({ connectionString: running.ownerUrl });
  await client.connect();
  const db = openDatabase({ url: running.ownerUrl });
  try {
    const { rows } = await client.query(
      `select (select count(*)::int from suppressions) as entries, (select count(*)::int from suppression_hashes) as hashes,
              (select min(workspace_id)::int from contacts) as workspace`,
    );
    const { workspace, ...counts } = rows[0];
    return { differences: await db.asTenant(workspace, (tx) => checkBooks(tx, workspace)), ...counts };
  } finally {
    await db.close();
    await client.end();
  }
}
