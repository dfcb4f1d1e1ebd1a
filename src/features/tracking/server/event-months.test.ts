import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { keepEventMonths } from './event-months.ts';

let tracked: Tracked;
let mailing: Mailing;

beforeAll(async () => {
  tracked = await openTracked();
  mailing = await tracked.mailing({ html: '<a href="https://tea.co.uk">Tea</a>' });
});
afterAll(() => tracked.test.close());

const owner = () => tracked.test.owner.system;
const parts = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ part: string; count: number }>`
    select tableoid::regclass::text as part, count(*) as count from tracking_events group by 1`.execute(
    owner(),
  );
  return Object.fromEntries(rows.map(({ part, count }) => [part, count]));
};
const months = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'tracking_events'::regclass order by 1`.execute(owner());
  return rows.map(({ name }) => name);
};
/** As in a new installation. */
beforeEach(async () => {
  for (const month of await months())
    if (month !== 'tracking_events_rest') await sql.raw(`drop table ${month}`).execute(owner());
  await sql`truncate tracking_events`.execute(owner());
});

const open = async () => {
  const send = await tracked.send(mailing);
  const url = mailing.linksOf(send.sendId).pixel.replace(/^https?:\/\/[^/]+/, '');
  const headers = { 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/605' };
  expect((await tracked.test.app.inject({ url, headers })).statusCode).toBe(200);
  return send;
};
const monthOf = (moment: Date) => `tracking_events_${moment.toISOString().slice(0, 7).replace('-', '_')}`;

describe('events', () => {
  it('are written before their month is there, and it takes them over', async () => {
    expect(await months()).toEqual(['tracking_events_rest']);
    await open();
    expect(await parts()).toEqual({ tracking_events_rest: 1 });
    const [first, second] = await Promise.all([
      keepEventMonths(tracked.test.database.system),
      keepEventMonths(tracked.test.database.system),
    ]);
    expect(first.made + second.made).toBe(3);
    expect(await parts()).toEqual({ [monthOf(new Date())]: 1 });
    await open();
    expect(await parts()).toEqual({ [monthOf(new Date())]: 2 });
    expect(await keepEventMonths(tracked.test.database.system)).toEqual({ made: 0, dropped: 0 });
  });

  it('are dropped by whole months after 25, and no sooner, and their figures stay', async () => {
    await keepEventMonths(tracked.test.database.system);
    const send = await open();
    const ago = async (count: number) => {
      const { rows } = await sql<{ at: Date }>`
        select date_trunc('month', now(), 'UTC') - make_interval(months => ${count}::int) as at`.execute(
        owner(),
      );
      const at = rows[0]?.at as Date;
      await sql`select make_event_months(${at}, 1)`.execute(owner());
      await sql`
        insert into tracking_events (workspace_id, mailing_id, send_id, kind, at, agent, is_human, judged_by)
        values (${send.workspaceId}, ${send.mailingId}, ${send.sendId}, 'open', ${at}, 'person', true, 1)`.execute(
        owner(),
      );
      return monthOf(at);
    };
    const [kept, gone, long] = [await ago(25), await ago(26), await ago(40)];
    const { rows: before } = await sql`select * from mailing_hours`.execute(owner());
    expect(await keepEventMonths(tracked.test.database.system)).toMatchObject({ made: 0, dropped: 2 });
    const left = await months();
    expect([left.includes(kept), left.includes(gone), left.includes(long)]).toEqual([true, false, false]);
    expect((await sql`select * from mailing_hours`.execute(owner())).rows).toEqual(before);
    // Nobody drops younger ones by asking for fewer months.
    await sql`select drop_event_months(1)`.execute(tracked.test.database.system);
    expect(await months()).toContain(monthOf(new Date()));
  });

  it('of a workspace are not to be read around its policy, by month', async () => {
    await keepEventMonths(tracked.test.database.system);
    await open();
    const client = new pg.Client({ connectionString: tracked.test.database.pool.options.connectionString });
    await client.connect();
    try {
      await client.query('set role email_manager_app').catch(() => undefined);
      for (const part of await months())
        await expect(client.query(`select from ${part}`)).rejects.toThrow('permission denied');
      expect((await client.query('select from tracking_events')).rows).toEqual([]);
    } finally {
      await client.end();
    }
  });
});
