import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSendingApp, plainCampaign } from '#test/support/sending-app.ts';

// What was scheduled, when its time has passed.

const app = openSendingApp({ people: 1, hasMailServer: false });
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
/** Once, and not when the minute is full. */
const sendDueNow = () =>
  sql`insert into pgboss.job (name) values ('campaigns.send-due')`.execute(app.test.owner.system);

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
