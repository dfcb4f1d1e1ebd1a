import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';
import { ServerLimit } from './server-limit.ts';

// Servers that take only so many messages an hour or a minute, over the wire.

const people = 80;
const app = openSendingApp({
  ...{ people, anew: 'owner' as const, environment: { ALLOW_PRIVATE_SMTP: 'on' } },
});
const { call, send, stands } = app;
const path = '/api/smtp-servers';

let first: SmtpPeer;
let second: SmtpPeer;
beforeAll(async () => {
  first = await openSmtpPeer();
  second = await openSmtpPeer();
});
beforeEach(() => {
  for (const peer of [first, second]) peer.taken.length = 0;
});
afterAll(async () => {
  await first.close();
  await second.close();
});

async function add(peer: SmtpPeer, name: string, more: object): Promise<number> {
  const server = { host: '127.0.0.1', port: peer.port, tls: 'none' };
  const added = await call('POST', path, { name, ...server, ...more });
  expect(added).toMatchObject({ httpStatus: 201, perHour: null, perMinute: null, ...more });
  return added.id;
}
const full = (name: string) =>
  `As many messages have left through your SMTP server ${name} as its limit allows. The rest leaves by itself.`;
/** What waits is tried now. */
const wake = () =>
  sql`update mailings set wait_until = null where workspace_id = ${app.owner.workspaceId}`.execute(
    app.test.owner.system,
  );

it.each([
  ['another server', { weight: 1 }],
  ['the fallback', { isFallback: true }],
])('what is over the limit of a server goes to %s', async (_, other) => {
  await add(first, 'Main', { weight: 100, perHour: 600 });
  await add(second, 'Other', other);
  await stands(await send(), { status: 'completed', sent: people, failed: 0, notice: null });
  // A minute's worth leaves at once.
  expect(first.taken.length).toBeGreaterThan(0);
  expect(first.taken.length).toBeLessThanOrEqual(11);
  expect(first.taken.length + second.taken.length).toBe(people);
  expect(app.peer.taken).toEqual([]);
});

it('waits without another server, says why, and goes on when the limit is raised', async () => {
  const main = await add(first, 'Main', { perHour: 60 });
  const id = await send();
  await stands(id, { status: 'sending', sent: 1, pending: people - 1, failed: 0, notice: full('Main') });
  // Somebody waits for a receipt, and the server takes no more of these either.
  const { batch } = await call('POST', '/api/send', {
    to: 'ann@shop.co.uk',
    ...{ subject: 'Receipt', html: '<p>Thank you</p>' },
  });
  await vi.waitFor(
    async () => {
      const { items } = await call('GET', `/api/send?batch=${batch}`);
      expect(items).toMatchObject([{ state: 'pending', reason: full('Main') }]);
    },
    { timeout: 20_000, interval: 50 },
  );
  await wake();
  await new Promise((resolve) => setTimeout(resolve, 700));
  await stands(id, { status: 'sending', sent: 1, failed: 0, notice: full('Main') });
  expect(first.taken).toHaveLength(1);
  const raised = await call('PATCH', `${path}/${main}`, { perHour: null });
  expect(raised).toMatchObject({ httpStatus: 200, perHour: null });
  // A process believes for two seconds what it has read.
  await vi.waitFor(
    async () => {
      await wake();
      expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'completed', sent: people });
    },
    { timeout: 20_000, interval: 500 },
  );
  expect(first.taken).toHaveLength(people + 1);
});

it('goes on by itself, no faster than a minute allows', async () => {
  await add(first, 'Main', { perMinute: 600, perHour: 100_000 });
  await stands(await send(), { status: 'completed', sent: people, failed: 0, notice: null });
  const times = first.taken.map(({ at }) => at).sort((a, b) => a - b);
  expect(times).toHaveLength(people);
  // Fifty at once, and then one each 108.8 milliseconds. A message is counted before it leaves.
  const wholeMs = (times.at(-1) as number) - (times[0] as number);
  expect(wholeMs).toBeGreaterThan((people - 50) * 108.8 - 1_000);
});

it('is counted by all processes together', async () => {
  const id = await add(first, 'Main', { perHour: 1_200 });
  const db = openDatabase({ url: app.test.appUrl });
  try {
    const { workspaceId } = app.owner;
    const [one, other] = [0, 1].map(
      () => new ServerLimit({ db, log: createLogger('silent'), workspaceId, id }),
    ) as [ServerLimit, ServerLimit];
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? one : other).take(false)),
    );
    expect(waits.filter((ms) => ms === 0)).toHaveLength(20);
    for (const ms of waits) expect(ms).toBeLessThanOrEqual(31_000);
    expect([one.fullMs(false) > 0, other.fullMs(false) > 0]).toEqual([true, true]);
    // What goes first waits for one message only, the others for some.
    expect(one.fullMs(true)).toBeLessThan(5_000);
    expect(one.fullMs(false)).toBeGreaterThan(20_000);
    for (let n = 0; n < 5; n++) one.giveBack();
    await vi.waitFor(async () => expect(await other.take(true)).toBe(0), { timeout: 2_000, interval: 10 });
  } finally {
    await db.close();
  }
});

it('is full for a minute at most after the clock of the database was ahead', async () => {
  const id = await add(first, 'Main', { perMinute: 60 });
  const { workspaceId } = app.owner;
  const { system } = app.test.owner;
  await sql`update smtp_servers set minute_next_at = now() + interval '1 day' where id = ${id}`.execute(
    system,
  );
  const limit = new ServerLimit({ db: app.test.database, log: createLogger('silent'), workspaceId, id });
  expect(await limit.take(true)).toBeLessThanOrEqual(60_000);
  const { rows } = await sql<{ isSoon: boolean }>`
    select minute_next_at <= now() + interval '1 minute' as "isSoon" from smtp_servers
    where id = ${id}`.execute(system);
  expect(rows).toEqual([{ isSoon: true }]);
});

it.each([[{ perHour: 0 }], [{ perHour: 1.5 }], [{ perMinute: -1 }], [{ perMinute: 100_001 }]])(
  'refuses %j',
  async (limit) => {
    const [field] = Object.keys(limit) as [string];
    const server = { name: 'Main', host: '127.0.0.1', port: first.port, tls: 'none' };
    const refused = await call('POST', path, { ...server, ...limit });
    expect(refused).toMatchObject({ httpStatus: 400, fields: { [field]: expect.any(String) } });
  },
);
