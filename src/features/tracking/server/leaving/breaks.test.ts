import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { followBreak } from './breaks.ts';
import { deletePause, upsertPause } from './pause-queries.ts';

// A break holds at once wherever its reader is mailed, and soon at the addresses that they have in
// the bin.

type Send = Awaited<ReturnType<Tracked['send']>>;

let tracked: Tracked;
/** People whose address was written wrong, was corrected, and who are in the bin. */
const inBin: (Send & { removalId: number; preferences: string })[] = [];
let slip: (typeof inBin)[number];

beforeAll(async () => {
  tracked = await openTracked();
  const mailing = await tracked.mailing({ html: '<p>Hello</p>' });
  const sends: Send[] = [];
  while (sends.length < 5) sends.push(await tracked.send(mailing, `slip${sends.length}@gmial.com`));
  await call('POST', '/api/verifications');
  const ids = sends.map(({ contactId }) => contactId);
  expect(await call('POST', '/api/review/corrections/accept', { ids })).toMatchObject({ corrected: 5 });
  for (const send of sends) {
    const { removalId } = await call('DELETE', `/api/emails/${send.contactId}`);
    const { preferences } = mailing.linksOf(send.sendId);
    inBin.push(Object.assign(send, { removalId, preferences }));
  }
  await migrateJobs(tracked.test.ownerUrl);
  await tracked.test.startWork();
});
afterAll(() => tracked.test.close());
beforeEach(() => {
  slip = inBin.pop() as typeof slip;
});

const call = async (method: 'POST' | 'DELETE', url: string, payload?: object) =>
  (
    await tracked.test.app.inject({
      ...{ method, url, headers: { cookie: tracked.owner.cookie } },
      ...(payload ? { payload } : {}),
    })
  ).json();
const choose = (form: Record<string, string>) =>
  tracked.test.app.inject({
    ...{ method: 'POST', url: slip.preferences.replace(/^https?:\/\/[^/]+/, '') },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

/** How many months a break goes on, by domain. */
async function breaks(): Promise<Record<string, number>> {
  const { rows } = await tracked.test.database.asTenant(slip.workspaceId, (tx) =>
    sql<{ domain: string; months: number }>`
      select domain, round(extract(day from until - now()) / 30.4)::int as months from mailing_pauses
      where workspace_id = ${slip.workspaceId} and local = ${slip.local}`.execute(tx),
  );
  return Object.fromEntries(rows.map(({ domain, months }) => [domain, months]));
}

/** Waits until the job has seen to the break. */
const become = (expected: Record<string, number>) =>
  expect.poll(breaks, { timeout: 20_000 }).toEqual(expected);

describe('a break of a reader with a contact in the bin', () => {
  it('is stored without the bin, and a job takes it there', async () => {
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`lock table removed_contacts in access exclusive mode`.execute(tx);
      const answer = await choose({ pause: '3' });
      expect([answer.statusCode, answer.body.includes('You get no marketing emails until')]).toEqual([
        200,
        true,
      ]);
      expect(await breaks()).toEqual({ 'gmial.com': 3 });
    });
    await become({ 'gmial.com': 3, 'gmail.com': 3 });
  });

  it('becomes shorter and ends there too', async () => {
    await choose({ pause: '6' });
    await become({ 'gmial.com': 6, 'gmail.com': 6 });
    await choose({ pause: '1' });
    await become({ 'gmial.com': 1, 'gmail.com': 1 });
    await choose({ do: 'end-pause' });
    await become({});
  });

  /** A break of three months at the address of the message, of which the job has not heard. */
  const beginBreak = () =>
    tracked.test.database.asTenant(slip.workspaceId, (tx) => upsertPause(tx, slip.workspaceId, slip, 3));
  const follow = () =>
    tracked.test.database.asTenant(slip.workspaceId, (tx) => followBreak(tx, slip.workspaceId, slip));

  it('reaches a contact that is back before the job', async () => {
    await beginBreak();
    const restored = await call('POST', `/api/removals/${slip.removalId}/restore`);
    expect(restored).toMatchObject({ restored: 1 });
    await follow();
    expect(await breaks()).toEqual({ 'gmial.com': 3, 'gmail.com': 3 });
  });

  it('ends at a contact that comes back before the job', async () => {
    await beginBreak();
    await follow();
    expect(await breaks()).toEqual({ 'gmial.com': 3, 'gmail.com': 3 });
    await tracked.test.database.asTenant(slip.workspaceId, (tx) => deletePause(tx, slip.workspaceId, slip));
    await call('POST', `/api/removals/${slip.removalId}/restore`);
    await follow();
    expect(await breaks()).toEqual({});
  });

  it('stays at the address of the message when that is the one in the bin', async () => {
    slip.domain = 'gmail.com';
    await beginBreak();
    await follow();
    expect(await breaks()).toEqual({ 'gmail.com': 3 });
  });
});
