import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { londonClock } from '#platform/shared/london-time.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type DnsServer, type NameAnswers, startDnsServer } from '#test/support/dns-server.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { type Spamd, startSpamd } from '#test/support/spamd.ts';
import { countEmpty } from './check/empty-field-queries.ts';

let test: TestApp;
let owner: SignedIn;

const names: Record<string, NameAnswers> = {};
let server: DnsServer;
let spamd: Spamd;

beforeAll(async () => {
  server = await startDnsServer((name) => names[name]);
  spamd = await startSpamd();
  test = await openTestApp({ DNS_SERVERS: server.address, SPAMD_URL: spamd.url });
});
afterAll(async () => {
  await test.close();
  await server.close();
  await spamd.close();
});
beforeEach(async () => {
  owner = await signUp(test.app);
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return answer.json();
}
const written = { name: 'News', subject: 'News', content: 'Dear {{ first_name }}', template: 'simple' };

/** The check of a new draft, its lines by key. */
async function check(fields: object = {}) {
  const { id } = await call('POST', '/api/campaigns', { ...written, ...fields });
  const { checks, ...rest } = await call('GET', `/api/campaigns/${id}/check`);
  // biome-ignore lint/suspicious/noExplicitAny: lines of the check
  const lines: Record<string, any> = Object.fromEntries(checks.map((one: { key: string }) => [one.key, one]));
  return { ...rest, id, lines };
}

const addresses = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@shop.co.uk`);

interface Before {
  sent: number;
  hours?: [Date, number][];
  reply?: string;
}

/**
 * A campaign that was sent to so many, how many people opened it in which hours, and what was
 * answered to the first message.
 */
async function readBefore({ sent, hours = [], reply = '250 2.0.0 Taken' }: Before): Promise<void> {
  const { id } = await call('POST', '/api/campaigns', written);
  const { system } = test.owner;
  const books = JSON.stringify({
    ...{ total: sent, sent, failed: 0, skipped: 0, uncertain: 0, deferred: 0 },
  });
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
      tracks_clicks, campaign_id, ended_at, books)
    values (${owner.workspaceId}, 'campaign', 'completed', 'News', '', 'a@b.uk', 'News', '', '', true, true, ${id}, now(),
      ${books}::jsonb)
    returning id`.execute(system);
  const mailing = rows[0]?.id;
  await sql`
    update campaigns set status = 'sent', sent_at = now() - interval '5 days', mailing_id = ${mailing}
    where id = ${id}`.execute(system);
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, reply)
    values (${owner.workspaceId}, ${mailing}, 1, 'ann', 'shop.co.uk', 'sent', ${reply})`.execute(system);
  for (const [hour, opened] of hours)
    await sql`
      insert into mailing_hours (workspace_id, mailing_id, hour, opened, human_opened)
      values (${owner.workspaceId}, ${mailing}, ${hour}, ${opened}, ${opened})`.execute(system);
}

describe('the check of a campaign', () => {
  it('counts who gets it, and lets it be sent once there is somebody', async () => {
    const before = await check();
    expect(before).toMatchObject({ canSend: false, recipients: 0, lines: { audience: { result: 'block' } } });
    await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\nben@shop.co.uk\n');
    await call('POST', '/api/suppressions/email/manual', { email: 'ben@shop.co.uk' });
    const after = await call('GET', `/api/campaigns/${before.id}/check`);
    expect(after).toMatchObject({ canSend: true, recipients: 1, leftOut: { suppressed: 1 } });
    await call('POST', `/api/campaigns/${before.id}/send`);
    expect((await call('GET', `/api/campaigns/${before.id}/check`)).canSend).toBe(false);
  });

  it('says why contacts are left out, as far as there is something to say', async () => {
    const names = ['ann@shop.co.uk', 'ben@shop.co.uk', 'cyd@shop.co.uk', 'dan@other.co.uk', 'eve@shop.co.uk'];
    await importCsv(test.app, owner.cookie, `email\n${names.join('\n')}\n`);
    const none = { suppressed: null, mailable: expect.arrayContaining(['consent']), frequencyCap: null };
    expect((await check()).leftOutBecause).toEqual(none);
    await call('POST', '/api/suppressions/email/manual', { email: 'ann@shop.co.uk', reason: 'unsubscribed' });
    await call('POST', '/api/suppressions/email/manual', { email: 'ben@shop.co.uk', reason: 'unsubscribed' });
    await call('POST', '/api/suppressions/email/manual', { email: 'cyd@shop.co.uk', reason: 'bounced' });
    await call('POST', '/api/suppressions/email/manual', {
      email: 'nobody@shop.co.uk',
      reason: 'complained',
    });
    await call('POST', '/api/suppressions/domain', { domain: 'other.co.uk' });
    await call('PATCH', '/api/basis', { mailable: ['consent', 'unknown'] });
    await call('PATCH', '/api/pace', { frequencyCap: { messages: 2, days: 7 } });
    const { recipients, leftOut, leftOutBecause } = await check();
    expect([recipients, leftOut]).toEqual([1, { suppressed: 4 }]);
    expect(leftOutBecause).toEqual({
      suppressed: { reasons: { unsubscribed: 2, bounced: 1 }, domains: 1, isEstimate: false },
      mailable: ['consent', 'unknown'],
      frequencyCap: { messages: 2, days: 7 },
    });
    const filtered = await check({
      audience: { include: [{ filter: { domain: 'other.co.uk' } }], exclude: [] },
    });
    expect(filtered.leftOutBecause.suppressed).toEqual({ reasons: {}, domains: 1, isEstimate: false });
  });

  it('says on what basis its recipients get it, and how many are left out by theirs', async () => {
    await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\nben@shop.co.uk\ncyd@shop.co.uk\n');
    const say = async (email: string, basis: string) => {
      const { emails } = await call('GET', `/api/emails?search=${email}`);
      await call('PUT', `/api/emails/${emails[0].id}/basis`, { basis });
    };
    await say('ann', 'consent');
    await say('ben', 'none');
    const { recipients, leftOut, lines } = await check();
    expect([recipients, leftOut]).toEqual([2, { no_basis: 1 }]);
    expect(lines.marketing_basis.result).toBe('advice');
    expect(lines.marketing_basis.words).toContain('Of 1 recipient nobody has said');
    expect(lines.marketing_basis.words).toContain('1 contact is left out by theirs.');
    await call('PATCH', '/api/basis', { mailable: ['consent'] });
    const after = await check();
    expect([after.recipients, after.leftOut]).toEqual([1, { no_basis: 2 }]);
    expect(after.lines.marketing_basis).toMatchObject({
      result: 'pass',
      words: 'Everybody who gets it has a basis that you mail. 2 contacts are left out by theirs.',
    });
  });

  it('predicts how many come back, and says whom to leave out so that fewer do', async () => {
    names['harbour.co.uk'] = { mx: [{ exchange: 'mx.harbour.co.uk', priority: 1 }] };
    names['mx.harbour.co.uk'] = { a: ['192.0.2.7'] };
    const good = Array.from({ length: 30 }, (_, n) => `jane.smith${n}@harbour.co.uk`);
    const bad = Array.from({ length: 4 }, (_, n) => `jane.smith${n}@closed-down-shop.co.uk`);
    await importCsv(test.app, owner.cookie, `email\n${[...good, ...bad].join('\n')}\n`);
    expect((await check()).lines.bounces).toMatchObject({
      ...{ result: 'advice', fix: 'Verify your contacts: 34 of them never were.' },
      words: 'About 1 of 34 will come back (3%). From 2% on, receivers think less of a sender.',
    });
    await call('POST', '/api/verifications', { dns: true });
    await vi.waitFor(
      async () => expect((await call('GET', '/api/verifications/summary')).contacts).toBe(34),
      20_000,
    );
    const before = await check();
    expect(before.leaveOut).toEqual({ verdicts: ['invalid'], contacts: 4 });
    expect(before.predictedBounces).toMatchObject({
      ...{ recipients: 34, bounces: 3, limit: 0.02, after: { recipients: 30, share: 0.005 } },
      byVerdict: [
        { verdict: 'invalid', contacts: 4, bounces: 2 },
        { verdict: 'valid', contacts: 30, bounces: 1 },
      ],
    });
    expect(before.lines.bounces).toMatchObject({
      ...{ result: 'advice', fix: 'Leave out 4 contacts with the verdict invalid.' },
    });
    const audience = { include: [], exclude: [], leaveOutVerdicts: before.leaveOut.verdicts };
    const after = await check({ audience });
    expect([after.recipients, after.leaveOut, after.lines.bounces.result]).toEqual([30, null, 'pass']);
    expect(after.predictedBounces).toMatchObject({ recipients: 30, share: 0.005, after: null });
    await call('PATCH', '/api/basis', { mailable: ['consent'] });
    expect(await check()).toMatchObject({ recipients: 0, predictedBounces: null });
  });

  it('predicts by what came back of earlier campaigns, and not by what went into the outbox', async () => {
    await importCsv(test.app, owner.cookie, `email\n${addresses(40).join('\n')}\n`);
    const share = async () => (await check()).predictedBounces.share;
    const usual = await share();
    expect(usual).toBeGreaterThan(0);
    await readBefore({ sent: 5_000, reply: '250 2.0.0 Kept in the outbox' });
    expect(await share()).toBe(usual);
    await readBefore({ sent: 5_000 });
    expect(await share()).toBe(0);
  });

  it('says how fast it will leave, by the limits of the workspace and of its servers', async () => {
    await importCsv(test.app, owner.cookie, `email\n${addresses(60).join('\n')}\n`);
    const speed = async (fields?: object) => (await check(fields)).when.speed;
    expect(await speed()).toBeNull();
    await call('PATCH', '/api/pace', { perHour: 1_200 });
    const limited = { perMinute: 20, perDay: null, minutes: 3, isLeast: false };
    expect(await speed()).toEqual(limited);
    await call('PATCH', '/api/pace', { receivers: [{ receiver: 'google.com', perHour: 5 }] });
    expect(await speed()).toEqual({ ...limited, isLeast: true });
    expect(await speed({ spreadHours: 1 })).toMatchObject({ perMinute: 1, minutes: 60 });
    const server = { host: 'smtp.invalid', port: 587, tls: 'starttls' };
    await call('POST', '/api/smtp-servers', { ...server, name: 'One', perMinute: 4, perHour: 3_600 });
    await call('POST', '/api/smtp-servers', { ...server, name: 'Other', perHour: 120 });
    expect(await speed()).toMatchObject({ perMinute: 6, minutes: 10 });
    await call('POST', '/api/smtp-servers', { ...server, name: 'Free' });
    expect(await speed()).toMatchObject({ perMinute: 20 });
    const sender = { fromName: 'Ann', fromAddress: 'ann@new.co.uk' };
    await call('PATCH', '/api/settings', { sender });
    const warmUp = {
      domain: 'new.co.uk',
      begunOn: londonClock(new Date()).slice(0, 10),
      first: 50,
      doubleEvery: 1,
      most: 1_000,
    };
    await call('PATCH', '/api/pace', { perHour: null, warmUps: [warmUp] });
    // 50 today, the others tomorrow.
    expect(await speed()).toMatchObject({ perMinute: null, perDay: 50 });
    const quietHours = { from: '22:00', to: '07:00' };
    await call('PATCH', '/api/pace', { quietHours });
    expect((await check()).when.quietHours).toEqual(quietHours);
  });

  it('knows the hour in which people read most, once 500 have', async () => {
    await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\n');
    expect((await check()).when.bestHour).toBeNull();
    const now = Date.now();
    /** Whole hours ago, so that the same hour of the week comes seven days later. */
    const ago = (hours: number) => new Date(Math.floor(now / 3_600_000 - hours) * 3_600_000);
    await readBefore({
      sent: 10_000,
      hours: [
        [ago(30), 300],
        [ago(50), 199],
      ],
    });
    expect((await check()).when.bestHour).toBeNull();
    // Fewer people, and more of those who got it.
    await readBefore({ sent: 100, hours: [[ago(100), 50]] });
    const { bestHour } = (await check()).when;
    expect(londonClock(new Date(bestHour)).slice(11)).toBe(londonClock(ago(100)).slice(11));
    const weekday = (at: Date) => new Date(`${londonClock(at).slice(0, 10)}T00:00Z`).getUTCDay();
    expect(weekday(new Date(bestHour))).toBe(weekday(ago(100)));
    expect(Date.parse(bestHour)).toBeGreaterThan(now);
  });

  it('blocks what cannot be filled, as sending does', async () => {
    await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\n');
    const { id, canSend, lines } = await check({ content: '{% if first_name %}' });
    expect(canSend).toBe(false);
    expect(lines.content).toMatchObject({ result: 'block', fix: expect.any(String) });
    expect((await call('POST', `/api/campaigns/${id}/send`)).code).toBe('conflict');
  });

  it('blocks an audience whose list was deleted, and says so', async () => {
    const list = await call('POST', '/api/lists', { name: 'Trade' });
    const { id } = await call('POST', '/api/campaigns', {
      ...{ ...written, audience: { include: [{ list: list.id }] } },
    });
    await call('DELETE', `/api/lists/${list.id}`);
    const { canSend, checks } = await call('GET', `/api/campaigns/${id}/check`);
    expect(canSend).toBe(false);
    expect(checks[0]).toMatchObject({ key: 'audience', result: 'block' });
  });

  it('blocks a sender that is no address, as sending does, where one was stored before', async () => {
    await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\n');
    for (const field of ['fromAddress', 'replyTo'])
      expect(await call('POST', '/api/campaigns', { ...written, [field]: 'shop at acme' })).toMatchObject({
        ...{ code: 'invalid_input', fields: { [field]: expect.stringContaining('Write an address') } },
      });
    const differs = { differs: 'sender', variants: [{ fromAddress: 'ann@acme..uk' }] };
    expect((await call('POST', '/api/campaigns', { ...written, abTest: differs })).code).toBe(
      'invalid_input',
    );
    const { id } = await call('POST', '/api/campaigns', written);
    await sql`update campaigns set reply_to = 'shop@acme..uk' where id = ${id}`.execute(test.owner.system);
    const { canSend, checks } = await call('GET', `/api/campaigns/${id}/check`);
    expect(canSend).toBe(false);
    expect(checks).toContainEqual(
      expect.objectContaining({ key: 'sender', result: 'block', words: expect.stringContaining('acme..uk') }),
    );
    const later = { sendAt: new Date(Date.now() + 3_600_000).toISOString() };
    for (const [step, body] of [
      ['send', undefined],
      ['schedule', later],
      ['test', {}],
    ] as const)
      expect([step, (await call('POST', `/api/campaigns/${id}/${step}`, body)).code]).toEqual([
        step,
        'conflict',
      ]);
  });

  it('says what a careful sender would look at again, until it is mended', async () => {
    const content = 'Dear {{ frist_name }}, <a href="http://shop.co.uk">see</a>';
    const { lines } = await check({ content, subject: 'BUY NOW EVERYBODY' });
    for (const key of ['sender', 'dkim', 'postal_address', 'merge_fields', 'links', 'subject', 'mail_server'])
      expect([key, lines[key].result]).toEqual([key, 'advice']);
    expect(lines.merge_fields.words).toContain('Did you mean “first_name”?');
    await call('PATCH', '/api/settings', {
      sender: {
        ...{ fromName: 'Ann', fromAddress: 'ann@acme.co.uk', company: 'Acme' },
        postalAddress: '1 High Street, Leeds LS1 1AA',
      },
    });
    const domain = await call('POST', '/api/sender-domains', { domain: 'acme.co.uk' });
    const unread = (await check()).lines;
    expect(unread.dkim).toMatchObject({
      result: 'advice',
      words: 'Signed for acme.co.uk. Not looked up yet.',
    });
    for (const { host, value } of domain.records)
      names[host] = {
        txt: [...(names[host]?.txt ?? []), value],
        mx: [{ exchange: 'mx.acme.co.uk', priority: 1 }],
      };
    await call('POST', `/api/sender-domains/${domain.id}/check`);
    const mended = (await check()).lines;
    expect(mended.spf.words).toBe('One SPF record, with 1 of at most 10 lookups.');
    for (const key of [
      'sender',
      'dkim',
      'spf',
      'dmarc',
      'mx',
      'postal_address',
      'merge_fields',
      'links',
      'subject',
      'size',
    ])
      expect([key, mended[key].result]).toEqual([key, 'pass']);
    expect(mended.sender.words).toBe('Ann <ann@acme.co.uk>');
  });

  it('counts who has no value for a field, and says what they read', async () => {
    const fields = 'Ann,north\nben@shop.co.uk,,\ncyd@shop.co.uk,Cyd, \ndan@shop.co.uk,,\n';
    await importCsv(test.app, owner.cookie, `email,first name,Region\nann@shop.co.uk,${fields}`, {
      reading: { columns: ['email', 'firstName', 'extra:Region'] },
    });
    await call('POST', '/api/suppressions/email/manual', { email: 'dan@shop.co.uk' });
    const greeting = 'Dear {{ first_name | default: "friend" }}, ';
    expect((await check({ content: greeting })).lines.empty_fields).toMatchObject({
      ...{ result: 'pass', words: '“first_name” is empty for 1, who read “friend”.' },
    });
    const { lines } = await check({ content: `${greeting} all in {{ region }} of {{ email }}` });
    expect(lines.empty_fields).toMatchObject({
      ...{ result: 'advice', fix: expect.stringContaining('fallback') },
      words:
        '“region” is empty for 2, who read nothing there. “first_name” is empty for 1, who read “friend”.',
    });
    expect((await check()).lines.empty_fields.words).toContain(
      '“first_name” is empty for 1, who read nothing',
    );
    expect((await check({ content: 'Dear all' })).lines.empty_fields.result).toBe('pass');
    const shop = await check({ content: 'In {{ region }}: <a href="{{ shop_link }}">the shop</a>' });
    const nowhere =
      '“shop_link” is the address of a link and empty for everybody, whom the link leads nowhere.';
    expect(shop.lines.empty_links).toMatchObject({ result: 'advice', words: nowhere });
    expect(Object.keys(shop.lines)[0]).toBe('empty_links');
    const mistyped = await check({ content: 'In {{ region }}: <a href="{{ shop_lnik }}">the shop</a>' });
    expect(mistyped.lines.empty_links.words).toBe(nowhere.replace('shop_link', 'shop_lnik'));
    expect(shop.lines.empty_fields.words).toBe('“region” is empty for 2, who read nothing there.');
    const named = await check({ content: '<a href="{{ first_name }}">the shop</a>' });
    expect(named.lines.empty_links.words).toContain('“first_name” is the address of a link and empty for 1,');
    expect(named.lines.empty_fields).toMatchObject({ words: 'Everybody has a value for each other field.' });
    // A whole table is a sample too.
    const sampled = await test.database.asTenant(owner.workspaceId, (tx) =>
      countEmpty(tx, owner.workspaceId, {
        ...{ matching: sql`true`, mailable: ['unknown'], share: 1 },
        places: [{ column: 'first_name', extra: [] }],
      }),
    );
    expect(sampled).toEqual({ people: 3, empty: [1] });
  });

  it('looks at every variant of a test, and names the one that it means', async () => {
    await call('PATCH', '/api/settings', { sender: { fromAddress: 'ann@acme.co.uk' } });
    const other = '<a href="https://bit.ly/2x">See</a> {{ unsubscribe_link }} {{ company_address }}';
    const { lines } = await check({
      content: `<p>${'Here is the news of this week. '.repeat(20)}</p>`,
      abTest: { differs: 'content', variants: [{ content: other, fromAddress: 'ben@other.co.uk' }] },
    });
    expect(lines.spam_habits).toMatchObject({
      result: 'advice',
      words: expect.stringMatching(/^Variant B: .*bit\.ly/),
    });
    expect(lines.unsubscribe).toMatchObject({
      result: 'advice',
      words: expect.stringMatching(/^Variant B: There is no unsub/),
    });
    expect(lines.dkim.words).toContain('Variant B: other.co.uk is no sender domain');
  });

  it('blocks what does not say who sends it or how to leave, once messages really leave', async () => {
    await importCsv(test.app, owner.cookie, 'email\nann@shop.co.uk\n');
    const content = 'How to leave: {{ unsubscribe_link }}';
    const before = await check({ content });
    expect([before.canSend, before.lines.postal_address.result, before.lines.unsubscribe.result]).toEqual([
      ...[true, 'advice', 'advice'],
    ]);
    await call('POST', '/api/smtp-servers', { name: 'Relay', host: '51.15.0.9', port: 587, tls: 'starttls' });
    const after = await check({ content });
    expect([after.canSend, after.lines.postal_address.result, after.lines.unsubscribe.result]).toEqual([
      ...[false, 'block', 'block'],
    ]);
    await call('PATCH', '/api/settings', {
      sender: {
        fromAddress: 'ann@acme.co.uk',
        company: 'Acme',
        postalAddress: '1 High Street, Leeds LS1 1AA',
      },
    });
    const mended = await check();
    expect([mended.canSend, mended.lines.postal_address.result, mended.lines.unsubscribe.result]).toEqual([
      ...[true, 'pass', 'pass'],
    ]);
    const bare = (await check({ textContent: 'Dear all' })).lines;
    expect(bare.text_part.words).toBe(
      'It is one of its own, and has no unsubscribe link. One is put at its end.',
    );
    expect(mended.lines.text_part).toMatchObject({
      ...{ result: 'pass', words: 'It is made from the HTML, with the unsubscribe link.' },
    });
  });

  it('shows what SpamAssassin says of the message, and whether the mail server has a name', async () => {
    const sender = { fromName: 'Shop', fromAddress: 'news@acme.co.uk' };
    await call('PATCH', '/api/settings', { sender });
    const { id } = await call('POST', '/api/campaigns', { ...written, subject: 'CHEAP' });
    const lines = async () => {
      const { checks } = await call('POST', `/api/campaigns/${id}/check-links`);
      // biome-ignore lint/suspicious/noExplicitAny: lines of the check
      return Object.fromEntries(checks.map((one: any) => [one.key, one]));
    };
    spamd.says = { points: 6.1, rules: [{ points: 1.6, name: 'SUBJ_ALL_CAPS', words: 'Subject shouts' }] };
    const before = await lines();
    expect(before).not.toHaveProperty('reverse_dns');
    expect(before).toMatchObject({
      spam_filter: {
        ...{ result: 'advice', words: expect.stringContaining('SUBJ_ALL_CAPS (1.6): Subject shouts.') },
      },
    });
    const { asked } = spamd;
    expect(asked).toMatch(/^From: "?Shop"? <news@acme\.co\.uk>\r\n/);
    expect(asked).toMatch(/Subject: CHEAP\r\n.*List-Unsubscribe: <.*Dear Priya/s);
    spamd.says = null;
    const own = { name: 'Relay', host: '51.15.0.9', port: 587, tls: 'starttls' };
    await call('POST', '/api/smtp-servers', own);
    names['9.0.15.51.in-addr.arpa'] = { ptr: ['out.acme.co.uk'] };
    const after = await lines();
    expect(after).not.toHaveProperty('spam_filter');
    expect(after).toMatchObject({
      reverse_dns: { result: 'advice', words: expect.stringContaining('out.acme.co.uk') },
    });
    names['out.acme.co.uk'] = { a: ['51.15.0.9'] };
    expect(await lines()).toMatchObject({ reverse_dns: { result: 'pass' } });
  });
});
