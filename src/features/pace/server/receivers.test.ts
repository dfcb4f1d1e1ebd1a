import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { type DnsServer, startDnsServer } from '#test/support/dns-server.ts';
import { openSendingApp } from '#test/support/sending-app.ts';

// Limits of single receivers, over the wire. Google takes the mail of two of the three domains.

const google = { mx: [{ exchange: 'aspmx.l.google.com', priority: 1 }] };
let dns: DnsServer;

const app = openSendingApp({
  anew: 'owner',
  environment: async () => {
    dns = await startDnsServer({
      'one.co.uk': google,
      'two.co.uk': google,
      'else.co.uk': { mx: [{ exchange: 'mx.else.co.uk', priority: 1 }] },
    });
    return { DNS_SERVERS: dns.address };
  },
});
const { call, bring, send } = app;

beforeEach(async () => {
  await sql`delete from domain_mail`.execute(app.test.owner.system);
  for (const name of ['one', 'two', 'else']) await bring(20, `${name}.co.uk`);
});
afterAll(() => dns.close());

/** Sends to all at full speed. Whose servers take the mail is found out meanwhile. */
async function learnProviders(): Promise<void> {
  await stands(await send(), 60);
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        select domain, provider from domain_mail where domain like '%.co.uk' order by domain`.execute(
        app.test.owner.system,
      );
      expect(rows).toEqual([
        { domain: 'else.co.uk', provider: 'else.co.uk' },
        { domain: 'one.co.uk', provider: 'google.com' },
        { domain: 'two.co.uk', provider: 'google.com' },
      ]);
    },
    { timeout: 20_000, interval: 50 },
  );
  app.peer.taken.length = 0;
}

const stands = (id: number, sent: number) => app.stands(id, { sent, pending: 60 - sent });
const takenAt = (domain: string) => app.peer.taken.filter(({ to }) => to.endsWith(`@${domain}`)).length;
const makeDue = () =>
  sql`update send_parts set lease_until = now() where status = 'open'`.execute(app.test.owner.system);

it('finds out beside the sending whose servers take the mail', () => learnProviders());

it('holds back all domains of a provider together, and no others', async () => {
  await learnProviders();
  const receivers = [{ receiver: 'google.com', perHour: 600 }];
  expect(await call('PATCH', '/api/pace', { receivers })).toMatchObject({ httpStatus: 200, receivers });
  expect((await call('GET', '/api/pace')).receivers).toEqual(receivers);
  const id = await send();
  // A minute's worth for Google, and all of the others.
  await stands(id, 30);
  expect(takenAt('else.co.uk')).toBe(20);
  expect(takenAt('one.co.uk') + takenAt('two.co.uk')).toBe(10);
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=deferred`);
  expect(items).toHaveLength(30);
  expect(new Set(items.map(({ reason }: { reason: string }) => reason))).toEqual(new Set(['receiver_pace']));
  // Looked at again before its time, nothing more leaves.
  await makeDue();
  await new Promise((resolve) => setTimeout(resolve, 700));
  await stands(id, 30);
  // Each has its place, and none is asked about again when its time comes.
  await sql`update sends set due_at = now() where state = 'deferred'`.execute(app.test.owner.system);
  await makeDue();
  await call('POST', `/api/campaigns/${id}/pause`);
  await call('POST', `/api/campaigns/${id}/resume`);
  await stands(id, 60);
  expect(takenAt('one.co.uk') + takenAt('two.co.uk')).toBe(40);
});

it('keeps the nearer limit of a domain, and forgets a limit that is gone', async () => {
  await learnProviders();
  const receivers = [
    { receiver: 'google.com', perHour: 100_000 },
    { receiver: 'else.co.uk', perHour: 1 },
    { receiver: 'one.co.uk', perHour: 60 },
  ];
  await call('PATCH', '/api/pace', { receivers });
  const id = await send();
  await stands(id, 22);
  expect([takenAt('one.co.uk'), takenAt('two.co.uk'), takenAt('else.co.uk')]).toEqual([1, 20, 1]);
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=deferred`);
  const reasons = items
    .filter(({ address }: { address: string }) => address.endsWith('@else.co.uk'))
    .map(({ reason }: { reason: string }) => reason);
  // The hour of one message is full: one has the place an hour ahead, and the others ask then.
  expect(reasons.filter((reason: string) => reason === 'receiver_pace')).toHaveLength(1);
  expect(reasons.filter((reason: string) => reason === 'receiver_full')).toHaveLength(18);
  await call('PATCH', '/api/pace', { receivers: [] });
  await sql`update sends set due_at = now() where reason = 'receiver_full'`.execute(app.test.owner.system);
  await makeDue();
  await call('POST', `/api/campaigns/${id}/pause`);
  await call('POST', `/api/campaigns/${id}/resume`);
  await stands(id, 40);
  await call('POST', `/api/campaigns/${id}/cancel`);
  await app.stands(id, {
    ...{ status: 'cancelled', totalRecipients: 60, sent: 40, skipped: 20, pending: 0 },
  });
});

it.each([
  [[{ receiver: 'google', perHour: 1 }]],
  [[{ receiver: 'google.com', perHour: 0 }]],
  [
    [
      { receiver: 'google.com', perHour: 5 },
      { receiver: 'Google.com', perHour: 6 },
    ],
  ],
])('refuses %j', async (receivers) => {
  expect((await call('PATCH', '/api/pace', { receivers })).httpStatus).toBe(400);
});
