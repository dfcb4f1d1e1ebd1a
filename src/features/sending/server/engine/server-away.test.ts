import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { openSendingApp } from '#test/support/sending-app.ts';
import { openSmtpPeer } from '#test/support/smtp-peer.ts';

// The mail server of the installation is away for an hour, and nobody is lost by it.

const people = 60;
const app = openSendingApp({ people, anew: 'product' });
const { call, send, stands, letTheTimeCome } = app;

const inSystem = (statement: ReturnType<typeof sql>) => statement.execute(app.test.owner.system);
it('a server that hangs up before each message loses nobody in an hour of tries', async () => {
  app.peer.treat = () => 'drop before';
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
  app.peer.treat = () => 'take';
  // A part that is at work at this moment is not woken.
  await vi.waitFor(
    async () => {
      await letTheTimeCome();
      const done = { status: 'completed', sent: people, failed: 0, pending: 0 };
      expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject(done);
    },
    { timeout: 20_000, interval: 200 },
  );
});

it('a server that goes away in the middle and comes back gets the rest', async () => {
  const { port } = app.peer;
  app.peer.delayMs = 200;
  const id = await send();
  await vi.waitFor(() => expect(app.peer.taken.length).toBeGreaterThan(5), { timeout: 20_000, interval: 5 });
  const { taken: before } = app.peer;
  await app.peer.close();
  await vi.waitFor(
    async () => {
      const { status, notice } = await call('GET', `/api/campaigns/${id}`);
      expect(status).toBe('sending');
      // At first it hangs up on those who are connected.
      if (/ECONNRESET/.test(notice)) await letTheTimeCome();
      expect(notice).toMatch(/cannot be reached.*It is tried again by itself/);
    },
    { timeout: 20_000, interval: 50 },
  );
  app.peer = await openSmtpPeer(port);
  await letTheTimeCome();
  await vi.waitFor(
    async () => {
      const { sent, uncertain, failed, pending } = await call('GET', `/api/campaigns/${id}`);
      expect({ all: sent + uncertain, failed, pending }).toEqual({ all: people, failed: 0, pending: 0 });
    },
    { timeout: 20_000, interval: 50 },
  );
  const took = [...before, ...app.peer.taken].map(({ to }) => to).filter((to) => to.endsWith('@shop.co.uk'));
  expect(new Set(took).size).toBe(took.length);
});

it('a server that refuses somebody and hangs up is told from one that is away', async () => {
  app.peer.treat = (to) => (to === 'p7@shop.co.uk' ? 'never' : 'take');
  app.peer.hangsUpOnRefusal = true;
  const id = await send();
  await stands(id, { status: 'completed', sent: people - 1, failed: 1, bounced: 1, pending: 0 });
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=failed`);
  expect(items).toMatchObject([{ address: 'p7@shop.co.uk', reply: '550 5.1.1 no such user', attempts: 1 }]);
  await vi.waitFor(
    async () => {
      const suppressed = await call('GET', '/api/suppressions/emails?search=shop.co.uk');
      expect(suppressed.items).toMatchObject([{ reason: 'bounced', note: '550 5.1.1 no such user' }]);
    },
    { timeout: 20_000, interval: 50 },
  );
});

it('a server that refuses the sender and hangs up pauses the campaign, and fails nobody', async () => {
  Object.assign(app.peer, { refusesSenders: true, hangsUpOnRefusal: true });
  const id = await send();
  await stands(id, { status: 'paused', sent: 0, failed: 0, pending: people });
  const { notice } = await call('GET', `/api/campaigns/${id}`);
  expect(notice).toContain('550 5.7.1 we take nothing from you');
});
