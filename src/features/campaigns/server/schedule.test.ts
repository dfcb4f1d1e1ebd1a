import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import { openSendingApp, plainCampaign } from '#test/support/sending-app.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// What was scheduled, when its time has passed.

const app = openSendingApp({ anew: 'owner', people: 1, hasMailServer: false });
const { call, stands } = app;

const hours = (many: number) => new Date(Date.now() + many * 3_600_000).toISOString();

/** A campaign whose time passed so many hours ago, when the product was not running. */
async function missedBy(late: number): Promise<number> {
  const { id } = await call('POST', '/api/campaigns', plainCampaign);
  const scheduled = await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: hours(1) });
  expect(scheduled).toMatchObject({ httpStatus: 200, status: 'scheduled' });
  await sql`update campaigns set send_at = now() - make_interval(mins => ${late * 60}::int) where id = ${id}`.execute(
    app.test.owner.system,
  );
  return id;
}
/** Once, and not when the minute is full. Answers the job's id. */
async function sendDueNow(): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into pgboss.job (name) values ('campaigns.send-due') returning id`.execute(app.test.owner.system);
  return rows[0]?.id;
}

it('a campaign that is more than two hours late asks, and leaves when somebody says so', async () => {
  const [late, soon] = [await missedBy(2.1), await missedBy(1.9)];
  await sendDueNow();
  await stands(soon, { status: 'completed', sent: 1, notice: null });
  await stands(late, { status: 'scheduled', notice: expect.stringContaining('more than two hours ago') });
  expect((await call('GET', '/api/outbox/messages')).items).toHaveLength(1);
  await call('POST', `/api/campaigns/${late}/send`);
  await stands(late, { status: 'completed', sent: 1, notice: null });
});

it('a campaign that is late takes another time', async () => {
  const id = await missedBy(5);
  await sendDueNow();
  await stands(id, { status: 'scheduled', notice: expect.stringContaining('more than two hours ago') });
  const moved = await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: hours(3) });
  expect(moved).toMatchObject({ status: 'scheduled', notice: null });
});

describe('a campaign by the clocks of its recipients', () => {
  /** One whose hour has come in most zones. It was scheduled so many hours ago; null: unknown. */
  async function zoned(ago: number | null): Promise<number> {
    const { id } = await call('POST', '/api/campaigns', plainCampaign);
    const when = { sendAt: hours(20), byRecipientZone: true };
    const scheduled = await call('POST', `/api/campaigns/${id}/schedule`, when);
    expect(scheduled).toMatchObject({ status: 'scheduled', byRecipientZone: true });
    await sql`
      update campaigns set send_at = now() + interval '1 hour',
        scheduled_at = now() - make_interval(mins => ${ago === null ? null : ago * 60}::int)
      where id = ${id}`.execute(app.test.owner.system);
    return id;
  }
  const late = { status: 'scheduled', notice: expect.stringContaining('more than two hours ago') };

  it('asks when its first recipients missed their hour by more than two', async () => {
    const id = await zoned(48);
    await sendDueNow();
    await stands(id, late);
    // Whoever chooses a time again, even an hour that has come for some, has decided.
    await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: hours(3) });
    await sendDueNow();
    await stands(id, { status: 'sending', notice: null, byRecipientZone: true });
  });

  it('leaves when it was scheduled after that hour, unless it has waited for more than two since', async () => {
    const [soon, waited] = [await zoned(1.9), await zoned(2.1)];
    await sendDueNow();
    await stands(soon, { status: 'sending', notice: null });
    await stands(waited, late);
  });

  it('asks when nobody knows when it was scheduled', async () => {
    const id = await zoned(null);
    await sendDueNow();
    await stands(id, late);
  });
});

it.each([
  ['two that are due', 1.5, 1],
  ['two that are late', 4, 3],
])('of %s, one that is moved meanwhile keeps its new time', async (_, first, second) => {
  const { system } = app.test.owner;
  const [begun, moved] = [await missedBy(first), await missedBy(second)];
  const job = await app.test.database.asTenant(app.owner.workspaceId, async (tx) => {
    await sql`select from campaigns where id = ${begun} for update`.execute(tx);
    const id = await inBackground(sendDueNow);
    await vi.waitFor(async () => expect(await waitingForLocks(app.test)).toBeGreaterThan(0), {
      timeout: 30_000,
    });
    const move = { sendAt: hours(3) };
    const answer = await inBackground(() => call('POST', `/api/campaigns/${moved}/schedule`, move));
    expect(answer).toMatchObject({ httpStatus: 200, status: 'scheduled' });
    return id;
  });
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select state from pgboss.job where id = ${job}`.execute(system);
      expect(rows).toEqual([{ state: 'completed' }]);
    },
    { timeout: 30_000 },
  );
  const missed = expect.stringContaining('more than two hours ago');
  await stands(
    begun,
    second > 2 ? { status: 'scheduled', notice: missed } : { status: 'completed', sent: 1 },
  );
  await stands(moved, { status: 'scheduled', notice: null, totalRecipients: 0 });
});

