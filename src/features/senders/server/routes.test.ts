import { sign, verify } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type DnsServer, type NameAnswers, startDnsServer } from '#test/support/dns-server.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import type { SenderDomain } from '../contract.ts';
import { sendersPort } from './index.ts';

let test: TestApp;
let server: DnsServer;
let owner: SignedIn;
let names: Record<string, NameAnswers>;

beforeAll(async () => {
  server = await startDnsServer((name) => names[name]);
  test = await openTestApp({
    DNS_SERVERS: server.address,
    SECRET_KEY: 's'.repeat(40),
    PUBLIC_URL: 'https://mail.app.co.uk',
  });
});
beforeEach(async () => {
  names = {};
  owner = await signUp(test.app);
});
afterAll(async () => {
  await test?.close();
  await server?.close();
});

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, who = owner) {
  const answer = await test.app.inject({
    method,
    url,
    headers: { cookie: who.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const add = async (domain = 'acme.co.uk'): Promise<SenderDomain> => {
  const { status, body } = await call('POST', '/api/sender-domains', { domain });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const check = async (id: number): Promise<SenderDomain> => {
  await sql`update sender_domains set checked_at = checked_at - interval '1 hour'`.execute(test.owner.system);
  return (await call('POST', `/api/sender-domains/${id}/check`)).body;
};
const recordOf = ({ records }: SenderDomain, selector: string) => {
  const record = records.find((one) => one.selector === selector);
  if (!record) throw new Error(`no record for ${selector}`);
  return record;
};
const publish = (domain: SenderDomain, selector: string) => {
  const { host, value } = recordOf(domain, selector);
  names[host] = { txt: [value] };
};
const result = ({ checks }: SenderDomain, name: string) => checks.find((one) => one.name === name);
const keyFor = (from: string) =>
  test.owner.asTenant(owner.workspaceId, (tx) => test.use(sendersPort).keyFor(tx, owner.workspaceId, from));
const linkSiteFor = (from: string) =>
  test.owner.asTenant(owner.workspaceId, (tx) =>
    test.use(sendersPort).linkSiteFor(tx, owner.workspaceId, from),
  );
const age = (column: string, days: number) =>
  sql`update sender_keys set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(days => ${days})`.execute(
    test.owner.system,
  );

it('makes a key for a new domain and keeps its private half encrypted', async () => {
  const made = await add('https://News.Acme.co.uk/');
  expect(made).toMatchObject({ domain: 'news.acme.co.uk', state: 'unchecked', checkedAt: null });
  expect(made.keys).toMatchObject([{ selector: 'em1', state: 'signing', seenAt: null }]);
  const record = recordOf(made, 'em1');
  expect(record).toMatchObject({ host: 'em1._domainkey.news.acme.co.uk', type: 'TXT', state: 'unknown' });
  expect(record.strings.map(({ length }) => length)).toEqual([255, record.value.length - 255]);
  expect(JSON.stringify(made)).not.toContain('PRIVATE');
  const { rows } = await sql<{ sealed: string }>`select sealed_key as sealed from sender_keys`.execute(
    test.owner.system,
  );
  for (const { sealed } of rows) expect(sealed).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/);
  // What the port answers is the other half of what the record publishes.
  const key = await keyFor('news.acme.co.uk');
  const signature = sign('sha256', Buffer.from('mail'), key?.privateKey ?? '');
  const spki = record.value.split('p=')[1] ?? '';
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----`;
  expect(verify('sha256', Buffer.from('mail'), publicKey, signature)).toBe(true);
});

it('signs for a domain beyond ASCII, however it is written', async () => {
  await add('bücher.co.uk');
  for (const from of ['bücher.co.uk', 'BÜCHER.co.uk', 'xn--bcher-kva.co.uk', 'news.bücher.co.uk'])
    expect(await keyFor(from), from).toMatchObject({ domain: 'xn--bcher-kva.co.uk' });
});

it('refuses what is no domain, the same again, and strangers', async () => {
  for (const domain of ['', 'acme', 'co.uk', '192.0.2.1', 'acme.test', 'a b.co.uk', 'a\0.co.uk'])
    expect((await call('POST', '/api/sender-domains', { domain })).status, domain).toBe(400);
  const { id } = await add();
  expect((await call('POST', '/api/sender-domains', { domain: 'ACME.co.uk' })).status).toBe(409);
  const editor = await signUpMember(test.app, test.owner, { workspaceId: owner.workspaceId, role: 'editor' });
  expect((await call('POST', '/api/sender-domains', { domain: 'b.co.uk' }, editor)).status).toBe(403);
  expect((await call('GET', `/api/sender-domains/${id}`, undefined, editor)).status).toBe(200);
  const stranger = await signUp(test.app);
  expect((await call('GET', `/api/sender-domains/${id}`, undefined, stranger)).status).toBe(404);
});

it('reads DNS and says what is missing and what holds', async () => {
  const made = await add();
  const before = await check(made.id);
  expect(before.state).toBe('incomplete');
  expect(before.checks.map(({ name, result: is }) => [name, is])).toEqual([
    ['dkim', 'fail'],
    ['spf', 'fail'],
    ['dmarc', 'fail'],
    ['mx', 'warning'],
    ['tracking', 'pass'],
  ]);
  publish(made, 'em1');
  names['acme.co.uk'] = {
    txt: ['google-site-verification=x', 'v=spf1 include:spf.mail.co.uk mx ~all'],
    mx: [{ exchange: 'mx.acme.co.uk', priority: 10 }],
  };
  names['spf.mail.co.uk'] = { txt: ['v=spf1 ip4:192.0.2.0/24 a -all'] };
  names['_dmarc.acme.co.uk'] = { txt: ['v=DMARC1; p=quarantine'] };
  names['links.acme.co.uk'] = { cname: 'mail.app.co.uk' };
  const after = await check(made.id);
  expect(after.state).toBe('ready');
  expect(result(after, 'spf')?.words).toContain('with 3 of at most 10 lookups');
  // The record leads here, and nobody answers: links stay with the installation.
  expect(result(after, 'tracking')).toMatchObject({
    ...{ result: 'warning', found: ['mail.app.co.uk'] },
    words: expect.stringMatching(
      /links\.acme\.co\.uk leads here, but .* Links begin with https:\/\/mail\.app\.co\.uk\.$/,
    ),
  });
  expect(await linkSiteFor('news.acme.co.uk')).toBeNull();
  await sql`update sender_domains set facts = facts || '{"linkProblem": null}' where id = ${made.id}`.execute(
    test.owner.system,
  );
  expect(await linkSiteFor('news.acme.co.uk')).toBe('https://links.acme.co.uk');
  expect(await linkSiteFor('acme.com')).toBeNull();
  expect(after.keys[0]?.seenAt).not.toBeNull();
  expect(after.requirements.map(({ holds }) => holds)).toEqual([true, true, true, true, null]);
  expect(after.records.filter(({ state }) => state !== 'found')).toEqual([]);
});

it('counts the lookups of SPF where receivers give up, and does not go round in circles', async () => {
  const { id } = await add();
  const spf = async (record: string) => {
    names['acme.co.uk'] = { txt: [record] };
    return result(await check(id), 'spf');
  };
  for (let n = 1; n <= 11; n++) names[`s${n}.co.uk`] = { txt: [`v=spf1 include:s${n + 1}.co.uk -all`] };
  expect(await spf('v=spf1 include:s1.co.uk -all')).toMatchObject({
    result: 'fail',
    words: expect.stringContaining('more than 10 lookups'),
  });
  names['round.co.uk'] = { txt: ['v=spf1 include:acme.co.uk -all'] };
  expect((await spf('v=spf1 include:round.co.uk -all'))?.words).toContain('leads back to acme.co.uk');
  expect((await spf('v=spf1 include:nobody.co.uk -all'))?.words).toContain('no SPF record');
  names['away.co.uk'] = { fails: 'SERVFAIL' };
  expect((await spf('v=spf1 include:away.co.uk -all'))?.result).toBe('unknown');
  expect((await spf('v=spf1 a mx a a a a a a a a -all'))?.result).toBe('pass');
  expect((await spf('v=spf1 a mx a a a a a a a a a -all'))?.result).toBe('fail');
});

it('finds the DMARC record of the organisation', async () => {
  names['_dmarc.acme.co.uk'] = { txt: ['v=DMARC1; p=none; sp=reject'] };
  const { id } = await add('news.acme.co.uk');
  expect(result(await check(id), 'dmarc')).toMatchObject({
    result: 'pass',
    words: expect.stringContaining('p=reject'),
  });
});

it('calls what nobody answers unknown, and keeps a key that has been seen', async () => {
  const made = await add();
  publish(made, 'em1');
  await check(made.id);
  names[recordOf(made, 'em1').host] = { fails: 'REFUSED' };
  const later = await check(made.id);
  expect(result(later, 'dkim')?.result).toBe('unknown');
  expect(later.keys[0]?.seenAt).not.toBeNull();
});

it('rotates: the new key signs once it is seen, the old one goes a week later', async () => {
  const made = await add();
  const rotate = () => call('POST', `/api/sender-domains/${made.id}/rotate-key`);
  expect((await rotate()).body).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Publish it'),
  });
  publish(made, 'em1');
  await check(made.id);
  const two: SenderDomain = (await rotate()).body;
  expect(two.keys.map(({ selector, state }) => [selector, state])).toEqual([
    ['em1', 'signing'],
    ['em2', 'waiting'],
  ]);
  expect((await rotate()).status).toBe(409);
  await check(made.id);
  expect((await keyFor('acme.co.uk'))?.selector).toBe('em1');
  publish(two, 'em2');
  const taken = await check(made.id);
  expect(taken.keys.map(({ selector, state }) => [selector, state])).toEqual([
    ['em1', 'retired'],
    ['em2', 'signing'],
  ]);
  expect(recordOf(taken, 'em1').words).toContain('Keep its record until');
  expect((await keyFor('acme.co.uk'))?.selector).toBe('em2');
  expect((await rotate()).body.message).toContain('kept until');
  await age('retired_at', 6);
  await test.nightly();
  expect((await check(made.id)).keys).toHaveLength(2);
  await age('retired_at', 2);
  await test.nightly();
  expect((await check(made.id)).keys.map(({ selector }) => selector)).toEqual(['em2']);
  expect((await rotate()).body.keys).toHaveLength(2);
});

it('answers keys of its own workspace alone, and of the domain above for what is below', async () => {
  await add('acme.co.uk');
  expect(await keyFor('Shop.acme.co.uk')).toMatchObject({ domain: 'acme.co.uk', selector: 'em1' });
  expect(await keyFor('other.co.uk')).toBeNull();
  owner = await signUp(test.app);
  expect(await keyFor('acme.co.uk')).toBeNull();
});

it('removes a domain with its keys, and writes down who did what', async () => {
  const { id } = await add();
  expect((await call('DELETE', `/api/sender-domains/${id}`)).body).toEqual({ deleted: 1 });
  expect(await keyFor('acme.co.uk')).toBeNull();
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where workspace_id = ${owner.workspaceId} and action like 'sender_domain.%'
    order by id`.execute(test.owner.system);
  expect(rows.map(({ action }) => action)).toEqual(['sender_domain.added', 'sender_domain.removed']);
});
