import { createSign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createReferences, returnAddress } from '#features/messages/server/index.ts';
import { createHttp } from '#platform/server/http.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { createLogger } from '#platform/server/logging.ts';
import { createSealer } from '#platform/server/sealed.ts';
import { type Certificate, makeCertificate } from '#test/support/certificate.ts';
import { openTracked, secretKey, type Tracked } from '#test/support/tracked-sends.ts';
import { BounceBook } from '../bounces.ts';
import { registerWebhooks } from './routes.ts';
import { Sns } from './sns.ts';

// Amazon's notifications, signed with a certificate made here that is handed out in Amazon's place.

const domain = 'bounces.acme.co.uk';
const references = createReferences([secretKey]);
const arn = 'arn:aws:sns:eu-west-2:123456789012:bounces';
const certUrl = 'https://sns.eu-west-2.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem';

let tracked: Tracked;
let amazon: Certificate;
let path: string;
let post: (message: object) => Promise<{ status: number; taken?: number; message?: string }>;
const pages = new Map<string, string>();
const asked: string[] = [];

beforeAll(async () => {
  tracked = await openTracked();
  await migrateJobs(tracked.test.ownerUrl);
  amazon = makeCertificate('sns.amazonaws.com');
  pages.set(certUrl, amazon.pem);
  const db = tracked.test.database;
  const log = createLogger('silent');
  const book = new BounceBook({ db, log, sends: () => tracked.played, mailings: () => undefined });
  const sns = new Sns(async (url) => {
    asked.push(url);
    const page = pages.get(url);
    if (page === undefined) throw new Error('There is no such host.');
    return Buffer.from(page);
  });
  const { app, router } = createHttp({ authenticate: async () => null, log, trustedOrigins: [] });
  registerWebhooks(router, {
    ...{ db, book, sns, references, returns: { domain, references }, publicUrl: 'http://localhost:0' },
    ...{ sealer: createSealer(secretKey), sends: () => tracked.played, mailings: () => undefined },
  });
  post = async (message) => {
    const headers = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' };
    const payload = JSON.stringify(message);
    const answer = await app.inject({ method: 'POST', url: path, headers, payload });
    return { status: answer.statusCode, ...answer.json() };
  };
});
afterAll(() => tracked.test.close());

const call = async (method: 'GET' | 'PUT' | 'DELETE', url: string) =>
  (
    await tracked.test.app.inject({
      method,
      url,
      headers: { cookie: tracked.owner.cookie },
      ...(method === 'PUT' ? { payload: {} } : {}),
    })
  ).json();

beforeEach(async () => {
  await call('DELETE', '/api/bounces/webhooks/ses');
  const { items } = await call('PUT', '/api/bounces/webhooks/ses');
  path = new URL(items[0].url).pathname;
  asked.length = 0;
});

let count = 0;
type Fields = Record<string, string>;
function signed(fields: Fields, { privateKey }: Certificate = amazon, version = '2'): Fields {
  const message: Fields = {
    ...{
      MessageId: `22b80b92-fdea-4c2c-8f9d-${++count}`,
      TopicArn: arn,
      Timestamp: new Date().toISOString(),
    },
    ...fields,
  };
  const text = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    .filter((name) => name in message)
    .map((name) => `${name}\n${message[name]}\n`)
    .join('');
  const Signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(text)
    .sign(privateKey, 'base64');
  return { SigningCertURL: certUrl, ...message, SignatureVersion: version, Signature };
}
const greeting = (more: Fields = {}) => {
  const SubscribeURL = `https://sns.eu-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${arn}&Token=23`;
  pages.set(SubscribeURL, '<ConfirmSubscriptionResponse/>');
  return {
    Type: 'SubscriptionConfirmation',
    Token: '23',
    Message: 'You have chosen to subscribe',
    SubscribeURL,
    ...more,
  };
};
const notification = (event: object, more: Fields = {}) => ({
  ...{ Type: 'Notification', Message: JSON.stringify(event), Subject: 'Amazon SES Email Event Notification' },
  ...more,
});

async function sent() {
  const mailing = await tracked.mailing({ html: '<p>News</p>' });
  const send = await tracked.send(mailing);
  const email = `${send.local}@${send.domain}`;
  const mail = {
    source: returnAddress({ domain, references }, send),
    messageId: '0000014a',
    destination: [email],
  };
  return { ...send, email, mail };
}
const bounced = ({ email, mail }: Awaited<ReturnType<typeof sent>>, bounce = {}) => ({
  notificationType: 'Bounce',
  bounce: {
    ...{ bounceType: 'Permanent', bounceSubType: 'General', timestamp: '2026-11-22T10:00:00.000Z' },
    bouncedRecipients: [
      {
        emailAddress: email,
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 5.1.1 user unknown',
      },
    ],
    ...bounce,
  },
  mail,
});
const reasonOf = async (email: string): Promise<string | null> =>
  (await call('GET', `/api/suppressions/emails?search=${email}`)).items[0]?.reason ?? null;