it('no campaign is scheduled for a time that has passed', async () => {
  const { id } = await call('POST', '/api/campaigns', plainCampaign);
  const refused = await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: hours(-0.01) });
  expect(refused).toMatchObject({
    httpStatus: 400,
    fields: { sendAt: expect.stringContaining('has passed') },
  });
  await stands(id, { status: 'draft' });
});

it('a campaign leaves, and is scheduled, as it was looked at', async () => {
  const { id, updatedAt } = await call('POST', '/api/campaigns', plainCampaign);
  const changed = await call('PUT', `/api/campaigns/${id}`, { subject: 'Of somebody else' });
  for (const [step, more] of [
    ['send', {}],
    ['schedule', { sendAt: hours(3) }],
  ] as const)
    expect(await call('POST', `/api/campaigns/${id}/${step}`, { updatedAt, ...more })).toMatchObject({
      httpStatus: 409,
      code: 'changed_meanwhile',
    });
  await stands(id, { status: 'draft' });
  const seen = { updatedAt: changed.updatedAt };
  // To be scheduled changes nothing of it.
  await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: hours(3), ...seen });
  await stands(id, { status: 'scheduled' });
  await call('POST', `/api/campaigns/${id}/send`, seen);
  await stands(id, { status: 'completed', sent: 1 });
});

it('a campaign moves only from the time at which it was seen', async () => {
  const { id } = await call('POST', '/api/campaigns', plainCampaign);
  const schedule = (more: object) => call('POST', `/api/campaigns/${id}/schedule`, more);
  const [first, second, third] = [hours(3), hours(4), hours(5)];
  const overtaken = { httpStatus: 409, code: 'changed_meanwhile' };
  // It was never scheduled.
  expect(await schedule({ sendAt: second, seenSendAt: first })).toMatchObject(overtaken);
  await schedule({ sendAt: first });
  expect(await schedule({ sendAt: second, seenSendAt: first })).toMatchObject({ sendAt: second });
  expect(await schedule({ sendAt: third, seenSendAt: first })).toMatchObject(overtaken);
  await stands(id, { status: 'scheduled', sendAt: second });
  await call('POST', `/api/campaigns/${id}/cancel`);
  expect(await schedule({ sendAt: third, seenSendAt: second })).toMatchObject(overtaken);
  await stands(id, { status: 'draft', sendAt: null });
});

it.each([
  // The clocks show 01:30 twice in this night.
  ['2098-10-26T00:30:00.000Z', '2098-10-26T00:30:00.000Z'],
  ['2098-10-26T01:30:00.000Z', '2098-10-26T00:30:00.000Z'],
  // They show 02:30, half an hour after the hour that is left out.
  ['2098-03-30T01:30:00.000Z', '2098-03-30T01:30:00.000Z'],
])(
  'a campaign for %s leaves then, and by the clocks of recipients at %s in London',
  async (sendAt, byClock) => {
    const { id } = await call('POST', '/api/campaigns', plainCampaign);
    const schedule = (more: object) =>
      call('POST', `/api/campaigns/${id}/schedule`, { sendAt, byRecipientZone: false, ...more });
    expect(await schedule({})).toMatchObject({ status: 'scheduled', sendAt });
    expect(await schedule({ byRecipientZone: true })).toMatchObject({ status: 'scheduled', sendAt: byClock });
  },
);

it('a campaign that is scheduled cannot be archived, and one that is archived comes back by it', async () => {
  const { id } = await call('POST', '/api/campaigns', plainCampaign);
  const archive = () => call('POST', `/api/campaigns/${id}/archive`);
  expect(await archive()).toMatchObject({ httpStatus: 200, archivedAt: expect.any(String) });
  await call('POST', `/api/campaigns/${id}/schedule`, { sendAt: hours(1) });
  await stands(id, { status: 'scheduled', archivedAt: null });
  expect(await archive()).toMatchObject({
    ...{ httpStatus: 409, message: 'Cancel the schedule of this campaign first.' },
  });
  await call('POST', `/api/campaigns/${id}/cancel`);
  expect(await archive()).toMatchObject({ httpStatus: 200, archivedAt: expect.any(String) });
  await call('POST', `/api/campaigns/${id}/send`);
  await stands(id, { status: 'completed', archivedAt: null });
});

it('a campaign that two people archive at once is archived, and brought back as plainly', async () => {
  const { id } = await call('POST', '/api/campaigns', plainCampaign);
  const archive = (archived: boolean) => call('POST', `/api/campaigns/${id}/archive`, { archived });
  const { archivedAt } = await archive(true);
  expect(archivedAt).toEqual(expect.any(String));
  expect(await archive(true)).toMatchObject({ httpStatus: 200, archivedAt });
  for (let times = 0; times < 2; times++)
    expect(await archive(false)).toMatchObject({ httpStatus: 200, archivedAt: null });
  const { items } = await call('GET', '/api/audit?limit=20');
  const told = items.map((one: { action: string }) => one.action);
  expect(told.filter((action: string) => /[.](un)?archived$/.test(action))).toEqual([
    'campaign.unarchived',
    'campaign.archived',
  ]);
});
