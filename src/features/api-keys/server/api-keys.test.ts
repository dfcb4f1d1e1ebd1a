import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp({}, { apiKeyLimit: 40 });
  owner = await signUp(test.app);
});
afterAll(() => test?.close());

const make = async (who: SignedIn, scopes: string[], more: object = {}) => {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/keys',
    headers: { cookie: who.cookie },
    payload: { name: 'Website', scopes, ...more },
  });
  return answer.json() as { id: number; key: string; prefix: string };
};
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const by = (key: string, method: Method, url: string, payload?: object, headers: object = {}) =>
  test.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(payload ? { payload } : {}),
  });
const add = (email: string) => ({ email, checkSuppressions: true });

describe('an API key', () => {
  it('is told once, kept as a hash, and listed without its secret', async () => {
    const made = await make(owner, ['contacts:read']);
    expect(made.key).toMatch(new RegExp(`^em_live_${owner.workspaceId}_[\\w-]{43}$`));
    const list = await test.app.inject({ url: '/api/keys', headers: { cookie: owner.cookie } });
    expect(list.json()[0]).toMatchObject({
      id: made.id,
      prefix: made.prefix,
      lastUsedAt: null,
      expired: false,
    });
    expect(list.body).not.toContain(made.key);
    const { rows } = await sql<{ text: string }>`select row_to_json(k)::text as text from api_keys k`.execute(
      test.owner.system,
    );
    expect(rows.some(({ text }) => text.includes(made.key.slice(-20)))).toBe(false);
  });

  it('may do what its scopes name and nothing else', async () => {
    const { key } = await make(owner, ['contacts:read', 'contacts:write']);
    expect((await by(key, 'GET', '/api/emails')).statusCode).toBe(200);
    expect((await by(key, 'POST', '/api/emails', add('a@millbank.co.uk'))).statusCode).toBe(201);
    const refused = await by(key, 'GET', '/api/suppressions/emails');
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toContain('suppressions:read');
    const reader = await make(owner, ['contacts:read']);
    expect((await by(reader.key, 'POST', '/api/emails', add('b@millbank.co.uk'))).statusCode).toBe(403);
  });

  it('reads and changes no contact by a review when it may only verify', async () => {
    const verifier = await make(owner, ['verify']);
    const merging = { keepId: 1_000_000, otherIds: [1_000_001] };
    const gmial = { pattern: { from: 'gmial.com', to: 'gmail.com' } };
    for (const [method, url, body] of [
      ['GET', '/api/review/corrections', undefined],
      ['GET', '/api/review/corrections/contacts?from=gmial.com&to=gmail.com', undefined],
      ['GET', '/api/review/duplicates', undefined],
      ['GET', '/api/review/history', undefined],
      ['POST', '/api/review/duplicates/merge', merging],
      ['POST', '/api/review/corrections/accept', gmial],
      ['POST', '/api/merges/1/undo', undefined],
      ['POST', '/api/corrections/1/undo', undefined],
    ] as const)
      expect([url, (await by(verifier.key, method, url, body)).statusCode]).toEqual([url, 403]);
    const writer = await make(owner, ['contacts:write']);
    expect((await by(writer.key, 'POST', '/api/review/duplicates/merge', merging)).statusCode).toBe(404);
    const reader = await make(owner, ['contacts:read']);
    expect((await by(reader.key, 'GET', '/api/review/duplicates')).statusCode).toBe(200);
  });

  it('opens no call that names no scope: no settings, no people, no keys, no account', async () => {
    const { key } = await make(owner, [
      'contacts:read',
      'contacts:write',
      'settings:read',
      'tasks:write',
      'verify',
    ]);
    for (const [method, url] of [
      ['GET', '/api/auth/user'],
      ['GET', '/api/account'],
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['GET', '/api/team/members'],
      ['POST', '/api/team/leave'],
      ['PATCH', '/api/settings'],
      ['GET', '/api/outbox'],
      ['GET', '/api/admin/outbox'],
    ] as const)
      expect([url, (await by(key, method, url, method === 'GET' ? undefined : {})).statusCode]).toEqual([
        url,
        403,
      ]);
  });

  it('never reaches another workspace', async () => {
    const stranger = await signUp(test.app);
    const { key } = await make(stranger, ['contacts:read', 'contacts:write']);
    const mine = await test.app.inject({
      method: 'POST',
      url: '/api/emails',
      headers: { cookie: owner.cookie },
      payload: add('only.mine@millbank.co.uk'),
    });
    expect((await by(key, 'GET', '/api/emails')).json().totalCount).toBe(0);
    expect((await by(key, 'DELETE', `/api/emails/${mine.json().id}`)).statusCode).toBe(404);
    const moved = key.replace(`_${stranger.workspaceId}_`, `_${owner.workspaceId}_`);
    expect((await by(moved, 'GET', '/api/emails')).statusCode).toBe(401);
  });

  it('is refused once it is revoked, run out or mistyped, whatever cookie comes along', async () => {
    const revoked = await make(owner, ['contacts:read']);
    await test.app.inject({
      method: 'DELETE',
      url: `/api/keys/${revoked.id}`,
      headers: { cookie: owner.cookie },
    });
    const old = await make(owner, ['contacts:read'], { expiresInDays: 1 });
    await sql`update api_keys set expires_at = now() where id = ${old.id}`.execute(test.owner.system);
    for (const key of [revoked.key, old.key, `${revoked.key.slice(0, -1)}!`, 'em_live_nonsense']) {
      const answer = await by(key, 'GET', '/api/emails', undefined, { cookie: owner.cookie });
      expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated']);
    }
  });

  it('stands in the audit log by its name, as what made it and what it did', async () => {
    const { key } = await make(owner, ['suppressions:write']);
    await by(key, 'POST', '/api/suppressions/email/manual', { email: 'stop@millbank.co.uk' });
    const rows = await test.database.asTenant(owner.workspaceId, async (tx) => {
      const found = await sql<{ actor: string; action: string }>`
        select actor, action from audit_log order by id desc limit 2`.execute(tx);
      return found.rows;
    });
    expect(rows).toEqual([
      { actor: 'API key Website', action: 'suppression.added' },
      { actor: owner.email, action: 'api_key.created' },
    ]);
  });

  it.each(['viewer', 'editor', 'sender'] as const)('is not made by a %s', async (role) => {
    const member = await signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role });
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/keys',
      headers: { cookie: member.cookie },
      payload: { name: 'Mine', scopes: ['contacts:read'] },
    });
    expect(answer.statusCode).toBe(403);
  });

  it('is told how much it may still call, and to wait', async () => {
    const { key } = await make(owner, ['contacts:read']);
    const first = await by(key, 'GET', '/api/emails?limit=1');
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '40', 'ratelimit-remaining': '39' });
    const rest = await Promise.all(Array.from({ length: 41 }, () => by(key, 'GET', '/api/emails?limit=1')));
    const refused = rest.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    await sql`update api_key_uses set window_start = now() - interval '61 seconds'`.execute(
      test.owner.system,
    );
    expect((await by(key, 'GET', '/api/emails?limit=1')).headers['ratelimit-remaining']).toBe('39');
  });
});

