import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { importCsv } from '#test/support/app.ts';
import { openSendingApp, plainCampaign } from '#test/support/sending-app.ts';
import { signUp } from '#test/support/sign-in.ts';

// People pause and cancel campaigns, and readers leave, while messages are on their way.

const people = 1_500;
const app = openSendingApp();
const { call } = app;

/** After an answer, nothing leaves any more that it forbids. */
const graceMs = 1_000;

beforeAll(() => app.test.tasks.startWork());
beforeEach(async () => {
  // A busy machine has time to pause, or to hear of who leaves, before all have left.
  app.peer.delayMs = 180;
  app.owner = await signUp(app.test.app);
  const lines = Array.from({ length: people }, (_, n) => `p${n}@shop.co.uk`);
  const slips = Array.from({ length: 8 }, (_, n) => `slip${n}@gmial.com`);
  await importCsv(app.test.app, app.owner.cookie, `email\n${[...lines, ...slips].join('\n')}\n`, {
    options: { filterNonUk: false },
  });
  app.peer.taken.length = 0;
});
async function send(audience: object = {}): Promise<number> {
  const { id } = await call('POST', '/api/campaigns', { ...plainCampaign, audience });
  expect(await call('POST', `/api/campaigns/${id}/send`)).toMatchObject({ status: 'sending' });
  return id;
}
/** What campaigns have sent. The product's own mail goes to the owner. */
const toPeople = () => app.peer.taken.filter(({ to }) => /@(shop\.co\.uk|g\w+\.com)$/.test(to));

/** Waits until messages leave, and then for a moment that nobody knows. */
async function untilMoving(): Promise<void> {
  const before = app.peer.taken.length;
  await vi.waitFor(() => expect(app.peer.taken.length).toBeGreaterThan(before + 20), {
    timeout: 20_000,
    interval: 5,
  });
  await sleep(Math.random() * 250);
}

it('nothing leaves more than a second after the answer to a pause or to a cancellation', async () => {
  const silent: { from: number; to: number }[] = [];
  const stop = async (id: number, how: 'pause' | 'cancel') => {
    await untilMoving();
    expect((await call('POST', `/api/campaigns/${id}/${how}`)).httpStatus).toBe(200);
    const answeredAt = performance.now();
    await sleep(graceMs + 200);
    silent.push({ from: answeredAt + graceMs, to: performance.now() });
  };
  for (const pauses of [2, 1, 0]) {
    const id = await send();
    for (let n = 0; n < pauses; n += 1) {
      await stop(id, 'pause');
      await call('POST', `/api/campaigns/${id}/resume`);
    }
    await stop(id, 'cancel');
    expect((await call('GET', `/api/campaigns/${id}`)).sent).toBeLessThan(people);
  }
  expect(silent).toHaveLength(6);
  for (const { from, to } of silent) expect(toPeople().filter(({ at }) => at > from && at < to)).toEqual([]);
}, 60_000);

it('nobody is handed over who has left, or may not be mailed any more, while it leaves', async () => {
  await call('POST', '/api/verifications');
  // What readers unsubscribe by is in a message that they have.
  const list = await call('POST', '/api/lists', { name: 'Readers' });
  const { emails } = await call('GET', '/api/emails?search=p14&limit=100');
  const readers = emails.slice(0, 8) as { id: number; address: string }[];
  await call('POST', `/api/lists/${list.id}/contacts`, { ids: readers.map(({ id }) => id) });
  await send({ include: [{ list: list.id }] });
  await vi.waitFor(() => expect(toPeople()).toHaveLength(8), { timeout: 20_000 });
  const links = new Map(
    toPeople().map(({ to, raw }) => [to, /^List-Unsubscribe: <([^>]+)>/m.exec(raw)?.[1] ?? '']),
  );
  app.peer.taken.length = 0;

  const id = await send();
  await untilMoving();
  // However busy the machine is, most are still there when all have asked.
  app.peer.delayMs = 3_000;
  const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=pending&limit=1000`);
  const rest = (items as { contactId: number; address: string }[])
    .filter(({ address }) => !links.has(address) && !address.startsWith('slip'))
    // From everywhere, because messages leave in several ranges at once.
    .filter((_, n) => n % 40 === 20)
    .slice(0, 24);
  expect(rest).toHaveLength(24);
  const answered = new Map<string, number>();
  const done = (address: string, status: number) => {
    expect(status, address).toBeLessThan(300);
    answered.set(address, performance.now());
  };
  const refusals = rest.map(({ contactId, address }, n) => async () => {
    const asked =
      n % 3 === 0
        ? await call('POST', '/api/suppressions/email/manual', { email: address })
        : n % 3 === 1
          ? await call('PUT', `/api/emails/${contactId}/basis`, { basis: 'none' })
          : await call('DELETE', '/api/emails/bulk', { ids: [contactId] });
    done(address, asked.httpStatus);
  });
  const leavings = readers.map(({ address }) => async () => {
    const url = new URL(links.get(address) ?? '').pathname;
    done(address, (await app.test.app.inject({ method: 'POST', url })).statusCode);
  });
  const move = async () => {
    const moved = await call('POST', '/api/review/corrections/accept', {
      pattern: { from: 'gmial.com', to: 'gmail.com' },
    });
    expect(moved).toMatchObject({ httpStatus: 200, corrected: 8 });
    for (let n = 0; n < 8; n += 1) done(`slip${n}@gmial.com`, 200);
  };
  await Promise.all([move, ...leavings, ...refusals].map((ask) => ask()));
  expect(answered.size).toBe(40);
  app.peer.delayMs = 20;
  const campaign = await vi.waitFor(
    async () => {
      const now = await call('GET', `/api/campaigns/${id}`);
      expect(now.status).toBe('completed');
      return now;
    },
    { timeout: 30_000, interval: 50 },
  );
  for (const { to, at } of toPeople()) {
    const left = answered.get(to);
    if (left !== undefined) expect(at, to).toBeLessThan(left + graceMs);
  }
  // Most had their answer before their turn came.
  expect(campaign.skipped).toBeGreaterThan(16);
  expect(campaign.sent + campaign.skipped).toBe(people + 8);
}, 60_000);
