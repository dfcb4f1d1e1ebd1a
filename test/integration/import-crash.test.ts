// Tests of: imports
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formOf } from '#test/support/app.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// Kills the whole product in the middle of an import again and again. Every import must end exactly
// as if nothing had happened, and the books must agree.

const rows = 150_000;
let dataDir: string;
let product: Product;
let cookie: string;

beforeAll(async () => {
  dataDir = makeDataDir();
  product = await startProduct(dataDir);
  ({ cookie } = await signUpAt(product.url));
  // All of it as one file, however large: `total` counts its lines.
  const set = await fetch(`${product.url}/api/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ export: { maxRecordsPerFile: 10_000_000 } }),
  });
  expect(set.status).toBe(200);
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

interface Progress {
  share: number;
}
interface Import {
  id: number;
  status: string;
  results: Record<string, number> | null;
}

/** Sends the file and returns the import's id as soon as the file has arrived. */
async function send(seed: number): Promise<number> {
  const form = formOf([
    ['options', '{}'],
    ['file', Buffer.concat([...dirtyRows({ rows, seed })]), `crash-${seed}.csv`],
  ]);
  const answer = await fetch(`${product.url}/api/emails/import`, {
    method: 'POST',
    headers: { ...form.headers, cookie, prefer: 'respond-async' },
    body: form.payload,
  });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { id: number }).id;
}

/** Waits until the import has reached `share`. Returns how far it was seen. */
async function until(id: number, share: number): Promise<number> {
  const events = await fetch(`${product.url}/api/imports/${id}/events`, { headers: { cookie } });
  let text = '';
  for await (const piece of events.body ?? []) {
    text += Buffer.from(piece).toString();
    for (const [, data] of text.matchAll(/event: progress\ndata: (.*)\n\n/g)) {
      const seen = (JSON.parse(data ?? '') as Progress).share;
      if (seen >= share) return seen;
    }
    if (text.includes('event: done')) return 1;
  }
  return 1;
}

async function finished(id: number): Promise<Import> {
  for (;;) {
    const record = await get<Import>(`/api/imports/${id}`);
    if (record.status === 'completed' || record.status === 'failed') return record;
    await sleep(200);
  }
}

async function total(): Promise<number> {
  const stats = await get<{ totalEmails: number }>('/api/stats');
  const exported = await (await fetch(`${product.url}/api/emails/export`, { headers: { cookie } })).text();
  expect(exported.trim().split('\n').length - 1).toBe(stats.totalEmails);
  return stats.totalEmails;
}

describe('an import interrupted', () => {
  it.each([
    [0.1, 'node'],
    [0.5, 'node'],
    [0.9, 'node'],
    [0.5, 'the database'],
  ] as const)(
    'at %s by a kill -9 of %s ends with the same result after the restart',
    async (share, victim) => {
      const seed = Math.round(share * 100) + (victim === 'node' ? 0 : 1);
      const before = await total();
      const id = await send(seed);
      await until(id, share);
      if (victim === 'node') product.child.kill('SIGKILL');
      else
        process.kill(
          Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
          'SIGKILL',
        );
      await new Promise((resolve) =>
        product.child.exitCode === null && product.child.signalCode === null
          ? product.child.once('exit', resolve)
          : resolve(null),
      );
      product = await startProduct(dataDir);

      const record = await finished(id);
      const expected = dirtyRows({ rows, seed }).expected();
      expect(record).toMatchObject({
        status: 'completed',
        results: { invalid: expected.invalid, nonUk: expected.nonUk },
      });
      const { imported = 0, duplicates = 0 } = record.results ?? {};
      expect(imported + duplicates).toBe(expected.imported + expected.duplicates);
      expect(await total()).toBe(before + imported);
    },
    120_000,
  );
});
