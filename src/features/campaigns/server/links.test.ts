import { zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendingPort } from '#features/sending/server/index.ts';
import { openDatabase } from '#platform/server/database.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { createLogger } from '#platform/server/logging.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { exportBreakdown } from './report/export-breakdown.ts';
import { showBreakdown } from './report/show-breakdown.ts';

// What readers do with the links of a campaign that was kept in the outbox.

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36';
let test: TestApp;
let owner: SignedIn;
let campaignId: number;
let mails: Map<string, { html: string; text: string; headers: Record<string, string> }>;

beforeAll(async () => {
  test = await openTestApp({ PUBLIC_URL: 'https://mail.app.co.uk' });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
  await importCsv(
    test.app,
    owner.cookie,
    `email,first name\n${Array.from({ length: 10 }, (_, n) => `r${n}@reader.co.uk,R${n}`).join('\n')}\n`,
  );
  // The sender's domain has a host for links, which leads here and answers.
  await call('PATCH', '/api/settings', { sender: { fromName: 'Shop', fromAddress: 'news@acme.co.uk' } });
  const facts = { dkim: {}, tracking: { state: 'found', values: ['mail.app.co.uk'] }, linkProblem: null };
  await sql`
    insert into sender_domains (workspace_id, domain, created_by, facts, checked_at, check_after)
    values (${owner.workspaceId}, 'acme.co.uk', 'x', ${JSON.stringify(facts)}::jsonb, now(), now() + interval '1 day')`.execute(
    test.owner.system,
  );
  const { id } = await call('POST', '/api/campaigns', {
    name: 'News',
    subject: 'News',
    content:
      '<p>Dear {{ first_name }}, see <a href="https://shop.example/new?a=1&amp;b=2">what is new</a> or <a href="https://shop.example/{{ first_name }}">yours</a>, in <a href="https://en.wikipedia.org/wiki/Bath_(city)">Bath</a>.</p>',
    template: 'newsletter',
  });
  campaignId = id;
  await call('POST', `/api/campaigns/${id}/send`);
  await vi.waitFor(async () => expect(await show()).toMatchObject({ status: 'completed', sent: 10 }), 20_000);
  const { rows } = await sql<{ recipient: string; source: Buffer }>`
    select recipient, source from outbox_messages where workspace_id = ${owner.workspaceId}`.execute(
    test.owner.system,
  );
  mails = new Map();
  for (const { recipient, source } of rows) {
    const mail = await PostalMime.parse(zstdDecompressSync(source));
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    mails.set(recipient, { html: mail.html ?? '', text: mail.text ?? '', headers });
  }
  // Only scanners look within the first seconds.
  await sql`update sends set handed_at = handed_at - interval '1 minute'`.execute(test.owner.system);
});
afterAll(() => test.close());

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}
const show = () => call('GET', `/api/campaigns/${campaignId}`);
const report = () => call('GET', `/api/campaigns/${campaignId}/report`);

/** As a reader's program asks, who has no cookie. */
const ask = (url: string, { method = 'GET', agent = browser, headers = {}, payload = '' } = {}) =>
  test.app.inject({
    method: method as 'GET',
    url: new URL(url).pathname + new URL(url).search,
    headers: { 'user-agent': agent, ...headers },
    ...(payload ? { payload } : {}),
  });
const linkOf = (to: string, pattern: RegExp) => pattern.exec(mails.get(to)?.html ?? '')?.[1] ?? 'none';
const clickOf = (to: string) => linkOf(to, /href="([^"]+\/c\/[^"]+)"/);
const pixelOf = (to: string) => linkOf(to, /src="([^"]+\/o\/[^"]+)"/);
const leaveOf = (to: string) => linkOf(to, /href="([^"]+\/u\/[^"]+)"/);

/** Each reader's own target travels in the link, signed. */
const ownOf = (to: string) => linkOf(to, /href="([^"]+\/c\/[^"]+\?t=[^"]+)"/);
/** Follows both links, as the reader does. */
async function clickBoth(to: string) {
  await ask(clickOf(to));
  return ask(ownOf(to));
}
const leave = (to: string) =>
  ask(leaveOf(to), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });

