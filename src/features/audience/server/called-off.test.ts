import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/** When nobody waits for a count any more, the database stops working on it. */
let test: TestApp;
let person: SignedIn;
let other: SignedIn;
let url: string;

beforeAll(async () => {
  test = await openTestApp();
  person = await signUp(test.app);
  other = await signUp(test.app);
  url = await test.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => test.close());

const count = (signal?: AbortSignal, { cookie } = person) =>
  fetch(`${url}/api/emails/count`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: { search: 'acme' } }),
    ...(signal ? { signal } : {}),
  });

/** How many of the product's statements wait for the lock. */
const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ statements: number }>`
    select count(*) as statements from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`.execute(
    test.database.system,
  );
  return rows[0]?.statements ?? 0;
};
const patiently = { timeout: 30_000 };

it('a count is ended when its caller hangs up, and the next one runs', async () => {
  await test.owner.system.transaction().execute(async (tx) => {
    // No count can end by itself during this transaction.
    await sql`lock table contacts, contact_search, contact_search_recent in access exclusive mode`.execute(
      tx,
    );
    for (const _ of [1, 2, 3]) {
      const hangUp = new AbortController();
      const all = [...[1, 2, 3].map(() => count(hangUp.signal)), count(hangUp.signal, other)];
      // All turns are taken, one by the other workspace. If they were not given back, the next
      // would wait for ever.
      await expect.poll(waiting, patiently).toBe(3);
      hangUp.abort();
      for (const answer of all) await expect(answer).rejects.toThrow('aborted');
      await expect.poll(waiting, patiently).toBe(0);
    }
  });
  const answer = await count();
  expect([answer.status, await answer.json()]).toEqual([200, { count: 0 }]);
});

it('a transaction that is called off ends with the reason, and leaves its connection fit for others', async () => {
  const gone = new AbortController();
  const { workspaceId } = person;
  const work = test.database.asTenant(
    workspaceId,
    async (tx) => {
      // Each one is cancelled, however many come.
      await sql`select pg_sleep(3600)`.execute(tx).catch(() => undefined);
      await sql`select pg_sleep(3600)`.execute(tx);
    },
    { signal: gone.signal },
  );
  const asleep = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'
        and state = 'active'`.execute(test.database.system);
    return rows[0]?.n;
  };
  await expect.poll(asleep, patiently).toBe(1);
  gone.abort(new Error('nobody waits'));
  await expect(work).rejects.toThrow('nobody waits');
  expect(await asleep()).toBe(0);
  const early = test.database.asTenant(workspaceId, async () => 'done', { signal: gone.signal });
  await expect(early).rejects.toThrow('nobody waits');
  const later = await Promise.all(
    Array.from({ length: 20 }, () =>
      test.database.asTenant(workspaceId, async (tx) => {
        const { rows } = await sql<{ n: number }>`select 1 as n from pg_sleep(0.01)`.execute(tx);
        return rows[0]?.n;
      }),
    ),
  );
  expect(new Set(later)).toEqual(new Set([1]));
});
