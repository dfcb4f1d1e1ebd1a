import { createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReferences, returnAddress } from '#features/messages/server/index.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { type Mailing, openTracked, secretKey, type Tracked } from '#test/support/tracked-sends.ts';
import type { BounceWebhook } from '../../contract/webhooks.ts';
import type { Provider } from '../../rules/providers/providers.ts';

// What email services tell, signed as they sign it with keys made here.

const domain = 'bounces.acme.co.uk';
const references = createReferences([secretKey]);

let tracked: Tracked;
let owner: SignedIn;
let mailing: Mailing;

beforeAll(async () => {
  tracked = await openTracked({ BOUNCE_DOMAIN: domain });
  await migrateJobs(tracked.test.ownerUrl);
  await tracked.test.startWork();
});
beforeEach(async () => {
  owner = await signUp(tracked.test.app);
  mailing = await tracked.mailing({ html: '<p>News</p>', who: owner });
});
afterAll(() => tracked.test.close());

const call = async (method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) => {
  const headers = { cookie: owner.cookie };
  const answer = await tracked.test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json() };
};
const webhookOf = async (provider: Provider): Promise<BounceWebhook> =>
  (await call('GET', '/api/bounces/webhooks')).items.find((one: BounceWebhook) => one.provider === provider);

/** Switches a service on, and answers how it calls. */
async function switchOn(provider: Provider, secret?: string) {
  const answer = await call('PUT', `/api/bounces/webhooks/${provider}`, secret ? { secret } : {});
  expect(answer.status, JSON.stringify(answer)).toBe(200);
  const url = new URL((await webhookOf(provider)).url).pathname;
  return async (body: unknown, headers: Record<string, string> = {}) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const answered = await tracked.test.app.inject({
      ...{ method: 'POST', url, payload },
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: answered.statusCode, ...answered.json() };
  };
}

async function sent(change = {}) {
  const send = await tracked.send(mailing, undefined, change);
  const email = `${send.local}@${send.domain}`;
  const own = { ...send, part: 0 };
  return {
    ...{ ...send, email, path: returnAddress({ domain, references }, send) },
    messageId: `${references.url('view', own)}@shop.co.uk`,
  };
}
const reasonOf = async (email: string): Promise<string | null> =>
  (await call('GET', `/api/suppressions/emails?search=${email}`)).items[0]?.reason ?? null;
const suppressed = (email: string, reason = 'bounced') =>
  vi.waitFor(async () => expect(await reasonOf(email)).toBe(reason), 10_000);
const bouncesOf = async (contactId: number) =>
  ((await call('GET', `/api/emails/${contactId}/timeline`)).items as { kind: string }[]).filter(({ kind }) =>
    ['bounced', 'complained'].includes(kind),
  );
const now = () => String(Math.floor(Date.now() / 1_000));

