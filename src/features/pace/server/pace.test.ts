import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import { londonClock } from '#platform/shared/london-time.ts';
import { importCsv } from '#test/support/app.ts';
import { openSendingApp, plainCampaign } from '#test/support/sending-app.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// Limits hold for what is under way, over the wire.

const app = openSendingApp({ anew: 'owner' });
const { call, bring, send, stands } = app;

const today = () => londonClock(new Date()).slice(0, 10);
const aPlan = { begunOn: '2026-11-24', first: 5, doubleEvery: 1, most: 100 };
const open = { perHour: null, perDay: null, quietHours: null, frequencyCap: null, warmUps: [] };

async function sendFromHarbour(): Promise<void> {
  const sender = { fromName: 'Harbour', fromAddress: 'news@harbour.co.uk' };
  expect((await call('PATCH', '/api/settings', { sender })).httpStatus).toBe(200);
}

async function add(...addresses: string[]): Promise<void> {
  const { statusCode } = await importCsv(app.test.app, app.owner.cookie, `email\n${addresses.join('\n')}\n`);
  expect(statusCode).toBe(200);
}

const held = (id: number, sent: number, notice: RegExp) =>
  vi.waitFor(
    async () => {
      const campaign = await call('GET', `/api/campaigns/${id}`);
      expect(campaign).toMatchObject({ status: 'sending', sent, pending: 60 - sent });
      expect(campaign.notice).toMatch(notice);
    },
    { timeout: 20_000, interval: 50 },
  );

const ended = (id: number) => stands(id, { status: 'completed', sent: 60 });

/** Stops a campaign, so that nothing of it reaches the mail server during the next test. */
async function cancelled(id: number): Promise<void> {
  await call('POST', `/api/campaigns/${id}/cancel`);
  await stands(id, { status: 'cancelled', pending: 0 });
}

/** Lets what waits for its pace be tried at once. */
async function goOn(id: number): Promise<void> {
  await call('POST', `/api/campaigns/${id}/pause`);
  await call('POST', `/api/campaigns/${id}/resume`);
}

describe('the pace of a workspace', () => {
  it('is nothing at first, and is shown as it was set', async () => {
    expect(await call('GET', '/api/pace')).toMatchObject(open);
    const quietHours = { from: '22:30', to: '07:00' };
    const warmUp = { domain: 'new.co.uk', begunOn: today(), first: 50, doubleEvery: 1, most: 200 };
    const set = await call('PATCH', '/api/pace', { perHour: 5_000, quietHours, warmUps: [warmUp] });
    expect(set).toMatchObject({
      ...{ httpStatus: 200, perHour: 5_000, perDay: null, quietHours },
      warmUps: [{ ...warmUp, allowedToday: 50, steps: [{ messages: 50 }, { messages: 100 }] }],
    });
    expect(await call('PATCH', '/api/pace', { perHour: null })).toMatchObject({ perHour: null, quietHours });
    const { items } = await call('GET', '/api/audit?limit=5');
    expect(JSON.stringify(items)).toContain('settings:pace');
    expect(await call('PATCH', '/api/pace', open)).toMatchObject(open);
  });

  it.each([
    [{ perHour: 0 }],
    [{ perDay: 1.5 }],
    [{ quietHours: { from: '24:00', to: '08:00' } }],
    [{ quietHours: { from: '08:00', to: '08:00' } }],
    [{ warmUps: [{ domain: 'a.uk', begunOn: '2026-11-24', first: 9, doubleEvery: 1, most: 8 }] }],
    [{ frequencyCap: { messages: 0, days: 7 } }],
    [{ frequencyCap: { messages: 1, days: 91 } }],
    [
      {
        warmUps: [
          { ...aPlan, domain: '@a.uk' },
          { ...aPlan, domain: 'a.uk' },
        ],
      },
    ],
    [{ fast: true }],
  ])('refuses %j', async (body) => {
    expect((await call('PATCH', '/api/pace', body)).httpStatus).toBe(400);
  });
});

