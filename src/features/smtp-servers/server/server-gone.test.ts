import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';
import { londonClock } from '#platform/shared/london-time.ts';
import { openSendingApp } from '#test/support/sending-app.ts';

// The last server of a workspace goes while messages leave, in an installation without a server.

const app = openSendingApp({
  ...{ people: 60, anew: 'owner', hasMailServer: false, environment: { ALLOW_PRIVATE_SMTP: 'on' } },
});
const { call, send, stands } = app;
const path = '/api/smtp-servers';
let server: number;

async function addServer(): Promise<void> {
  const { port } = app.peer;
  const { id } = await call('POST', path, { name: 'Relay', host: '127.0.0.1', port, tls: 'none' });
  server = id;
}
beforeEach(addServer);

/** A process believes for two seconds that a server is on. */
const isSeen = () => new Promise((resolve) => setTimeout(resolve, 2_100));
const resume = (id: number) => call('POST', `/api/campaigns/${id}/resume`);
const kept = async () => (await call('GET', '/api/outbox/messages')).items;
const none = { perDay: null, quietHours: null };
const isGone = { status: 'paused', notice: expect.stringMatching(/No mail server takes its messages/) };

it('pauses a campaign of which some have left, and the rest leaves once it is on again', async () => {
  await call('PATCH', '/api/pace', { perDay: 10 });
  const id = await send();
  await stands(id, { sent: 10, notice: expect.stringMatching(/have left today/) });
  await call('PATCH', `${path}/${server}`, { isActive: false });
  await isSeen();
  await call('PATCH', '/api/pace', none);
  await stands(id, { ...isGone, sent: 10, pending: 50 });
  await resume(id);
  await stands(id, { ...isGone, sent: 10, pending: 50 });
  expect(await kept()).toEqual([]);
  expect(app.peer.taken).toHaveLength(10);
  await call('PATCH', `${path}/${server}`, { isActive: true });
  await resume(id);
  await stands(id, { status: 'completed', sent: 60 });
  expect(app.peer.taken).toHaveLength(60);
});

it('pauses a campaign that was begun with a server, before anything has left', async () => {
  const hour = Number(londonClock(new Date()).slice(11, 13));
  const pad = (n: number) => `${String((n + 24) % 24).padStart(2, '0')}:00`;
  await call('PATCH', '/api/pace', { quietHours: { from: pad(hour - 1), to: pad(hour + 2) } });
  const id = await send();
  await stands(id, { sent: 0, notice: expect.stringMatching(/quiet hours/) });
  await call('DELETE', `${path}/${server}`);
  await isSeen();
  await call('PATCH', '/api/pace', none);
  await stands(id, { ...isGone, sent: 0, pending: 60 });
  expect(await kept()).toEqual([]);
});

it('lets a transactional message wait, and never keeps it', async () => {
  app.peer.treat = () => 'later';
  const receipt = { to: 'ann@shop.co.uk', subject: 'Receipt', html: '<p>Thank you</p>' };
  const { batch } = await call('POST', '/api/send', receipt);
  const said = (state: string, reason: unknown) =>
    vi.waitFor(
      async () => {
        const { items } = await call('GET', `/api/send?batch=${batch}`);
        expect(items).toMatchObject([{ state, reason }]);
      },
      { timeout: 20_000, interval: 50 },
    );
  await said('deferred', expect.stringMatching(/try later/));
  await call('DELETE', `${path}/${server}`);
  await isSeen();
  await app.letTheTimeCome();
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ notice: string | null }>`
        select notice from mailings where id = ${batch}`.execute(app.test.owner.system);
      expect(rows[0]?.notice).toMatch(/No mail server takes its messages/);
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(await kept()).toEqual([]);
  app.peer.treat = () => 'take';
  await addServer();
  await app.letTheTimeCome();
  await said('sent', null);
  expect(app.peer.taken).toHaveLength(1);
});

it('keeps what is begun without one in the outbox', async () => {
  await call('PATCH', `${path}/${server}`, { isActive: false });
  await isSeen();
  await stands(await send(), { status: 'completed', sent: 60 });
  expect(await kept()).not.toEqual([]);
  expect(app.peer.taken).toEqual([]);
});