describe('Postmark', () => {
  const bounce = (email: string, more = {}) => ({
    ...{ RecordType: 'Bounce', ID: 42, Type: 'HardBounce', TypeCode: 1, MessageStream: 'broadcast' },
    ...{ Name: 'Hard bounce', MessageID: '883953f4-6105-42a2-a16a-77a8eac79483', Email: email },
    Details: `smtp;550 5.1.1 The email account that you tried to reach does not exist <${email}>`,
    BouncedAt: '2026-11-22T16:33:54.9070259Z',
    ...more,
  });
  const headers = { authorization: `Basic ${Buffer.from('postmark:between us').toString('base64')}` };

  it('tells of a hard bounce with its password, and without it nothing', async () => {
    const { email, messageId, contactId } = await sent();
    const post = await switchOn('postmark', 'between us');
    const body = bounce(email, { Content: `Message-ID: <${messageId}>\r\nSubject: News` });
    const wrong = { authorization: `Basic ${Buffer.from('postmark:guessed').toString('base64')}` };
    for (const bad of [{}, wrong, { authorization: 'Bearer between' }])
      expect(await post(body, bad as Record<string, string>)).toMatchObject({
        status: 403,
        code: 'forbidden',
      });
    expect(await bouncesOf(contactId)).toEqual([]);
    expect(await post(body, headers)).toMatchObject({ status: 200, taken: 1 });
    await suppressed(email);
    expect(await bouncesOf(contactId)).toMatchObject([
      { class: 'hard', reason: 'no_such_user', said: expect.stringContaining('does not exist') },
    ]);
    const { lastCallAt, ...shown } = await webhookOf('postmark');
    expect(shown).toMatchObject({ isOn: true, hasSecret: true, events: 1, found: 1 });
    expect(Date.now() - Date.parse(String(lastCallAt))).toBeLessThan(60_000);
    expect(JSON.stringify(await call('GET', '/api/bounces/webhooks'))).not.toContain('between us');
  });

  it('tells of complaints, and nobody is suppressed for a full mailbox or an answer of a machine', async () => {
    const [angry, full, away] = [await sent(), await sent(), await sent()];
    const post = await switchOn('postmark', 'between us');
    const complaint = bounce(angry.email, { RecordType: 'SpamComplaint', Type: 'SpamComplaint' });
    const quoting = (messageId: string, more: object) => ({ ...more, Content: `Message-ID: <${messageId}>` });
    expect(await post(bounce(angry.email, quoting(angry.messageId, complaint)), headers)).toMatchObject({
      taken: 1,
    });
    const soft = { Type: 'SoftBounce', Details: 'smtp;552 5.2.2 Mailbox full' };
    expect(await post(bounce(full.email, quoting(full.messageId, soft)), headers)).toMatchObject({
      taken: 1,
    });
    const answer = quoting(away.messageId, { Type: 'AutoResponder' });
    expect(await post(bounce(away.email, answer), headers)).toMatchObject({ taken: 0 });
    await suppressed(angry.email, 'complained');
    expect(await bouncesOf(full.contactId)).toMatchObject([{ class: 'soft', reason: 'full' }]);
    expect(await reasonOf(full.email)).toBeNull();
    expect(await bouncesOf(away.contactId)).toEqual([]);
  });
});

describe('Mailgun', () => {
  const key = 'key-3ax6xnjp29jd6fds4gc373sgvjxteol0';
  const signature = (timestamp = now(), token = randomBytes(25).toString('hex')) => ({
    ...{ timestamp, token },
    signature: createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex'),
  });
  const failed = (send: { email: string; messageId: string }, more = {}) => ({
    ...{
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      recipient: send.email,
      'log-level': 'error',
    },
    'delivery-status': { code: 550, message: `5.1.1 <${send.email}> User unknown`, 'attempt-no': 1 },
    message: { headers: { to: send.email, 'message-id': send.messageId, subject: 'News' }, size: 111 },
    ...more,
  });

  it('is believed with its signature, once, and refused without', async () => {
    const [send, other] = [await sent(), await sent()];
    const post = await switchOn('mailgun', key);
    const signed = signature();
    const forged = { ...signed, signature: '0'.repeat(64) };
    expect(await post({ signature: forged, 'event-data': failed(send) })).toMatchObject({ status: 403 });
    expect(await post({ 'event-data': failed(send) })).toMatchObject({ status: 403 });
    const days = String(Number(now()) - 3 * 86_400);
    expect(await post({ signature: signature(days), 'event-data': failed(send) })).toMatchObject({
      ...{ status: 403, message: expect.stringContaining('too long ago') },
    });
    expect(await post({ signature: signed, 'event-data': failed(send) })).toMatchObject({
      status: 200,
      taken: 1,
    });
    await suppressed(send.email);
    // The signature is not over the event: what was seen once must not carry another.
    expect(await post({ signature: signed, 'event-data': failed(other) })).toMatchObject({ taken: 0 });
    const { timestamp, token } = signed;
    const moved = { ...signed, timestamp: timestamp + token[0], token: token.slice(1) };
    expect(await post({ signature: moved, 'event-data': failed(other) })).toMatchObject({ status: 403 });
    expect(await bouncesOf(other.contactId)).toEqual([]);
  });

  it('tells of complaints, and its temporary failures are no bounces', async () => {
    const [angry, later] = [await sent(), await sent()];
    const post = await switchOn('mailgun', key);
    const tell = (event: object) => post({ signature: signature(), 'event-data': event });
    expect(await tell(failed(later, { severity: 'temporary' }))).toMatchObject({ taken: 0 });
    expect(await tell(failed(angry, { event: 'complained' }))).toMatchObject({ taken: 1 });
    await suppressed(angry.email, 'complained');
    expect(await bouncesOf(later.contactId)).toEqual([]);
  });
});

