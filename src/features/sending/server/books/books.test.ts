import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { openSendingApp } from '#test/support/sending-app.ts';

// Figures that somebody has bent are put right, and counted.

const people = 60;
const app = openSendingApp({
  people,
  anew: 'owner',
  environment: { METRICS_TOKEN: 'token-for-the-metrics' },
});
const { call, send, stands, letTheTimeCome } = app;

const bend = () =>
  sql`
    update send_parts set sent = sent + 3, failed = failed + 1, total = total + 4
    where workspace_id = ${app.owner.workspaceId}`.execute(app.test.owner.system);
async function corrected(): Promise<number> {
  const { body } = await app.test.app.inject({
    url: '/api/metrics',
    headers: { authorization: 'Bearer token-for-the-metrics' },
  });
  return Number(/^send_figures_corrected_total (\d+)$/m.exec(body)?.[1]);
}

const right = { sent: people, failed: 0, pending: 0, totalRecipients: people };

it('figures that are wrong when a campaign ends are corrected with its end', async () => {
  const before = await corrected();
  app.peer.treat = (to) => (to.startsWith('p1@') ? 'later' : 'take');
  const id = await send();
  await stands(id, { status: 'sending', sent: people - 1, pending: 1 });
  await bend();
  await stands(id, { sent: people + 2, failed: 1 });
  app.peer.treat = () => 'take';
  await letTheTimeCome();
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
  await sql`update mailings set books = null where id = ${id}`.execute(app.test.owner.system);
  await stands(id, { sent: people + 3 });
  await app.test.nightly();
  await stands(id, right);
  // This campaign and the receipt.
  expect(await corrected()).toBe(before + 2);
  await app.test.nightly();
  expect(await corrected()).toBe(before + 2);
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from mailings where ended_at is not null and reconciled_at is null`.execute(
    app.test.owner.system,
  );
  expect(rows[0]?.open).toBe(0);
});