it('confirms the topic of the workspace, and takes its bounces and complaints, each once', async () => {
  const [gone, full, angry] = [await sent(), await sent(), await sent()];
  expect(await post(signed(notification(bounced(gone))))).toMatchObject({ status: 403 });
  expect(await post(signed(greeting()))).toMatchObject({ status: 200 });
  expect(asked.filter((url) => url.includes('ConfirmSubscription'))).toHaveLength(1);
  expect((await call('GET', '/api/bounces/webhooks')).items[0]).toMatchObject({
    provider: 'ses',
    topic: arn,
  });
  const once = signed(notification(bounced(gone)), amazon, '1');
  expect(await post(once)).toMatchObject({ status: 200, taken: 1 });
  expect(await post(once)).toMatchObject({ status: 200, taken: 0 });
  const soft = {
    bounceType: 'Transient',
    bouncedRecipients: [{ emailAddress: full.email, diagnosticCode: 'smtp; 552 5.2.2 mailbox full' }],
  };
  expect(await post(signed(notification(bounced(full, soft))))).toMatchObject({ taken: 1 });
  const complaint = {
    ...{ eventType: 'Complaint', mail: angry.mail },
    complaint: { complainedRecipients: [{ emailAddress: angry.email }], complaintFeedbackType: 'abuse' },
  };
  expect(await post(signed(notification(complaint)))).toMatchObject({ taken: 1 });
  await vi.waitFor(async () => expect(await reasonOf(gone.email)).toBe('bounced'), 10_000);
  await vi.waitFor(async () => expect(await reasonOf(angry.email)).toBe('complained'), 10_000);
  expect(await reasonOf(full.email)).toBeNull();
});

it('takes a bounce for the message of Amazon’s own record, whatever address a report names', async () => {
  expect(await post(signed(greeting()))).toMatchObject({ status: 200 });
  const [passedOn, other] = [await sent(), await sent()];
  const bouncedRecipients = [{ emailAddress: other.email, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }];
  const event = bounced(passedOn, { bouncedRecipients });
  expect(await post(signed(notification(event)))).toMatchObject({ taken: 1 });
  await vi.waitFor(async () => expect(await reasonOf(passedOn.email)).toBe('bounced'), 10_000);
  expect(await reasonOf(other.email)).toBeNull();
});

it('believes no other topic, and nothing that Amazon has not signed or signed long ago', async () => {
  expect(await post(signed(greeting()))).toMatchObject({ status: 200 });
  const send = await sent();
  const message = notification(bounced(send));
  const stranger = makeCertificate('sns.amazonaws.com');
  const past = makeCertificate('sns.amazonaws.com', { until: new Date(Date.now() - 1_000) });
  const pastUrl = certUrl.replace('0123', 'past');
  pages.set(pastUrl, past.pem);
  const old = new Date(Date.now() - 3 * 864e5).toISOString();
  const bad = [
    signed(message, stranger),
    { ...signed(message), Message: JSON.stringify(bounced(await sent())) },
    { ...signed(message), Signature: 'nonsense' },
    signed({ ...message, TopicArn: `${arn}2` }),
    signed({ ...message, SigningCertURL: pastUrl }, past),
    signed({ ...message, Timestamp: old }),
    signed({ ...greeting(), TopicArn: `${arn}2` }),
    { Type: 'Notification' },
  ];
  for (const one of bad) expect([one, (await post(one)).status]).toEqual([one, 403]);
  expect(asked.filter((url) => url.includes('ConfirmSubscription'))).toHaveLength(1);
  expect(await reasonOf(send.email)).toBeNull();
});

it('asks no host but those of Amazon SNS, whatever a message says', async () => {
  const stranger = makeCertificate('sns.amazonaws.com');
  for (const url of [
    'https://evil.example/sns.pem',
    'http://sns.eu-west-2.amazonaws.com/a.pem',
    'https://sns.eu-west-2.amazonaws.com.evil.example/a.pem',
    'https://sns.eu-west-2.amazonaws.com@evil.example/a.pem',
    'https://sns.eu-west-2.amazonaws.com:8443/a.pem',
    'https://s3.eu-west-2.amazonaws.com/evil/a.pem',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ]) {
    pages.set(url, stranger.pem);
    expect(await post(signed({ ...greeting(), SigningCertURL: url }, stranger))).toMatchObject({
      status: 403,
    });
    const elsewhere = signed({ ...greeting(), SubscribeURL: url });
    expect(await post(elsewhere)).toMatchObject({ status: 403 });
  }
  expect(asked.filter((url) => url !== certUrl)).toEqual([]);
});

it('asks Amazon to try again when the certificate cannot be read', async () => {
  const url = certUrl.replace('0123', 'gone');
  expect(await post(signed({ ...greeting(), SigningCertURL: url }))).toMatchObject({ status: 503 });
});