describe('two people who set the pace', () => {
  const domains = async () =>
    (await call('GET', '/api/pace')).warmUps.map(({ domain }: { domain: string }) => domain);

  it('add, change and end one at a time, and leave what the other has written', async () => {
    const b = { ...aPlan, domain: 'b.uk' };
    for (const domain of ['a.uk', 'b.uk'])
      await call('PATCH', '/api/pace', { warmUp: { ...aPlan, domain, isNew: true } });
    expect(await domains()).toEqual(['a.uk', 'b.uk']);
    await call('PATCH', '/api/pace', { warmUp: { ...b, first: 7 }, endWarmUp: 'b.uk' });
    const { warmUps } = await call('PATCH', '/api/pace', {
      ...{ warmUp: { ...aPlan, domain: 'c.uk' }, endWarmUp: 'a.uk' },
    });
    expect(warmUps).toMatchObject([
      { domain: 'b.uk', first: 7 },
      { domain: 'c.uk', first: 5 },
    ]);
    await call('PATCH', '/api/pace', { endWarmUp: 'b.uk' });
    expect(await domains()).toEqual(['c.uk']);
    for (const receiver of ['google.com', 'yahoodns.net'])
      await call('PATCH', '/api/pace', { receiver: { receiver, perHour: 600, isNew: true } });
    expect(await call('PATCH', '/api/pace', { endReceiver: 'google.com' })).toMatchObject({
      receivers: [{ receiver: 'yahoodns.net', perHour: 600 }],
    });
  });

  it('replace no other by a new one or a new name, and have at most fifty', async () => {
    const all = Array.from({ length: 50 }, (_, n) => ({ ...aPlan, domain: `a${n}.uk` }));
    await call('PATCH', '/api/pace', { warmUps: all });
    for (const body of [
      { warmUp: { ...aPlan, domain: 'a1.uk', first: 9, isNew: true } },
      { warmUp: { ...aPlan, domain: 'a1.uk', first: 9 }, endWarmUp: 'a2.uk' },
    ]) {
      const { httpStatus, fields } = await call('PATCH', '/api/pace', body);
      expect([httpStatus, fields]).toEqual([409, { 'warmUp.domain': 'a1.uk warms up already.' }]);
    }
    const { warmUps } = await call('GET', '/api/pace');
    expect(warmUps).toHaveLength(50);
    expect(warmUps.filter(({ first }: { first: number }) => first !== 5)).toEqual([]);
    expect(await call('PATCH', '/api/pace', { warmUp: { ...aPlan, domain: 'b.uk' } })).toMatchObject({
      ...{ httpStatus: 409, message: expect.stringMatching(/At most 50 domains/) },
    });
  });

  it('set different things at once, and both hold', async () => {
    for (let n = 1; n <= 10; n++) {
      const perHour = 1_000 + n;
      const quietHours = { from: '22:30', to: `07:${10 + n}` };
      await Promise.all([
        call('PATCH', '/api/pace', { perHour }),
        call('PATCH', '/api/pace', { quietHours }),
        call('PATCH', '/api/pace', { warmUp: { ...aPlan, domain: `a${n}.uk` } }),
      ]);
      expect(await call('GET', '/api/pace')).toMatchObject({ perHour, quietHours });
      expect(await domains()).toHaveLength(n);
    }
  });
});

describe('the domains of the pace', () => {
  it.each([
    ['müller.de', 'xn--mller-kva.de'],
    ['@news.acme.co.uk', 'news.acme.co.uk'],
    ['hello@acme.co.uk', 'acme.co.uk'],
    ['https://acme.co.uk/x', 'acme.co.uk'],
    ['Acme.co.uk.', 'acme.co.uk'],
  ])('are read as messages are looked up by: %s', async (text, domain) => {
    expect(await call('PATCH', '/api/pace', { warmUp: { ...aPlan, domain: text } })).toMatchObject({
      ...{ httpStatus: 200, warmUps: [{ domain }] },
    });
    expect(await call('PATCH', '/api/pace', { receivers: [{ receiver: text, perHour: 5 }] })).toMatchObject({
      ...{ httpStatus: 200, receivers: [{ receiver: domain, perHour: 5 }] },
    });
  });

  it.each(['', 'acme', 'co.uk', 'acme co.uk'])(
    'are refused beside the field when they are none: “%s”',
    async (text) => {
      const one = await call('PATCH', '/api/pace', { warmUp: { ...aPlan, domain: text } });
      expect([one.httpStatus, Object.keys(one.fields)]).toEqual([400, ['warmUp.domain']]);
      const all = await call('PATCH', '/api/pace', { receivers: [{ receiver: text, perHour: 5 }] });
      expect([all.httpStatus, Object.keys(all.fields)]).toEqual([400, ['receivers.0.receiver']]);
      expect(await call('GET', '/api/pace')).toMatchObject({ warmUps: [], receivers: [] });
    },
  );
});

