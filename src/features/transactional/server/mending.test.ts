import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// Transactional messages wait for a mail server that somebody has to mend, and then leave by
// themselves.

let peer: SmtpPeer;
let test: TestApp;
let owner: SignedIn;

/** A product with a mail server of its own, which refuses the sign-in or not. */
async function open(refusesSignIn: boolean): Promise<void> {
  peer = await openSmtpPeer();
  peer.refusesSignIn = refusesSignIn;
  test = await openTestApp({ SMTP_URL: peer.url.replace('//', '//shop:expired@') });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
  owner = await signUp(test.app);
}
afterEach(async () => {
  await test.close();
  await peer.close();
});

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}
const send = (to: string) => call('POST', '/api/send', { to, subject: 'Receipt', html: '<p>Thank you</p>' });

const stands = (batch: number, expected: { state: string; reason: unknown }) =>
  vi.waitFor(
    async () => expect((await call('GET', `/api/send?batch=${batch}`)).items).toMatchObject([expected]),
    { timeout: 20_000, interval: 30 },
  );

/** Seconds until it is tried again. */
async function waits(batch: number): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from wait_until - clock_timestamp())::float8 as seconds from mailings where id = ${batch}`.execute(
    test.owner.system,
  );
  return rows[0]?.seconds ?? 0;
}
const letTheTimeCome = (batch: number) =>
  sql`update mailings set wait_until = clock_timestamp() where id = ${batch}`.execute(test.owner.system);

it('a message waits while the mail server refuses the sign-in, says why, and leaves once it is mended', async () => {
  await open(true);
  const { batch } = await send('ann@shop.co.uk');
  await stands(batch, { state: 'pending', reason: expect.stringContaining('The password has expired') });
  expect(await waits(batch)).toBeGreaterThan(50);
  expect(await waits(batch)).toBeLessThanOrEqual(60);
  // What has waited for long is tried less often.
  await sql`update mailings set started_at = started_at - interval '1 day' where id = ${batch}`.execute(
    test.owner.system,
  );
  await letTheTimeCome(batch);
  await vi.waitFor(async () => expect(await waits(batch)).toBeGreaterThan(280), { timeout: 20_000 });
  expect(await waits(batch)).toBeLessThanOrEqual(300);
  peer.refusesSignIn = false;
  await letTheTimeCome(batch);
  await stands(batch, { state: 'sent', reason: null });
  expect(peer.taken.filter(({ to }) => to === 'ann@shop.co.uk')).toHaveLength(1);
});

it('a message waits while the account may not send, and leaves later', async () => {
  await open(false);
  peer.treat = () => 'account';
  const { batch } = await send('ben@shop.co.uk');
  await stands(batch, { state: 'pending', reason: expect.stringContaining('Email address is not verified') });
  expect(await waits(batch)).toBeGreaterThan(50);
  // The three days begin in which it is tried.
  const { rows } = await sql<{ isTried: boolean }>`
    select tried_since = handed_at as "isTried" from sends where mailing_id = ${batch}`.execute(
    test.owner.system,
  );
  expect(rows).toEqual([{ isTried: true }]);
  peer.treat = () => 'take';
  await letTheTimeCome(batch);
  await stands(batch, { state: 'sent', reason: null });
});