describe('SendGrid', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const signedBy = (body: string, signer = privateKey, timestamp = now()) => ({
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': createSign('sha256')
      .update(timestamp + body)
      .sign(signer, 'base64'),
  });

  it('takes a batch as its key has signed it, and no other', async () => {
    const [gone, blocked, angry, fine] = [await sent(), await sent(), await sent(), await sent()];
    const event = ({ email, messageId }: typeof gone, more: object) => ({
      ...{
        email,
        timestamp: 1_700_000_000,
        'smtp-id': `<${messageId}>`,
        sg_event_id: '6g4ZI7SA-xmRDv57GoPIPw==',
      },
      ...more,
    });
    const body = JSON.stringify([
      event(gone, { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 user unknown' }),
      event(blocked, { event: 'bounce', type: 'blocked', reason: '550 5.7.1 blocked by our blacklist' }),
      event(angry, { event: 'spamreport' }),
      event(fine, { event: 'delivered', response: '250 OK' }),
    ]);
    const post = await switchOn('sendgrid', key);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    const old = String(Number(now()) - 3 * 86_400);
    for (const headers of [
      {},
      signedBy(body, stranger),
      signedBy(`${body} `),
      signedBy(body, privateKey, old),
    ])
      expect(await post(body, headers as Record<string, string>)).toMatchObject({ status: 403 });
    const headers = signedBy(body);
    expect(await post(body, headers)).toMatchObject({ status: 200, taken: 3 });
    expect(await post(body, headers)).toMatchObject({ status: 200, taken: 0 });
    await suppressed(gone.email);
    await suppressed(angry.email, 'complained');
    expect(await bouncesOf(blocked.contactId)).toMatchObject([{ class: 'soft' }]);
    expect(await reasonOf(blocked.email)).toBeNull();
    expect(await bouncesOf(fine.contactId)).toEqual([]);
    expect(await webhookOf('sendgrid')).toMatchObject({ events: 3, found: 3 });
  });

  it('needs its verification key, and a real one', async () => {
    await call('DELETE', '/api/bounces/webhooks/sendgrid');
    const post = await switchOn('sendgrid');
    expect(await post('[]', signedBy('[]'))).toMatchObject({ status: 403 });
    const answer = await call('PUT', '/api/bounces/webhooks/sendgrid', { secret: 'no key' });
    expect(answer).toMatchObject({ status: 400, fields: { secret: expect.stringContaining('MFkw') } });
  });
});

describe('Brevo', () => {
  const headers = { authorization: 'Bearer a long token' };
  const event = (email: string, more = {}) => ({
    ...{ event: 'hard_bounce', email, id: 1, date: '2026-11-22 10:00:00', ts_event: 1_700_000_000 },
    ...{ reason: '550 5.1.1 User unknown', subject: 'News' },
    ...more,
  });

  it('is believed with its token, by Message-ID and by nothing of another workspace', async () => {
    const send = await sent();
    const post = await switchOn('brevo', 'a long token');
    const body = event(send.email, { 'message-id': `<${send.messageId}>` });
    expect(await post(body)).toMatchObject({ status: 403 });
    const foreign = `${references.url('view', { ...send, workspaceId: send.workspaceId + 1, part: 0 })}@shop.co.uk`;
    expect(await post(event(send.email, { 'message-id': `<${foreign}>` }), headers)).toMatchObject({
      taken: 1,
    });
    expect(await bouncesOf(send.contactId)).toEqual([]);
    expect(await post(body, headers)).toMatchObject({ taken: 1 });
    await suppressed(send.email);
    expect(await webhookOf('brevo')).toMatchObject({ events: 2, found: 1 });
  });

  it('is about nobody else whose message the words of a server quote', async () => {
    const [gone, mallory, ann] = [await sent(), await sent(), await sent()];
    const post = await switchOn('brevo', 'a long token');
    const reason = `550 5.1.1 no such user <${ann.messageId}> <${ann.path}>`;
    const own = { 'message-id': `<${gone.messageId}>` };
    expect(await post(event(gone.email, { reason, ...own }), headers)).toMatchObject({ taken: 1 });
    expect(await post(event(mallory.email, { reason }), headers)).toMatchObject({ taken: 1 });
    await suppressed(gone.email);
    expect(await bouncesOf(gone.contactId)).toMatchObject([{ class: 'hard', reason: 'no_such_user' }]);
    expect(await bouncesOf(ann.contactId)).toEqual([]);
    expect(await webhookOf('brevo')).toMatchObject({ events: 2, found: 1 });
  });

  it('without a name of ours is about the last message to the address, if that left lately', async () => {
    const [lately, long] = [await sent(), await sent({ handedAt: new Date(Date.now() - 30 * 864e5) })];
    const { system } = tracked.test.owner;
    await sql`
      insert into mailings (workspace_id, id, kind, status, name, from_name, from_address, subject, html, text,
        tracks_opens, tracks_clicks) overriding system value
      values (${lately.workspaceId}, ${mailing.id}, 'campaign', 'sending', 'Spring news', 'Shop', 'a@shop.co.uk', 'News',
        '', '', true, true)`.execute(system);
    const post = await switchOn('brevo', 'a long token');
    for (const { email } of [lately, long])
      expect(await post(event(email.toUpperCase()), headers)).toMatchObject({ taken: 1 });
    await suppressed(lately.email);
    expect(await bouncesOf(long.contactId)).toEqual([]);
  });
});

describe('the address of a webhook', () => {
  it('works for its own service and as long as that is on; nobody can make one', async () => {
    const { workspaceId } = owner;
    const post = (url: string) =>
      tracked.test.app.inject({ method: 'POST', url, payload: { event: 'spam', email: 'jo@acme.co.uk' } });
    const path = async () => new URL((await webhookOf('brevo')).url).pathname;
    await call('DELETE', '/api/bounces/webhooks/brevo');
    const off = await path();
    expect((await post(off)).statusCode).toBe(404);
    await switchOn('brevo');
    expect((await post(off)).statusCode).toBe(200);
    expect((await post(off.replace('brevo', 'postmark'))).statusCode).toBe(404);
    const bent = off.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await post(bent)).statusCode).toBe(404);
    // A name of one use is none for another.
    const link = references.url('view', { workspaceId, mailingId: 4, sendId: 1, part: 0 });
    expect((await post(`/api/bounces/webhooks/brevo/${link}`)).statusCode).toBe(404);
    await call('DELETE', '/api/bounces/webhooks/brevo');
    expect((await post(off)).statusCode).toBe(404);
    await switchOn('brevo');
    expect(await path()).not.toBe(off);
    expect((await post(off)).statusCode).toBe(404);
    const { items } = (await call('GET', '/api/audit')) as { items: { action: string }[] };
    expect(items.map(({ action }) => action)).toContain('bounce_webhook.deleted');
  });
});
