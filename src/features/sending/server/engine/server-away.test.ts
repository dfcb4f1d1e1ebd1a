import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// The mail server of the installation is away for an hour, and nobody is lost by it.

const people = 60;

let peer: SmtpPeer;
let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  peer = await openSmtpPeer();
  test = await openTestApp({ SMTP_URL: peer.url });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
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

const inSystem = (statement: ReturnType<typeof sql>) => statement.execute(test.owner.system);
/** Lets what waits for another try be tried now. */
async function letTheTimeCome(): Promise<void> {
  await inSystem(sql`update sends set due_at = now() where state = 'deferred'`);
  await inSystem(sql`update send_parts set lease_until = null where status = 'open' and lease is null`);
  await inSystem(sql`update mailings set wait_until = null`);
}

it('a server that hangs up before each message loses nobody in an hour of tries', async () => {
  peer.treat = () => 'drop before';
  const id = await send();
  await stands(id, { status: 'sending', pending: people, failed: 0 });
  await vi.waitFor(
    async () => {
      const { totalCount } = await call('GET', `/api/campaigns/${id}/recipients?state=deferred`);
      expect(totalCount).toBe(people);
    },
    { timeout: 20_000, interval: 50 },
  );
  // An hour later each has been tried again and again.
  await inSystem(
    sql`update sends set attempts = 60, tried_since = tried_since - interval '1 hour' where state = 'deferred'`,
  );
  await letTheTimeCome();
  await vi.waitFor(
    async () => {
      const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=deferred&limit=100`);
      expect(items).toHaveLength(people);
      for (const { attempts, dueAt } of items) {
        expect(attempts).toBe(61);
        // It waits longer than at first.
        expect(Date.parse(dueAt) - Date.now()).toBeGreaterThan(1_500_000);
      }
    },
    { timeout: 20_000, interval: 50 },
  );
  peer.treat = () => 'take';
  await letTheTimeCome();
  await stands(id, { status: 'completed', sent: people, failed: 0, pending: 0 });
});

it('a server that goes away in the middle and comes back gets the rest', async () => {
  const { port } = peer;
  peer.taken.length = 0;
  peer.delayMs = 200;
  const id = await send();
  await vi.waitFor(() => expect(peer.taken.length).toBeGreaterThan(5), { timeout: 20_000, interval: 5 });
  const { taken: before } = peer;
  await peer.close();
  await vi.waitFor(
    async () => {
      const { status, notice } = await call('GET', `/api/campaigns/${id}`);
      expect(status).toBe('sending');
      expect(notice).toMatch(/cannot be reached.*It is tried again by itself/);
    },
    { timeout: 20_000, interval: 50 },
  );
  peer = await openSmtpPeer(port);
  await letTheTimeCome();
  await vi.waitFor(
    async () => {
      const { sent, uncertain, failed, pending } = await call('GET', `/api/campaigns/${id}`);
      expect({ all: sent + uncertain, failed, pending }).toEqual({ all: people, failed: 0, pending: 0 });
    },
    { timeout: 20_000, interval: 50 },
  );
  const took = [...before, ...peer.taken].map(({ to }) => to).filter((to) => to.endsWith('@shop.co.uk'));
  expect(new Set(took).size).toBe(took.length);
});
