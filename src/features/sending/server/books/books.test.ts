import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// Figures that somebody has bent are put right, and counted.

const people = 60;

let peer: SmtpPeer;
let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  peer = await openSmtpPeer();
  test = await openTestApp({ SMTP_URL: peer.url, METRICS_TOKEN: 'token-for-the-metrics' });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
  const lines = Array.from({ length: people }, (_, n) => `p${n}@shop.co.uk`);
  await importCsv(test.app, owner.cookie, `email\n${lines.join('\n')}\n`);
});
afterAll(async () => {
  await test.close();
  await peer.close();
});

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}

async function send(): Promise<number> {
  const written = { name: 'News', subject: 'News', content: 'Dear you', template: 'simple' };
  const { id } = await call('POST', '/api/campaigns', written);
  await call('POST', `/api/campaigns/${id}/send`);
  return id;
}
const stands = (id: number, expected: object) =>
  vi.waitFor(async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject(expected), {
    timeout: 20_000,
    interval: 50,
  });
const bend = () =>
  sql`
    update send_parts set sent = sent + 3, failed = failed + 1, total = total + 4
    where workspace_id = ${owner.workspaceId}`.execute(test.owner.system);
async function corrected(): Promise<number> {
  const { body } = await test.app.inject({
    url: '/api/metrics',
    headers: { authorization: 'Bearer token-for-the-metrics' },
  });
  return Number(/^send_figures_corrected_total (\d+)$/m.exec(body)?.[1]);
}

const right = { sent: people, failed: 0, pending: 0, totalRecipients: people };

it('figures that are wrong when a campaign ends are corrected with its end', async () => {
  const before = await corrected();
  peer.treat = (to) => (to.startsWith('p1@') ? 'later' : 'take');
  const id = await send();
  await stands(id, { status: 'sending', sent: people - 1, pending: 1 });
  await bend();
  await stands(id, { sent: people + 2, failed: 1 });
  peer.treat = () => 'take';
  await sql`update sends set due_at = now() where state = 'deferred'`.execute(test.owner.system);
  await sql`update send_parts set lease_until = null where status = 'open' and lease is null`.execute(
    test.owner.system,
  );
  await stands(id, { status: 'completed', ...right });
  expect(await corrected()).toBe(before + 1);
});

it('figures that go wrong later are corrected at night, once', async () => {
  const id = await send();
  await stands(id, { status: 'completed', ...right });
  const { batch } = await call('POST', '/api/send', {
    to: 'ann@shop.co.uk',
    ...{ subject: 'Receipt', html: '<p>Thank you</p>' },
  });
  await vi.waitFor(
    async () => expect((await call('GET', `/api/send?batch=${batch}`)).items[0].endedAt).not.toBeNull(),
    { timeout: 20_000, interval: 50 },
  );
  const before = await corrected();
  await bend();
  await sql`update mailings set books = null where id = ${id}`.execute(test.owner.system);
  await stands(id, { sent: people + 3 });
  await test.nightly();
  await stands(id, right);
  // This campaign and the receipt.
  expect(await corrected()).toBe(before + 2);
  await test.nightly();
  expect(await corrected()).toBe(before + 2);
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from mailings where ended_at is not null and reconciled_at is null`.execute(
    test.owner.system,
  );
  expect(rows[0]?.open).toBe(0);
});
