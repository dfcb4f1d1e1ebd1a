import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { importCsv } from '#test/support/app.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { decideDue } from './decide-tests.ts';

// A/B tests over the wire: who gets which variant, what decides, and that nobody gets two.

const app = openSendingApp();
let db: Database;
const { call } = app;

beforeAll(() => {
  db = openDatabase({ url: app.test.appUrl });
});
afterAll(() => db.close());

/** A list of people of a domain of its own. */
async function listOf(domain: string, count: number): Promise<number> {
  const people = Array.from({ length: count }, (_, n) => `p${n}@${domain}`).join('\n');
  await importCsv(app.test.app, app.owner.cookie, `email\n${people}\n`);
  const { id } = await call('POST', '/api/lists', { name: domain });
  await call('POST', `/api/lists/${id}/contacts`, { filter: { domain } });
  return id;
}

const campaign = async (list: number, abTest: object): Promise<number> => {
  const body = {
    ...{ name: 'News', subject: 'Spring is here', template: 'simple' },
    content: 'Dear reader,\n\nsee https://harbour.co.uk/spring for it.',
    audience: { include: [{ list }] },
    abTest,
  };
  const { id } = await call('POST', '/api/campaigns', body);
  await call('POST', `/api/campaigns/${id}/send`);
  return id;
};

const until = (id: number, expected: object) =>
  vi.waitFor(
    async () => {
      const now = await call('GET', `/api/campaigns/${id}`);
      expect(now).toMatchObject(expected);
      return now;
    },
    { timeout: 20_000, interval: 50 },
  );

const taken = (domain: string) => app.peer.taken.filter(({ to }) => to.endsWith(`@${domain}`));
const withSubject = (domain: string, subject: string) =>
  taken(domain).filter(({ raw }) => raw.includes(`\r\nSubject: ${subject}\r\n`));

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
/** The text part's first counted link, as a reader follows it some time after the message came. */
async function follow(raw: string): Promise<string | undefined> {
  const body = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, path = ''] = /(\/c\/[\w-]+)/.exec(body) ?? [];
  const { headers } = await app.test.app.inject({
    method: 'GET',
    url: path,
    headers: { 'user-agent': browser },
  });
  return headers.location;
}
/** What is followed within seconds of the hand-over is followed by machines. */
const letTimePass = () =>
  sql`update sends set handed_at = handed_at - interval '1 hour'`.execute(app.test.owner.system);
const dueNow = () => sql`update mailing_tests set due_at = now()`.execute(app.test.owner.system);
const decideNow = () => decideDue(db, createLogger('silent'), () => {});