describe('campaigns to sixty contacts', () => {
  beforeEach(async () => {
    await bring(60);
  });

  it('lets no more leave than a day allows, and goes on when it may', async () => {
    await call('PATCH', '/api/pace', { ...open, perDay: 25 });
    const id = await send();
    await held(id, 25, /As many messages have left today/);
    expect(await call('GET', '/api/pace')).toMatchObject({ sentToday: 25 });
    await goOn(id);
    await held(id, 25, /As many messages have left today/);
    await call('PATCH', '/api/pace', open);
    await ended(id);
  });

  it('lets nothing leave in quiet hours', async () => {
    const clock = londonClock(new Date());
    const hour = Number(clock.slice(11, 13));
    const pad = (n: number) => `${String((n + 24) % 24).padStart(2, '0')}:00`;
    await call('PATCH', '/api/pace', { ...open, quietHours: { from: pad(hour - 1), to: pad(hour + 2) } });
    const id = await send();
    await held(id, 0, /quiet hours/);
    await call('PATCH', '/api/pace', open);
    await ended(id);
  });

  it('lets go what begins to wait just as the limit is lifted', async () => {
    await call('PATCH', '/api/pace', { ...open, perDay: 25 });
    const id = await send();
    await held(id, 25, /As many messages have left today/);
    const partsUntil = (until: string) =>
      sql`update send_parts set lease_until = ${until}::timestamptz where status = 'open'`.execute(
        app.test.owner.system,
      );
    const waiting = (statements: number) =>
      vi.waitFor(async () => expect(await waitingForLocks(app.test)).toBe(statements), {
        ...{ timeout: 20_000, interval: 50 },
      });
    await partsUntil('infinity');
    await goOn(id);
    let lifted: Promise<unknown> | undefined;
    await app.test.database.asTenant(app.owner.workspaceId, async (tx) => {
      await sql`select from mailings where status = 'sending' for update`.execute(tx);
      await inBackground(() => partsUntil('now'));
      // It has seen the limit, and cannot write yet that it waits.
      await waiting(1);
      lifted = inBackground(() => call('PATCH', '/api/pace', open));
      await Promise.race([lifted, waiting(2)]);
    });
    await lifted;
    await ended(id);
  });

  it('holds a new domain back, and no other', async () => {
    await sendFromHarbour();
    const plan = { begunOn: today(), first: 10, doubleEvery: 1, most: 1_000 };
    await call('PATCH', '/api/pace', { ...open, warmUps: [{ domain: 'other.co.uk', ...plan }] });
    await ended(await send());
    await call('PATCH', '/api/pace', { warmUps: [{ domain: 'harbour.co.uk', ...plan }] });
    await held(await send(), 10, /The domain it comes from is new/);
  });

  it('leaves out who has had as many campaigns as the frequency cap allows, and says so before', async () => {
    await ended(await send());
    const stranger = 'stranger@shop.co.uk';
    await add(stranger);
    await call('PATCH', '/api/pace', { frequencyCap: { messages: 1, days: 7 } });
    const { items } = await call('GET', '/api/audit?limit=1');
    expect(JSON.stringify(items)).toContain('1 in 7 days');
    const counted = { recipients: 1, leftOut: { over_cap: 60 } };
    expect(await call('POST', '/api/campaigns/audience', {})).toMatchObject(counted);
    // Two at once: the second sees those who wait for the first.
    const [one, other] = [await send(), await send()];
    await vi.waitFor(
      async () => {
        const shown = [
          await call('GET', `/api/campaigns/${one}`),
          await call('GET', `/api/campaigns/${other}`),
        ];
        for (const campaign of shown) expect(campaign.status).toBe('completed');
        expect(shown.map(({ sent }) => sent).sort()).toEqual([0, 1]);
        expect(shown.map(({ leftOut }) => leftOut.over_cap).sort()).toEqual([60, 61]);
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(app.peer.taken.filter(({ to }) => to.includes(stranger))).toHaveLength(1);
    const reasons = await call('GET', `/api/campaigns/${other}/recipients?state=left_out&search=stranger`);
    expect(reasons.items).toMatchObject([{ address: stranger, reason: expect.stringMatching(/over_cap/) }]);
  });

  it('leaves out who was mailed in the last days, when a campaign asks for it', async () => {
    await ended(await send());
    await add('newcomer@shop.co.uk');
    const audience = { notMailedDays: 3 };
    const { recipients, leftOut } = await call('POST', '/api/campaigns/audience', audience);
    expect([recipients, leftOut.mailed_lately]).toEqual([1, 60]);
    await stands(await send({ audience }), {
      ...{ status: 'completed', sent: 1, totalRecipients: 1, leftOut: { mailed_lately: 60 } },
    });
  });

  it('sends a minute’s worth at once, and the rest in time', async () => {
    await call('PATCH', '/api/pace', { ...open, perHour: 1_200 });
    const id = await send();
    await vi.waitFor(() => expect(app.peer.taken.length).toBe(20), { timeout: 20_000 });
    await goOn(id);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // A message each 3 seconds from now on.
    expect(app.peer.taken.length).toBeLessThanOrEqual(22);
    await cancelled(id);
  });

  it('goes on at its pace after the clock of the database was ahead for a moment', async () => {
    await call('PATCH', '/api/pace', { ...open, perHour: 1_200 });
    await sql`
      update send_paces set tokens = 0, tokens_at = now() + interval '1 day'
      where workspace_id = ${app.owner.workspaceId}`.execute(app.test.owner.system);
    const id = await send();
    await vi.waitFor(
      async () => {
        await goOn(id);
        expect(app.peer.taken.length).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 500 },
    );
    await cancelled(id);
  });

  it('spreads a campaign evenly over hours, and forgets about the rest when it is cancelled', async () => {
    await add('stranger@shop.co.uk', 'newcomer@shop.co.uk');
    const { id, spreadHours } = await call('POST', '/api/campaigns', { ...plainCampaign, spreadHours: 1 });
    expect(spreadHours).toBe(1);
    await call('POST', `/api/campaigns/${id}/send`);
    await stands(id, { status: 'sending', sent: 2 });
    const { rows } = await sql<{ sends: number; from: number; to: number }>`
      select count(*) as sends, min(extract(epoch from not_before - started_at)) as from,
        max(extract(epoch from not_before - started_at)) as to
      from send_parts p join mailings m on m.workspace_id = p.workspace_id and m.id = p.mailing_id
      where m.spread_hours = 1`.execute(app.test.owner.system);
    // 62 people: two each minute, the last two a bit less than an hour after the first.
    expect(rows[0]?.sends).toBe(31);
    expect(Math.abs(Number(rows[0]?.from))).toBeLessThan(5);
    expect(Number(rows[0]?.to)).toBeGreaterThan(3_300);
    expect(Number(rows[0]?.to)).toBeLessThan(3_600);
    // Pausing and going on does not make up for lost time in a burst.
    await goOn(id);
    await call('POST', `/api/campaigns/${id}/cancel`);
    await stands(id, { status: 'cancelled', pending: 0, sent: 2, skipped: 60 });
  });

  it('counts only what leaves, and nobody who is skipped', async () => {
    await sendFromHarbour();
    const clock = londonClock(new Date());
    const hour = Number(clock.slice(11, 13));
    const pad = (n: number) => `${String((n + 24) % 24).padStart(2, '0')}:00`;
    await call('PATCH', '/api/pace', { ...open, quietHours: { from: pad(hour - 1), to: pad(hour + 2) } });
    const id = await send();
    await stands(id, { notice: expect.stringMatching(/quiet hours/) });
    // Written down, and then suppressed.
    for (let n = 0; n < 30; n++)
      await call('POST', '/api/suppressions/email/manual', { email: `p${n}@shop.co.uk` });
    const { sentToday } = await call('GET', '/api/pace');
    const warmUp = { domain: 'harbour.co.uk', begunOn: today(), first: 20, doubleEvery: 1, most: 1_000 };
    await call('PATCH', '/api/pace', { ...open, perDay: sentToday + 25, warmUps: [warmUp] });
    await goOn(id);
    const left = (sent: number, notice: RegExp) =>
      vi.waitFor(
        async () => {
          const campaign = await call('GET', `/api/campaigns/${id}`);
          expect(campaign).toMatchObject({ status: 'sending', sent });
          expect(campaign.skipped).toBeGreaterThan(10);
          expect(campaign.notice).toMatch(notice);
        },
        { timeout: 20_000, interval: 50 },
      );
    await left(20, /The domain it comes from is new/);
    await call('PATCH', '/api/pace', { warmUps: [] });
    await goOn(id);
    await left(25, /As many messages have left today/);
    expect((await call('GET', '/api/pace')).sentToday).toBe(sentToday + 25);
  });
});