describe('the links of a campaign', () => {
  it('lead to where it was written to, and count people once', async () => {
    for (let time = 0; time < 2; time++) {
      const answer = await ask(clickOf('r0@reader.co.uk'));
      expect(answer.statusCode).toBe(302);
      expect(answer.headers).toMatchObject({
        location: 'https://shop.example/new?a=1&b=2',
        'cache-control': 'no-store',
      });
    }
    const answer = await ask(ownOf('r0@reader.co.uk'));
    expect(answer.headers.location).toBe('https://shop.example/R0');
    expect(await show()).toMatchObject({ opened: 1, clicked: 1 });
    expect((await report()).links).toMatchObject([
      { number: 1, part: 'html', url: 'https://shop.example/new?a=1&b=2', clicks: 2, machineClicks: 0 },
      { number: 2, part: 'html', url: 'https://shop.example/{{ first_name }}', clicks: 1, machineClicks: 0 },
      { number: 3, part: 'html', url: 'https://en.wikipedia.org/wiki/Bath_(city)' },
      { part: 'text' },
      { part: 'text' },
      { part: 'text', url: 'https://en.wikipedia.org/wiki/Bath_(city)' },
    ]);
  });

  it('lead there from the text part too, also to an address with brackets', async () => {
    const { text } = mails.get('r2@reader.co.uk') ?? { text: '' };
    const [, link = 'none'] = /Bath \((\S+\/c\/[\w-]+)\)\./.exec(text) ?? [];
    expect((await ask(link)).headers.location).toBe('https://en.wikipedia.org/wiki/Bath_(city)');
  });

  it('are all at the host of the sender that leads here', () => {
    const { html, text, headers } = mails.get('r0@reader.co.uk') ?? { html: '', text: '', headers: {} };
    const found =
      [html, text, headers['list-unsubscribe'] ?? '']
        .join(' ')
        .match(/https?:[^\s"<>)]+\/[coupv]\/[\w-]+/g) ?? [];
    expect(new Set(found.map((url) => new URL(url).origin))).toEqual(new Set(['https://links.acme.co.uk']));
    expect(new Set(found.map((url) => new URL(url).pathname.slice(0, 3)))).toContain('/u/');
  });

  it('tell people from machines', async () => {
    const before = await show();
    expect((await ask(pixelOf('r1@reader.co.uk'), { agent: 'Mozilla/5.0' })).headers['content-type']).toBe(
      'image/gif',
    );
    expect(await show()).toMatchObject({ opened: before.opened, machineOpened: before.machineOpened + 1 });
    await ask(pixelOf('r1@reader.co.uk'));
    expect(await show()).toMatchObject({ opened: before.opened + 1, machineOpened: before.machineOpened });
    // Nobody misses one when many come at once.
    await Promise.all(Array.from({ length: 30 }, (_, n) => ask(pixelOf(`r${n % 10}@reader.co.uk`))));
    expect(await show()).toMatchObject({ opened: 10 });
    const { rows } = await sql<{ count: number }>`
      select count(*) from tracking_events where workspace_id = ${owner.workspaceId}`.execute(
      test.owner.system,
    );
    expect(rows[0]?.count).toBe(2 + 30);
    expect(
      (await report()).hours.reduce((sum: number, { opened }: { opened: number }) => sum + opened, 0),
    ).toBe(10);
  });

  it('are told on the timeline of whoever took them, and are their last activity', async () => {
    await clickBoth('r0@reader.co.uk');
    const { emails } = await call('GET', '/api/emails?search=r0@');
    const { items, lastActivityAt } = await call('GET', `/api/emails/${emails[0].id}/timeline`);
    const told = items.filter(({ kind }: { kind: string }) => ['opened', 'clicked'].includes(kind));
    expect(told).toMatchObject([
      { kind: 'clicked', mailing: 'News', url: 'https://shop.example/{{ first_name }}', by: null },
      { kind: 'clicked', mailing: 'News', url: 'https://shop.example/new?a=1&b=2' },
      { kind: 'opened', mailing: 'News' },
    ]);
    expect(lastActivityAt).toBe(told[0].at);
  });

  it('lead nowhere else', async () => {
    const own = new URL(clickOf('r0@reader.co.uk')).pathname;
    for (const path of [
      '/c/abc',
      `${own}A`,
      own.replace('/c/', '/u/'),
      `${own}/https://evil.example`,
      '/c/%00',
    ]) {
      const answer = await test.app.inject({ method: 'GET', url: path });
      expect(answer.statusCode, path).toBeGreaterThanOrEqual(400);
      expect(answer.headers.location).toBeUndefined();
    }
    expect((await test.app.inject({ method: 'GET', url: '/o/nobody' })).statusCode).toBe(200);
  });

  it('show the message in a browser', async () => {
    const view = await ask(leaveOf('r2@reader.co.uk').replace('/u/', '/v/'));
    expect(view.statusCode).toBe(404);
    const name = /<(.*)@/.exec(mails.get('r2@reader.co.uk')?.headers['message-id'] ?? '')?.[1];
    const shown = await test.app.inject({ method: 'GET', url: `/v/${name}` });
    expect(shown.body).toContain('Dear R2');
    expect(shown.body).not.toContain('/o/');
    expect(shown.headers['content-security-policy']).toContain('sandbox');
  });

  it('let people leave at once, and only when they say so', async () => {
    const suppressed = async () => (await call('GET', '/api/suppressions/emails')).totalCount;
    const link = leaveOf('r3@reader.co.uk');
    expect(mails.get('r3@reader.co.uk')?.headers).toMatchObject({
      'list-unsubscribe': `<${link}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    // Scanners follow every link.
    expect((await ask(link)).body).toContain('r•••@reader.co.uk');
    await ask(link, { method: 'HEAD' });
    expect(await suppressed()).toBe(0);
    const answer = await ask(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await call('GET', '/api/suppressions/emails')).items).toMatchObject([
      { email: 'r3@reader.co.uk', reason: 'unsubscribed' },
    ]);
    await ask(link, { method: 'POST' });
    const form = 'multipart/form-data; boundary=b';
    const body =
      '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    const other = await ask(leaveOf('r4@reader.co.uk'), {
      method: 'POST',
      headers: { 'content-type': form },
      payload: body,
    });
    expect(other.statusCode).toBe(200);
    expect(await suppressed()).toBe(2);
    expect(await show()).toMatchObject({ unsubscribed: 2 });
    const { emails } = await call('GET', '/api/emails?search=r3@');
    const { items } = await call('GET', `/api/emails/${emails[0].id}/timeline`);
    expect(items.slice(0, 2)).toMatchObject([
      { kind: 'suppressed', reason: 'unsubscribed', note: 'From “News”', by: null },
      { kind: 'unsubscribed', mailing: 'News' },
    ]);
    const next = await call('POST', '/api/campaigns/audience', { include: [], exclude: [] });
    expect(next).toMatchObject({ recipients: 8, leftOut: { suppressed: 2 } });
  });

  it('stand in a picture of the message with their numbers, and lead nowhere there', async () => {
    const { html } = await call('GET', `/api/campaigns/${campaignId}/picture`);
    const links = [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, to, words]) => [to, words]);
    expect(links.slice(0, 2)).toEqual([
      ['#counted-link-1', 'what is new'],
      ['#counted-link-2', 'yours'],
    ]);
    expect(html).not.toContain('/c/');
    const draft = await call('POST', '/api/campaigns', {
      ...{ name: 'Draft', subject: 'Draft', content: 'Draft', template: 'simple' },
    });
    expect(await call('GET', `/api/campaigns/${draft.id}/picture`)).toEqual({ html: null });
  });

  it('name those who did something, people alone or machines too', async () => {
    for (let n = 0; n < 10; n++) await ask(pixelOf(`r${n}@reader.co.uk`));
    await clickBoth('r0@reader.co.uk');
    for (const one of ['r3', 'r4']) expect((await leave(`${one}@reader.co.uk`)).statusCode).toBe(200);
    // A program follows a link that its reader has not followed.
    await ask(clickOf('r5@reader.co.uk'), { agent: 'curl/8.0' });
    const workspaceId = owner.workspaceId;
    await sql`
      with told as (
        insert into bounces (workspace_id, mailing_id, send_id, local, domain, event, class, kind, fault, source, said,
          counts, is_due)
        select workspace_id, mailing_id, id, local, domain, 'bounce', 'hard', 'full', 'address', 'test', '552 5.2.2 full', false, false
        from sends where workspace_id = ${workspaceId} and local = 'r9'
        returning mailing_id
      )
      insert into mailing_bounces (workspace_id, mailing_id, hard, returned)
      select ${workspaceId}, mailing_id, 1, 1 from told`.execute(test.owner.system);
    const who = async (query: string) => {
      const path = `/api/campaigns/${campaignId}/recipients`;
      const listed = await call('GET', `${path}?${query}`);
      const { totalCount, items } = listed as { totalCount: number; items: { address: string }[] };
      expect(totalCount, query).toBe(items.length);
      const file = await test.app.inject({
        ...{ method: 'GET', url: `${path}/export?${query}`, headers: { cookie: owner.cookie } },
      });
      const exported = file.body.trimEnd().split('\r\n').slice(1);
      const addresses = items.map(({ address }) => address);
      expect(exported.map((line) => line.split(',')[0])).toEqual(addresses);
      return addresses.map((address) => address.split('@')[0]);
    };
    expect(await who('did=clicked')).toEqual(['r0']);
    expect(await who('did=clicked&count=all')).toEqual(['r0', 'r5']);
    const { links } = await report();
    const followed = links.find(({ clicks }: { clicks: number }) => clicks > 0).url;
    const link = `link=${encodeURIComponent(followed)}`;
    expect(await who(link)).toEqual(['r0']);
    expect(await who(`did=clicked&count=all&${link}`)).toEqual(['r0', 'r5']);
    expect(await who('link=https://elsewhere.example/')).toEqual([]);
    expect(await call('GET', `/api/campaigns/${campaignId}/recipients?did=opened&${link}`)).toMatchObject({
      fields: { link: expect.stringContaining('has clicked') },
    });
    expect(await who('did=opened')).toHaveLength(10);
    expect(await who('did=left')).toEqual(['r3', 'r4']);
    expect(await who('did=bounced&state=sent')).toEqual(['r9']);
    expect(await who('did=bounced&state=failed')).toEqual([]);
    expect(await who('did=complained')).toEqual([]);
    expect(await who('did=got')).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8']);
    expect(await who('did=got&state=failed')).toEqual([]);
    const path = `/api/campaigns/${campaignId}/recipients?did=opened`;
    const [one] = (await call('GET', `${path}&search=r3@reader.co.uk`)).items;
    expect(one).toMatchObject({ clickedAt: null, bouncedAt: null });
    expect(Date.parse(one.openedAt)).toBeLessThanOrEqual(Date.parse(one.leftAt));
    const { hours, devices } = await report();
    // The hour may have turned since they left.
    const left = (hours as { sent: number }[]).reduce((sum, { sent }) => sum + sent, 0);
    expect(left).toBe(10);
    expect(devices).toEqual([{ device: 'desktop', opened: 10, clicked: 1 }]);
    expect(await call('GET', `/api/campaigns/${campaignId}`)).toMatchObject({ sent: 10, delivered: 9 });
    const figures = {
      ...{ domain: 'reader.co.uk', domains: 1, recipients: 10, sent: 10, failed: 0 },
      ...{ bounced: 1, complained: 0, opened: 10, clicked: 1, unsubscribed: 2 },
    };
    const people = [
      { url: followed, people: 1, withMachines: 2 },
      { url: 'https://shop.example/{{ first_name }}', people: 1, withMachines: 1 },
    ];
    expect(await call('GET', `/api/campaigns/${campaignId}/breakdown`)).toEqual({
      ...{ countedAt: expect.any(String), isCounting: false, domains: [figures], links: people },
    });
    const file = async (what: string) => {
      const url = `/api/campaigns/${campaignId}/breakdown/export?what=${what}`;
      const answer = await test.app.inject({ method: 'GET', url, headers: { cookie: owner.cookie } });
      expect(answer.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="campaign-${campaignId}-${what}.csv"`,
      });
      return answer.body.trimEnd().split('\r\n').slice(1);
    };
    expect(await file('domains')).toEqual(['reader.co.uk,1,10,10,0,1,0,10,1,2']);
    expect((await file('links')).slice(0, 2)).toEqual([
      'https://shop.example/new?a=1&b=2,1,2,1,2',
      'https://shop.example/{{ first_name }},1,1,1,1',
    ]);
    // A spreadsheet runs neither, whatever a link begins with.
    await sql`
      update mailing_links set url = '=HYPERLINK("https://evil.example")'
      where workspace_id = ${workspaceId} and url like '%new?%'`.execute(test.owner.system);
    expect((await file('links')).join('\n')).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    await sql`
      update mailing_links set url = ${followed} where workspace_id = ${workspaceId} and url like '=%'`.execute(
      test.owner.system,
    );
    // Many people are counted in the background, once for all who ask meanwhile.
    const db = openDatabase({ url: test.appUrl });
    const counter = { db, log: createLogger('silent'), sending: test.use(sendingPort) };
    const shown = () => showBreakdown(counter, workspaceId, campaignId, 0);
    await test.owner.system.transaction().execute(async (tx) => {
      // Until all have asked.
      await sql`lock table campaign_breakdowns in exclusive mode`.execute(tx);
      await expect(exportBreakdown(counter, workspaceId, campaignId, 'links', 0)).rejects.toMatchObject({
        code: 'conflict',
      });
      for (const first of await Promise.all([shown(), shown()]))
        expect(first).toEqual({ countedAt: null, isCounting: true, domains: [], links: [] });
    });
    await vi.waitFor(async () =>
      expect(await shown()).toEqual({
        countedAt: expect.any(String),
        isCounting: false,
        domains: [figures],
        links: people,
      }),
    );
    await db.close();
    // Walked to the end, in pages.
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { items, nextCursor } = await call('GET', `${path}&limit=4${cursor ? `&cursor=${cursor}` : ''}`);
      walked.push(...items.map(({ address }: { address: string }) => address));
      cursor = nextCursor;
    }
    expect(new Set(walked).size).toBe(10);
    expect(walked).toHaveLength(10);
  });
});
