import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type DnsServer, startDnsServer } from '#test/support/dns-server.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let dns: DnsServer;
let test: TestApp;
let person: SignedIn;

beforeAll(async () => {
  dns = await startDnsServer({
    'acme.co.uk': { mx: [{ exchange: 'mail.acme.co.uk', priority: 10 }] },
    'web-only.co.uk': { a: ['192.0.2.1'] },
    'mute.co.uk': {},
    'null.co.uk': { mx: [{ exchange: '', priority: 0 }] },
    'silent.co.uk': { fails: 'SERVFAIL' },
    'slow.co.uk': { fails: 'drop' },
  });
  test = await openTestApp({ DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await test.close();
  await dns.close();
});
beforeEach(async () => {
  person = await signUp(test.app);
});

const add = (email: string) =>
  test.app.inject({
    method: 'POST',
    url: '/api/emails',
    headers: { cookie: person.cookie },
    payload: { email },
  });
const checkMailServers = async (checkMXRecords: boolean) => {
  const answer = await test.app.inject({
    method: 'PATCH',
    url: '/api/settings',
    headers: { cookie: person.cookie },
    payload: { emailValidation: { checkMXRecords } },
  });
  expect(answer.statusCode).toBe(200);
};

it.each([
  ['nowhere.co.uk', 'The domain does not exist: nowhere.co.uk.'],
  ['mute.co.uk', 'The domain has no mail server: mute.co.uk.'],
  ['null.co.uk', 'The domain says that it takes no mail: null.co.uk.'],
])('refuses an address at %s with the reason, and keeps nothing', async (domain, words) => {
  await checkMailServers(true);
  const answer = await add(`Jo@${domain.toUpperCase()}`);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(words),
    fields: { email: expect.stringContaining(words) },
  });
  const list = await test.app.inject({ url: '/api/emails', headers: { cookie: person.cookie } });
  expect(list.json().totalCount).toBe(0);
});

it.each(['acme.co.uk', 'web-only.co.uk', 'silent.co.uk', 'slow.co.uk'])(
  'takes an address at %s: mail arrives there, or nobody said that it does not',
  async (domain) => {
    await checkMailServers(true);
    expect((await add(`jo@${domain}`)).statusCode).toBe(201);
  },
);

it('asks nobody where the workspace does not check mail servers', async () => {
  await checkMailServers(false);
  const before = dns.questions.length;
  expect((await add('jo@unheard-of.co.uk')).statusCode).toBe(201);
  expect(dns.questions.slice(before)).toEqual([]);
});

it('says of what is no address what it always says', async () => {
  await checkMailServers(true);
  expect((await add('jo@')).json().message).toBe('Please enter a valid UK email address');
});

it('asks about a domain once, and judges the contact by the answer', async () => {
  await checkMailServers(true);
  await add('ann@acme.co.uk');
  const before = dns.questions.length;
  const answer = await add('bob@acme.co.uk');
  expect(dns.questions.slice(before)).toEqual([]);
  expect(answer.json().verification.reasons).not.toContain('not_measured');
});
