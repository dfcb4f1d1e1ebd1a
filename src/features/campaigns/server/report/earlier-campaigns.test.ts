import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
});
afterAll(() => test.close());

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}

const day = (number: number, time: string) => `2026-11-${String(number).padStart(2, '0')}T${time}:00Z`;

interface Mailed {
  /** The day it was sent, from nine o'clock to noon. */
  on: number;
  sent?: number;
  returned?: number;
  status?: string;
  kind?: string;
  tracksOpens?: boolean;
  workspaceId?: number;
  /** Hours after nine, people, and machines alone. */
  opens?: [number, number, number][];
}

/** A mailing of whose messages the first left half an hour after it began. Returns its number. */
async function mailed({ on, sent = 100, returned = 0, opens = [], ...other }: Mailed): Promise<number> {
  const { status = 'completed', kind = 'campaign', tracksOpens = true } = other;
  const { workspaceId = owner.workspaceId } = other;
  const db = test.owner.system;
  const books = JSON.stringify({ total: 100, sent, failed: 100 - sent });
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
      tracks_clicks, started_at, ended_at, books)
    values (${workspaceId}, ${kind}, ${status}, 'News', 'A', 'a@shop.co.uk', 'News', '', '', ${tracksOpens}, true,
      ${day(on, '02:00')}, ${day(on, '12:00')}, ${books}::jsonb) returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at)
    values (${workspaceId}, ${id}, 1, 'ann', 'shop.co.uk', 'sent', ${day(on, '11:59')}),
      (${workspaceId}, ${id}, 2, 'bob', 'shop.co.uk', 'sent', ${day(on, '09:30')}),
      (${workspaceId}, ${id}, 3, 'tom', 'shop.co.uk', 'skipped', null)`.execute(db);
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, status, total, sent)
    values (${workspaceId}, ${id}, 1, 3, 'done', 3, 2)`.execute(db);
  for (const [after, people, machines] of opens)
    await sql`
      insert into mailing_hours (workspace_id, mailing_id, hour, opened, human_opened)
      values (${workspaceId}, ${id}, ${day(on, '09:00')}::timestamptz + ${after} * interval '1 hour',
        ${people + machines}, ${people})`.execute(db);
  if (returned > 0)
    await sql`
      insert into mailing_bounces (workspace_id, mailing_id, hard, returned)
      values (${workspaceId}, ${id}, ${returned}, ${returned})`.execute(db);
  return id;
}

/** The report of a campaign that was sent at eight o'clock of a day. */
async function reportOf(on: number, trackOpens = true) {
  const written = { name: 'News', subject: 'News', content: 'Hello', template: 'simple', trackOpens };
  const { id } = await call('POST', '/api/campaigns', written);
  const mailingId = await mailed({ on });
  await sql`
    update campaigns set status = 'sent', sent_at = ${day(on, '08:00')}, mailing_id = ${mailingId}
    where workspace_id = ${owner.workspaceId} and id = ${id}`.execute(test.owner.system);
  return call('GET', `/api/campaigns/${id}/report`);
}

it('a report tells how the last five campaigns were opened before', async () => {
  expect((await reportOf(1)).earlier).toBeNull();
  await mailed({ on: 2, opens: [[0, 100, 0]] });
  expect((await reportOf(3)).earlier).toMatchObject({
    campaigns: 2,
    hours: [{ after: 0, hours: 1, opened: 0.5, machines: { opened: 0 } }],
  });
  await mailed({ on: 4, opens: [[0, 10, 20]] });
  await mailed({ on: 5, opens: [[5, 40, 0]] });
  await mailed({ on: 6, returned: 50, opens: [[0, 10, 5]] });
  await mailed({ on: 7, opens: [[50, 20, 0]] });
  await mailed({ on: 8 });
  // None of these is compared with: each differs from the others in one thing.
  const opens: [number, number, number][] = [[0, 100, 0]];
  await mailed({ on: 8, opens, status: 'cancelled' });
  await mailed({ on: 8, opens, kind: 'test' });
  await mailed({ on: 8, opens, tracksOpens: false });
  await mailed({ on: 8, opens, sent: 0 });
  await mailed({ on: 10, opens });
  const other = await signUp(test.app, { email: 'other@elsewhere.co.uk' });
  await mailed({ on: 8, opens, workspaceId: other.workspaceId });
  const { earlier } = await reportOf(9);
  expect(earlier.campaigns).toBe(5);
  expect(earlier.hours).toEqual([
    { after: 0, hours: 1, opened: expect.closeTo(0.06), machines: { opened: expect.closeTo(0.06) } },
    { after: 5, hours: 1, opened: expect.closeTo(0.08), machines: { opened: 0 } },
    { after: 48, hours: 24, opened: expect.closeTo(0.04), machines: { opened: 0 } },
  ]);
  expect((await reportOf(12, false)).earlier).toBeNull();
});