describe('a call sent twice', () => {
  it('is done once, and answered the same', async () => {
    const { key } = await make(owner, ['contacts:write']);
    const send = (email: string, id = 'order-1') =>
      by(key, 'POST', '/api/emails', add(email), { 'idempotency-key': id });
    const first = await send('twice@millbank.co.uk');
    expect([first.statusCode, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const second = await send('twice@millbank.co.uk');
    expect([second.statusCode, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(second.json()).toEqual(first.json());
    const other = await send('another@millbank.co.uk');
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_mismatch']);

    const both = await Promise.all([
      send('race@millbank.co.uk', 'race'),
      send('race@millbank.co.uk', 'race'),
    ]);
    const codes = both.map(({ statusCode }) => statusCode).sort();
    expect([
      [201, 201],
      [201, 409],
    ]).toContainEqual(codes);
  });

  it('may be sent again when it failed, and is nobody else’s business', async () => {
    const { key } = await make(owner, ['contacts:write']);
    const send = (by1: string, email: string) =>
      by(by1, 'POST', '/api/emails', add(email), { 'idempotency-key': 'mended' });
    expect((await send(key, 'not an address')).statusCode).toBe(400);
    expect((await send(key, 'mended@millbank.co.uk')).statusCode).toBe(201);
    const stranger = await make(await signUp(test.app), ['contacts:write']);
    const theirs = await send(stranger.key, 'mended@millbank.co.uk');
    expect([theirs.statusCode, theirs.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('is refused at work and taken again once it must have died; an answer is kept for a day', async () => {
    const { key } = await make(owner, ['contacts:write']);
    const send = () =>
      by(key, 'POST', '/api/emails', add('dead@millbank.co.uk'), { 'idempotency-key': 'dead' });
    expect((await send()).statusCode).toBe(201);
    const change = (what: 'work' | 'old') =>
      (what === 'work'
        ? sql`update idempotency_keys set status = null, body = null, done_at = null where key = 'dead'`
        : sql`update idempotency_keys set created_at = now() - interval '16 minutes' where key = 'dead'`
      ).execute(test.owner.system);
    await change('work');
    const busy = await send();
    expect([busy.statusCode, busy.json().code]).toEqual([409, 'conflict']);
    await change('old');
    // The contact is already there, so the call really ran again.
    expect((await send()).json().code).toBe('already_exists');
  });

  it('is not kept where the answer is a secret or no JSON', async () => {
    const headers = { cookie: owner.cookie, 'idempotency-key': 'k' };
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/keys',
      headers,
      payload: { name: 'x', scopes: ['verify'] },
    });
    expect(answer.statusCode).toBe(400);
    const { rows } = await sql`select 1 from idempotency_keys where key = 'k'`.execute(test.owner.system);
    expect(rows).toEqual([]);
  });
});

it('is described with its scopes for programmers', async () => {
  const { paths, components } = (await test.app.inject({ url: '/api/openapi.json' })).json();
  expect(components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(paths['/api/emails'].get.security).toEqual([{ session: [] }, { key: ['contacts:read'] }]);
  expect(paths['/api/keys'].post.security).toEqual([{ session: [] }]);
  const names = paths['/api/emails'].post.parameters.map(({ name }: { name: string }) => name);
  expect(names).toContain('Idempotency-Key');
});
