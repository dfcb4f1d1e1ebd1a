import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { suppressRecipients } from '#features/suppressions/server/index.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// Transactional messages over the wire.

let peer: SmtpPeer;
let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  peer = await openSmtpPeer();
  test = await openTestApp({ SMTP_URL: peer.url });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
});
afterAll(async () => {
  await test.close();
  await peer.close();
});

interface Options {
  who?: SignedIn;
  headers?: Record<string, string>;
}
type Method = 'GET' | 'POST' | 'PATCH';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object, options: Options = {}): Promise<any> {
  const headers = { cookie: (options.who ?? owner).cookie, ...options.headers };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json() };
}
const send = (body: object, headers: Record<string, string> = {}) =>
  call('POST', '/api/send', { subject: 'Receipt', html: '<p>Thank you</p>', ...body }, { headers });
const ended = (batch: number, count: number) =>
  vi.waitFor(
    async () => {
      const { items } = await call('GET', `/api/send?batch=${batch}&limit=200`);
      expect(items).toHaveLength(count);
      for (const { endedAt } of items) expect(endedAt).not.toBeNull();
      return items;
    },
    { timeout: 20_000, interval: 30 },
  );
const sentTo = (address: string) => peer.taken.filter(({ to }) => to.includes(address));

describe('POST /api/send', () => {
  it('refuses a sender whose domain another workspace has proved, and says so of the field', async () => {
    const other = await signUp(test.app);
    const added = await call('POST', '/api/sender-domains', { domain: 'quay.co.uk' }, { who: other });
    await sql`
      update sender_keys set seen_at = now() where workspace_id = ${other.workspaceId} and domain_id = ${added.id}`.execute(
      test.owner.system,
    );
    const to = [{ email: 'jo@shop.co.uk' }];
    const words = expect.stringContaining('somebody else here has proved that its domain is theirs');
    const refused = { status: 400, code: 'invalid_input', fields: { fromAddress: words } };
    expect(await send({ to, fromAddress: 'boss@news.quay.co.uk' })).toMatchObject(refused);
    // The same as the sender of the settings.
    await call('PATCH', '/api/settings', { sender: { fromName: 'Boss', fromAddress: 'boss@quay.co.uk' } });
    expect(await send({ to })).toMatchObject(refused);
    const { messages } = await send({ to, fromAddress: 'boss@pier.co.uk' });
    expect(messages).toMatchObject([{ status: 'queued' }]);
  });

  it('sends each its own message, filled with the data of the call and of the recipient', async () => {
    await call('PATCH', '/api/settings', {
      sender: { fromName: 'Harbour', fromAddress: 'shop@harbour.co.uk' },
    });
    const { status, batch, messages } = await send({
      to: [
        { email: 'Jane.Smith@shop.co.uk', name: 'Jane Smith', data: { order: 'A-1' } },
        { email: 'ben@shop.co.uk', data: { order: 'B-2' } },
      ],
      subject: 'Order {{ order }}',
      html: '<p>Dear {{ name | default: "customer" }}, your order {{ order }} of {{ total }} is on its way.</p>',
      data: { total: '£12', order: 'none' },
    });
    expect(status).toBe(202);
    expect(messages).toMatchObject([
      { to: 'Jane.Smith@shop.co.uk', status: 'queued', reason: null },
      { to: 'ben@shop.co.uk', status: 'queued' },
    ]);
    const items = await ended(batch, 2);
    expect(items).toMatchObject([
      { to: 'ben@shop.co.uk', subject: 'Order B-2', state: 'sent' },
      { to: 'Jane.Smith@shop.co.uk', subject: 'Order A-1', state: 'sent' },
    ]);
    const [jane] = sentTo('Jane.Smith@shop.co.uk');
    const source = String(jane?.raw);
    expect(source).toMatch(/^To: Jane Smith <Jane\.Smith@shop\.co\.uk>/m);
    expect(source).toMatch(/^From: Harbour <shop@harbour\.co\.uk>/m);
    expect(source).toContain('Subject: Order A-1');
    expect(source).toContain('Dear Jane Smith, your order A-1 of');
    expect(source).not.toMatch(/^List-Unsubscribe|^Precedence/m);
    const shown = await call('GET', `/api/send/${messages[0].id}`);
    expect(shown).toMatchObject({ state: 'sent', attempts: 1, reply: expect.stringContaining('250') });
    expect(shown.html).toContain('your order A-1 of £12');
    // Nobody became a contact by it.
    expect((await call('GET', '/api/emails')).totalCount).toBe(0);
  });

  it('refuses senders that are no addresses, also those that the settings have from before', async () => {
    for (const field of ['fromAddress', 'replyTo'])
      expect(await send({ to: 'ann@shop.co.uk', [field]: 'shop at acme' })).toMatchObject({
        ...{ status: 400, code: 'invalid_input', fields: { [field]: expect.any(String) } },
      });
    const sender = { fromAddress: 'shop@acme..uk' };
    expect((await call('PATCH', '/api/settings', { sender })).code).toBe('invalid_input');
    await sql`
      insert into settings (workspace_id, sender) values (${owner.workspaceId}, ${JSON.stringify(sender)}::jsonb)
      on conflict (workspace_id) do update set sender = excluded.sender`.execute(test.owner.system);
    expect(await send({ to: 'ann@shop.co.uk' })).toMatchObject({
      ...{ status: 400, fields: { fromAddress: expect.stringContaining('acme..uk') } },
    });
  });

  it('goes to whoever unsubscribed, and to no address that bounced or complained', async () => {
    await importCsv(test.app, owner.cookie, 'email\nleft@shop.co.uk\n');
    await call('POST', '/api/suppressions/email/manual', { email: 'left@shop.co.uk' });
    for (const [address, reason] of [
      ['bounced@shop.co.uk', 'bounced'],
      ['angry@shop.co.uk', 'complained'],
      ['both@shop.co.uk', 'unsubscribed'],
    ] as const)
      await call('POST', '/api/suppressions/email/manual', { email: address, reason });
    // Somebody who had left when a receipt came back from them.
    const { workspaceId } = owner;
    const bounced = { local: 'both', domain: 'shop.co.uk', reason: 'bounced', note: null } as const;
    await test.database.asTenant(workspaceId, (tx) => suppressRecipients(tx, workspaceId, [bounced]));
    const { batch, messages } = await send({
      to: ['left@shop.co.uk', 'bounced@shop.co.uk', 'angry@shop.co.uk', 'both@shop.co.uk'],
    });
    expect(messages).toMatchObject([
      { status: 'queued', reason: null },
      { status: 'suppressed', reason: 'bounced' },
      { status: 'suppressed', reason: 'complained' },
      { status: 'suppressed', reason: 'bounced' },
    ]);
    const items = await ended(batch, 4);
    expect(items.map(({ state }: { state: string }) => state)).toEqual([
      ...['skipped', 'skipped', 'skipped', 'sent'],
    ]);
    expect(items[0].reason).toBe('on the suppression list');
    expect([sentTo('left@shop.co.uk').length, sentTo('bounced@shop.co.uk').length]).toEqual([1, 0]);
    const none = await send({ to: 'bounced@shop.co.uk' });
    expect(await ended(none.batch, 1)).toMatchObject([{ state: 'skipped' }]);
  });

  it('sends once, however often the call is made with its key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const to = `once-${key['idempotency-key']}@shop.co.uk`;
    const answers = await Promise.all([send({ to }, key), send({ to }, key), send({ to }, key)]);
    const taken = answers.filter(({ status }) => status === 202);
    expect(taken.length).toBeGreaterThan(0);
    const again = await send({ to }, key);
    expect(again.batch).toBe(taken[0].batch);
    await ended(again.batch, 1);
    expect(sentTo(to)).toHaveLength(1);
    expect((await call('GET', `/api/send?search=${to}`)).totalCount).toBe(1);
    expect((await send({ to, subject: 'Another' }, key)).status).toBe(422);
  });

  it('takes a thousand at once, and no more', async () => {
    const to = Array.from({ length: 1_000 }, (_, n) => ({ email: `p${n}@many.co.uk`, data: { n } }));
    const { batch, messages } = await send({ to, subject: 'Number {{ n }}' });
    expect(new Set(messages.map(({ id }: { id: number }) => id)).size).toBe(1_000);
    expect(messages[999].to).toBe('p999@many.co.uk');
    await vi.waitFor(
      async () =>
        expect((await call('GET', `/api/send?batch=${batch}&state=sent&limit=1`)).totalCount).toBe(1_000),
      { timeout: 30_000, interval: 100 },
    );
    expect(sentTo('p999@many.co.uk').map(({ raw }) => raw)).toEqual([
      expect.stringContaining('Subject: Number 999'),
    ]);
    expect((await send({ to: [...to, { email: 'one@many.co.uk' }] })).status).toBe(400);
  });

  it.each([
    ['an address that is none', { to: ['ann@shop.co.uk', 'nobody'] }, 'to.1'],
    ['an address with a newline', { to: 'ann@shop.co.uk\r\nBcc: all@shop.co.uk' }, 'to.0'],
    [
      'a subject with a newline',
      { to: 'ann@shop.co.uk', subject: 'Hello\r\nBcc: all@shop.co.uk' },
      'subject',
    ],
    ['a name with a newline', { to: [{ email: 'ann@shop.co.uk', name: 'Ann\nBcc: x@shop.co.uk' }] }, ''],
    ['no content', { to: 'ann@shop.co.uk', html: undefined }, 'html'],
    ['content and a template', { to: 'ann@shop.co.uk', templateId: 1 }, 'html'],
    ['content that cannot be filled', { to: 'ann@shop.co.uk', html: '{% if a %}' }, 'html'],
    ['nobody', { to: [] }, 'to'],
    ['fields that nobody knows', { to: 'ann@shop.co.uk', bcc: 'x@shop.co.uk' }, ''],
  ])('refuses %s, and sends nothing', async (_name, body, field) => {
    const { status, fields } = await send(body);
    expect(status).toBe(400);
    if (field) expect(Object.keys(fields)).toContain(field);
    expect((await call('GET', '/api/send')).totalCount).toBe(0);
  });

  it.each([
    [
      'does too much work',
      { subject: '{% for a in (1..900) %}{% for b in (1..900) %}{{ b }}{% endfor %}{% endfor %}' },
    ],
    [
      'has a list that is too long for it',
      { subject: '{% for a in (1..most) %}{% break %}{% endfor %}!', data: { most: 10_001 } },
    ],
  ])('refuses a subject that, with its data, %s', async (_name, body) => {
    const { status, code, fields, message } = await send({ to: 'ann@shop.co.uk', ...body });
    expect({ status, code, fields }).toEqual({
      ...{ status: 400, code: 'invalid_input', fields: { subject: expect.any(String) } },
    });
    expect(message).toContain('The subject: ');
    expect((await call('GET', '/api/send')).totalCount).toBe(0);
  });

  it('says in the log which message could not be written with its data, and sends the others', async () => {
    const { batch } = await send({
      to: [
        { email: 'ann@quay.co.uk', data: { most: 10_001 } },
        { email: 'ben@quay.co.uk', data: { most: 3 } },
      ],
      html: '{% for a in (1..most) %}{{ a }} {% endfor %}',
    });
    expect(await ended(batch, 2)).toMatchObject([
      { to: 'ben@quay.co.uk', state: 'sent' },
      {
        to: 'ann@quay.co.uk',
        ...{ state: 'skipped', reason: 'no mail server can be given the message' },
      },
    ]);
  });

  it('fills a line break in merge data into no header', async () => {
    const { batch } = await send({
      ...{ to: 'ann@injected.co.uk', subject: 'Order {{ order }}' },
      data: { order: 'A\r\nBcc: all@shop.co.uk' },
    });
    await ended(batch, 1);
    const [message] = sentTo('ann@injected.co.uk');
    expect(String(message?.raw)).not.toMatch(/^Bcc:/m);
  });

  it('knows neither templates nor messages of another workspace', async () => {
    const { id: templateId } = await call('POST', '/api/templates', {
      ...{ name: 'Receipt', category: 'custom', htmlContent: '<p>Yours, {{ company_name }}</p>' },
    });
    const { messages } = await send({ to: 'ann@shop.co.uk', html: undefined, templateId });
    const stranger = await signUp(test.app);
    const body = { to: 'ann@shop.co.uk', subject: 'Receipt', templateId };
    expect((await call('POST', '/api/send', body, { who: stranger })).status).toBe(404);
    expect((await call('GET', `/api/send/${messages[0].id}`, undefined, { who: stranger })).status).toBe(404);
    expect((await call('GET', '/api/send', undefined, { who: stranger })).totalCount).toBe(0);
  });

  it('leaves before a campaign that is under way, and at no campaign’s pace', async () => {
    await importCsv(
      test.app,
      owner.cookie,
      `email\n${Array.from({ length: 40 }, (_, n) => `c${n}@shop.co.uk`).join('\n')}\n`,
    );
    await call('PATCH', '/api/pace', { perDay: 5 });
    const { id } = await call('POST', '/api/campaigns', {
      ...{ name: 'News', subject: 'News', content: 'Dear you', template: 'simple' },
    });
    await call('POST', `/api/campaigns/${id}/send`);
    const { batch } = await send({ to: Array.from({ length: 20 }, (_, n) => `t${n}@shop.co.uk`) });
    for (const { state } of await ended(batch, 20)) expect(state).toBe('sent');
    expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'sending' });
  });

  it('is for keys with its scope', async () => {
    const { key } = await call('POST', '/api/keys', { name: 'Shop', scopes: ['send'] });
    const { key: other } = await call('POST', '/api/keys', { name: 'Other', scopes: ['contacts:read'] });
    const by = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      const payload = { to: 'ann@shop.co.uk', subject: 'Receipt', html: '<p>Thank you</p>' };
      return (await test.app.inject({ method: 'POST', url: '/api/send', headers, payload })).statusCode;
    };
    expect([await by(key), await by(other)]).toEqual([202, 403]);
  });
});
