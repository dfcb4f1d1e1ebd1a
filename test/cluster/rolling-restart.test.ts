import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formOf } from '#test/support/app.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { type Cluster, startCluster } from './cluster.ts';

// An upgrade replaces every process, one after the other, while people and programs keep working.

let cluster: Cluster;
let cookie: string;

const databaseDir = makeDataDir();

beforeAll(async () => {
  cluster = await startCluster(databaseDir);
  ({ cookie } = await signUpAt(cluster.url));
});
afterAll(async () => {
  await cluster?.stop();
  removeDataDir(databaseDir);
});

interface Load {
  calls: number;
  failures: string[];
}

const contactsOf = (n: number, person: number) => `visitor${n}-${person}@harrowgatefoods.co.uk`;

/**
 * One person who works without a pause until told to stop: reads, adds, and imports small files.
 */
async function work(person: number, isOver: () => boolean, load: Load): Promise<number> {
  let added = 0;
  const json = { cookie, 'content-type': 'application/json' };
  for (let n = 0; !isOver(); n += 1) {
    const { payload, headers } = formOf([
      [
        'options',
        JSON.stringify({
          removeDuplicates: true,
          validateEmails: true,
          filterNonUk: false,
          checkSuppressions: true,
        }),
      ],
      ['file', `email\nimported${n}-${person}@leedsbakery.co.uk\n`, 'small.csv'],
    ]);
    const calls: [path: string, init: RequestInit][] = [
      ['/api/emails?limit=25', { headers: { cookie } }],
      ['/api/stats', { headers: { cookie } }],
      [
        '/api/emails',
        { method: 'POST', headers: json, body: JSON.stringify({ email: contactsOf(n, person) }) },
      ],
      ['/api/emails/import', { method: 'POST', headers: { ...headers, cookie }, body: payload }],
    ];
    for (const [path, init] of calls) {
      load.calls += 1;
      try {
        const answer = await fetch(`${cluster.url}${path}`, init);
        const text = await answer.text();
        if (!answer.ok) load.failures.push(`${init.method ?? 'GET'} ${path}: ${answer.status} ${text}`);
        else if (init.method === 'POST') added += 1;
      } catch (error) {
        load.failures.push(`${path}: ${(error as Error).message}`);
      }
    }
  }
  return added;
}

it('fails no call and loses nothing while every process is replaced', async () => {
  const load: Load = { calls: 0, failures: [] };
  let isOver = false;
  const people = [0, 1, 2].map((person) => work(person, () => isOver, load));
  await sleep(500);
  for (const one of [...cluster.web, ...cluster.workers]) await cluster.restart(one);
  const before = load.calls;
  while (load.calls < before + 20) await sleep(50);
  isOver = true;
  const added = (await Promise.all(people)).reduce((sum, one) => sum + one, 0);
  expect(load.failures).toEqual([]);
  const stats = await fetch(`${cluster.url}/api/stats`, { headers: { cookie } });
  expect(((await stats.json()) as { totalEmails: number }).totalEmails).toBe(added);
}, 300_000);
