import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// A workspace whose own mail server is slow has six campaigns under way: minutes of work. Nobody
// else waits for it, and its campaigns take turns.

const people = 500;

let slow: SmtpPeer;
let fast: SmtpPeer;
let test: TestApp;
let busy: SignedIn;
let other: SignedIn;
let campaigns: number[];

beforeAll(async () => {
  [slow, fast] = await Promise.all([openSmtpPeer(), openSmtpPeer()]);
  slow.delayMs = 500;
  test = await openTestApp({ SMTP_URL: fast.url, ALLOW_PRIVATE_SMTP: 'on' });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
  [busy, other] = [await signUp(test.app), await signUp(test.app)];
  await call(busy, 'POST', '/api/smtp-servers', {
    ...{ name: 'Slow', host: '127.0.0.1', port: slow.port, tls: 'none' },
  });
  for (const [who, count] of [
    [busy, people],
    [other, 60],
  ] as const) {
    const lines = Array.from({ length: count }, (_, n) => `p${n}@shop.co.uk`);
    await importCsv(test.app, who.cookie, `email\n${lines.join('\n')}\n`);
  }
  campaigns = await Promise.all(Array.from({ length: 6 }, () => send(busy)));
  await vi.waitFor(() => expect(slow.taken.length).toBeGreaterThan(5), { timeout: 20_000 });
}, 60_000);
afterAll(async () => {
  for (const id of campaigns) await call(busy, 'POST', `/api/campaigns/${id}/cancel`);
  await test.close();
  await Promise.all([slow.close(), fast.close()]);
});

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(who: SignedIn, method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { cookie: who.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}

async function send(who: SignedIn): Promise<number> {
  const written = { name: 'News', subject: 'News', content: 'Dear you', template: 'simple' };
  const { id } = await call(who, 'POST', '/api/campaigns', written);
  await call(who, 'POST', `/api/campaigns/${id}/send`);
  return id;
}
const receipt = (who: SignedIn, to: string) =>
  call(who, 'POST', '/api/send', { to, subject: 'Receipt', html: '<p>Thank you</p>' });
const takenBy = (peer: SmtpPeer, address: string) =>
  vi.waitFor(() => expect(peer.taken.some(({ to }) => to === address)).toBe(true), {
    timeout: 20_000,
    interval: 20,
  });
const finished = async () =>
  (await Promise.all(campaigns.map((id) => call(busy, 'GET', `/api/campaigns/${id}`)))).filter(
    ({ status }) => status !== 'sending',
  ).length;

it('messages of another workspace leave meanwhile', async () => {
  const id = await send(other);
  await receipt(other, 'ann@shop.co.uk');
  await takenBy(fast, 'ann@shop.co.uk');
  await vi.waitFor(
    async () =>
      expect(await call(other, 'GET', `/api/campaigns/${id}`)).toMatchObject({
        ...{ status: 'completed', sent: 60 },
      }),
    { timeout: 20_000, interval: 50 },
  );
  expect(await finished()).toBe(0);
});

it('a transactional message of the workspace itself gets the next connection', async () => {
  const before = slow.taken.length;
  await receipt(busy, 'ben@shop.co.uk');
  await takenBy(slow, 'ben@shop.co.uk');
  // Some hundred wait for a connection. The connections are five.
  expect(slow.taken.findIndex(({ to }) => to === 'ben@shop.co.uk') - before).toBeLessThan(25);
});

it('campaigns of one workspace take turns', async () => {
  const sent = async () =>
    Promise.all(
      campaigns.map(async (id): Promise<number> => (await call(busy, 'GET', `/api/campaigns/${id}`)).sent),
    );
  await vi.waitFor(async () => expect(Math.min(...(await sent()))).toBeGreaterThanOrEqual(5), {
    ...{ timeout: 100_000, interval: 200 },
  });
  // In a turn of one of four there are a dozen answers.
  expect(Math.max(...(await sent()))).toBeLessThan(50);
  expect(await finished()).toBe(0);
});