describe('an A/B test', () => {
  it('goes to its share in even parts, and to the rest as somebody decides', async () => {
    const id = await campaign(await listOf('hand.co.uk', 101), {
      ...{ share: 20, decideBy: 'hand' },
      variants: [{ subject: 'Tea is ready' }, { subject: 'Sale', fromName: 'Harbour Sale' }],
    });
    const during = await until(id, { sent: 21, pending: 80, totalRecipients: 101, status: 'sending' });
    expect(during.abTest).toMatchObject({ differs: 'subject', hours: 4 });
    const subjects = ['Spring is here', 'Tea is ready', 'Sale'];
    expect(subjects.map((subject) => withSubject('hand.co.uk', subject).length)).toEqual([7, 7, 7]);
    expect(withSubject('hand.co.uk', 'Sale')[0]?.raw).toMatch(/^From: Harbour Sale </m);
    const standing = (await call('GET', `/api/campaigns/${id}/test`)).test;
    expect(standing).toMatchObject({ winner: null, dueAt: null, share: 20 });
    expect(
      standing.variants.map(({ name, people, sent }: Record<string, unknown>) => [name, people, sent]),
    ).toEqual([
      ['A', 7, 7],
      ['B', 7, 7],
      ['C', 7, 7],
    ]);
    expect(await call('POST', `/api/campaigns/${id}/winner`, { variant: 4 })).toMatchObject({
      httpStatus: 404,
    });
    // Two who decide at once: one does.
    const both = await Promise.all(
      [2, 3].map((variant) => call('POST', `/api/campaigns/${id}/winner`, { variant })),
    );
    expect(both.map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 409]);
    const winner = (await call('GET', `/api/campaigns/${id}/test`)).test.winner;
    await until(id, { status: 'completed', sent: 101, pending: 0 });
    expect(withSubject('hand.co.uk', subjects[winner - 1] ?? '')).toHaveLength(87);
    // What most people got is sent again to whoever did not open it.
    expect(await call('POST', `/api/campaigns/${id}/resend`, {})).toMatchObject({
      subject: subjects[winner - 1],
      abTest: null,
    });
    expect(new Set(taken('hand.co.uk').map(({ to }) => to)).size).toBe(101);
  });

  it('is decided by what people did, once all of the test has left, and shows how sure that is', async () => {
    const id = await campaign(await listOf('clicks.co.uk', 40), {
      ...{ share: 50, decideBy: 'clicks', hours: 2, differs: 'content' },
      variants: [{ content: 'Dear reader,\n\nhttps://harbour.co.uk/tea is what you want.' }],
    });
    await until(id, { sent: 20, pending: 20 });
    const leadsTo = await Promise.all(taken('clicks.co.uk').map(async ({ raw, to }) => [to, raw] as const));
    const ofTea = leadsTo.filter(([, raw]) => raw.includes('is what you want'));
    expect(ofTea).toHaveLength(10);
    await letTimePass();
    // Each variant's links lead where it says.
    for (const [, raw] of ofTea.slice(0, 4)) expect(await follow(raw)).toBe('https://harbour.co.uk/tea');
    const ofSpring = leadsTo.filter(([, raw]) => !raw.includes('is what you want'));
    expect(await follow(ofSpring[0]?.[1] ?? '')).toBe('https://harbour.co.uk/spring');
    await decideNow();
    expect((await call('GET', `/api/campaigns/${id}/test`)).test).toMatchObject({ winner: null });
    await dueNow();
    await decideNow();
    const { test: standing } = await call('GET', `/api/campaigns/${id}/test`);
    expect(standing).toMatchObject({ winner: 2, decidedBy: null });
    expect(standing.variants.map(({ clicked }: { clicked: number }) => clicked)).toEqual([1, 4]);
    expect(standing.variants[1].chance).toBeGreaterThan(0.8);
    await until(id, { status: 'completed', sent: 40 });
    expect(taken('clicks.co.uk').filter(({ raw }) => raw.includes('is what you want'))).toHaveLength(30);
    const page = /(\/v\/[\w-]+)/.exec((ofTea[0]?.[1] ?? '').replaceAll('=\r\n', ''))?.[1] ?? '';
    if (page) expect((await app.test.app.inject({ url: page })).body).toContain('is what you want');
    // A reading of the whole: each variant got its own, the rest the winner.
    expect(await call('POST', `/api/campaigns/${id}/winner`, { variant: 1 })).toMatchObject({
      httpStatus: 409,
    });
  });

  it('waits for people of the test whom nobody has tried to reach yet', async () => {
    const domain = 'untried.co.uk';
    await call('PATCH', '/api/pace', { receiver: { receiver: domain, perHour: 1 } });
    const id = await campaign(await listOf(domain, 20), {
      ...{ share: 50, decideBy: 'clicks' },
      variants: [{ subject: 'Tea is ready' }],
    });
    await until(id, { sent: 1, pending: 19 });
    const waiting = () => call('GET', `/api/campaigns/${id}/recipients?state=deferred`);
    await vi.waitFor(async () => expect((await waiting()).items).toHaveLength(9), {
      ...{ timeout: 20_000, interval: 50 },
    });
    await dueNow();
    await decideNow();
    const winner = async () => (await call('GET', `/api/campaigns/${id}/test`)).test.winner;
    expect(await winner()).toBeNull();
    await call('PATCH', '/api/pace', { endReceiver: domain });
    await app.letTheTimeCome();
    await until(id, { sent: 10, pending: 10 });
    await decideNow();
    expect(await winner()).toBe(1);
  });

  it('of hours lets variants leave later, and the rest at the same time of a day', async () => {
    const id = await campaign(await listOf('hours.co.uk', 30), {
      ...{ share: 40, decideBy: 'hand', differs: 'hour' },
      variants: [{ delayHours: 6 }],
    });
    await until(id, { sent: 6, pending: 24 });
    const parts = async () =>
      (
        await sql<{ group: number; total: number; hours: number | null }>`
          select p.test_group as "group", p.total, round(extract(epoch from nullif(p.not_before, 'infinity') - m.started_at) / 3600)::int as hours
          from send_parts p join mailings m on m.workspace_id = p.workspace_id and m.id = p.mailing_id
          where m.campaign_id = ${id} order by p.test_group`.execute(app.test.owner.system)
      ).rows;
    expect(await parts()).toEqual([
      { group: 0, total: 18, hours: null },
      { group: 1, total: 6, hours: null },
      { group: 2, total: 6, hours: 6 },
    ]);
    await call('POST', `/api/campaigns/${id}/winner`, { variant: 2 });
    expect((await parts())[0]).toEqual({ group: 0, total: 18, hours: 6 });
    // Cancelled, nobody waits for an hour.
    await call('POST', `/api/campaigns/${id}/cancel`);
    await until(id, { status: 'cancelled', sent: 6, skipped: 24, pending: 0 });
  });

  // Whenever this runs, the clocks stand an hour apart from those of one of the two days.
  it.each([
    ['winter', '2025-01-15', 'clocks-in-winter.co.uk'],
    ['summer', '2025-07-15', 'clocks-in-summer.co.uk'],
  ])('of hours keeps the time of day in London since a day in %s', async (_season, day, domain) => {
    const id = await campaign(await listOf(domain, 40), {
      ...{ share: 50, decideBy: 'hand', differs: 'hour' },
      variants: [{ delayHours: 1 }],
    });
    await until(id, { sent: 10, pending: 30 });
    await sql`
      update mailings set started_at = ${`${day} 09:00`}::timestamp at time zone 'Europe/London'
      where campaign_id = ${id}`.execute(app.test.owner.system);
    await call('POST', `/api/campaigns/${id}/winner`, { variant: 1 });
    const { rows } = await sql<{ clock: string }>`
      select distinct to_char(p.not_before at time zone 'Europe/London', 'HH24:MI') as clock
      from send_parts p join mailings m on m.workspace_id = p.workspace_id and m.id = p.mailing_id
      where m.campaign_id = ${id} and p.test_group = 0`.execute(app.test.owner.system);
    expect(rows).toEqual([{ clock: '09:00' }]);
    await call('POST', `/api/campaigns/${id}/cancel`);
  });

  it('needs what decides it to be counted, and content that can be filled', async () => {
    const abTest = { variants: [{ subject: 'Tea' }] };
    const body = { name: 'News', subject: 'Spring', content: 'Hello', template: 'simple' };
    expect(await call('POST', '/api/campaigns', { ...body, trackClicks: false, abTest })).toMatchObject({
      httpStatus: 400,
      fields: { abTest: expect.stringContaining('decided by clicks') },
    });
    const { id } = await call('POST', '/api/campaigns', { ...body, abTest });
    expect(await call('PUT', `/api/campaigns/${id}`, { trackClicks: false })).toMatchObject({
      httpStatus: 400,
    });
    expect(await call('PUT', `/api/campaigns/${id}`, { abTest: { variants: [{}] } })).toMatchObject({
      httpStatus: 400,
    });
    const faulty = { variants: [{ content: 'Dear {{ first_name | nothing }}' }] };
    await call('PUT', `/api/campaigns/${id}`, { abTest: faulty });
    const refused = await call('POST', `/api/campaigns/${id}/send`);
    expect(refused).toMatchObject({ httpStatus: 409, message: expect.stringContaining('Variant B') });
    expect((await call('POST', `/api/campaigns/${id}/duplicate`)).abTest).toMatchObject(faulty);
    expect(await call('GET', `/api/campaigns/${id}/test`)).toMatchObject({ test: null });
  });
});
