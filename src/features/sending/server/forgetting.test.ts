import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { slowDown } from './slow-domains.ts';

// What is forgotten every night, and what stays.

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  // Without a mail server, messages are kept.
  test = await openTestApp();
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
});
afterAll(() => test.close());

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}
async function receipt(to: string): Promise<number> {
  const { batch } = await call('POST', '/api/send', { to, subject: 'Receipt', html: '<p>Thank you</p>' });
  await vi.waitFor(
    async () => expect((await call('GET', `/api/send?batch=${batch}`)).items[0].state).toBe('sent'),
    { timeout: 20_000, interval: 30 },
  );
  return batch;
}
const change = (statement: ReturnType<typeof sql>) => statement.execute(test.owner.system);

it('messages that are kept for want of a mail server go after 30 days', async () => {
  const [old, young] = [await receipt('old@shop.co.uk'), await receipt('young@shop.co.uk')];
  await change(
    sql`update outbox_messages set created_at = now() - interval '31 days' where mailing_id = ${old}`,
  );
  await change(
    sql`update outbox_messages set created_at = now() - interval '29 days' where mailing_id = ${young}`,
  );
  await test.nightly();
  const { items } = await call('GET', '/api/outbox/messages');
  expect(items.map(({ to }: { to: string }) => to)).toEqual(['young@shop.co.uk']);
});

it('transactional messages leave the ledger 90 days after their end, and none that waits does', async () => {
  const [old, young, open] = [
    await receipt('old@shop.co.uk'),
    await receipt('young@shop.co.uk'),
    await receipt('open@shop.co.uk'),
  ];
  await change(sql`update mailings set ended_at = now() - interval '91 days' where id = ${old}`);
  await change(sql`update mailings set ended_at = now() - interval '89 days' where id = ${young}`);
  await change(sql`
    update mailings set status = 'sending', ended_at = null, started_at = now() - interval '200 days',
      wait_until = 'infinity'
    where id = ${open}`);
  await test.nightly();
  const left = async (table: string, column: string) => {
    const { rows } = await sql<{ id: number }>`
      select ${sql.ref(column)} as id from ${sql.table(table)} where workspace_id = ${owner.workspaceId}
      order by 1`.execute(test.owner.system);
    return rows.map(({ id }) => Number(id));
  };
  for (const [table, column] of [
    ['mailings', 'id'],
    ['sends', 'mailing_id'],
    ['send_parts', 'mailing_id'],
  ] as const)
    expect(await left(table, column), table).toEqual([young, open]);
});

it('providers that asked for less mail are forgotten two days after their wait', async () => {
  for (const [domain, until] of [
    ['old.co.uk', '49 hours'],
    ['young.co.uk', '47 hours'],
  ])
    await change(sql`
      insert into slow_domains (workspace_id, domain, until, times)
      values (${owner.workspaceId}, ${domain}, now() - ${until}::interval, 3)`);
  await test.nightly();
  const { rows } = await sql<{ domain: string }>`
    select domain from slow_domains where workspace_id = ${owner.workspaceId}`.execute(test.owner.system);
  expect(rows).toEqual([{ domain: 'young.co.uk' }]);
});

it('a provider that asks for less mail waits longer each time, and as at first after some hours', async () => {
  const { workspaceId } = owner;
  const mailingId = await receipt('ann@strict.co.uk');
  const asks = async () => {
    await test.database.asTenant(workspaceId, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        select id from sends where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
      const sends = rows.map(({ id }) => ({ id, seconds: 900 }));
      await slowDown(tx, { workspaceId, mailingId }, sends);
    });
    const { rows } = await sql<{ times: number; minutes: number }>`
      select times, round(extract(epoch from until - now()) / 60)::int as minutes from slow_domains
      where workspace_id = ${workspaceId}`.execute(test.owner.system);
    return rows;
  };
  const waited = (hours: number) =>
    change(sql`
      update slow_domains set until = now() - make_interval(hours => ${hours}::int)
      where workspace_id = ${workspaceId}`);
  expect(await asks()).toEqual([{ times: 1, minutes: 15 }]);
  await waited(1);
  expect(await asks()).toEqual([{ times: 2, minutes: 30 }]);
  await waited(5);
  expect(await asks()).toEqual([{ times: 3, minutes: 60 }]);
  await waited(20);
  expect(await asks()).toEqual([{ times: 1, minutes: 15 }]);
});
