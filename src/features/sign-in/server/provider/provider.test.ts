import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { openTestProvider, type TestProvider } from '#test/support/identity-provider.ts';
import { currentUser, manyCalls, openPeopleBench, type PeopleBench, signIn } from '#test/support/people.ts';
import {
  beginSignIn,
  comeBack,
  comeIn,
  failureOf,
  oidcOf,
  sessionIn,
  somebody,
} from '#test/support/provider-visits.ts';
import { signUp } from '#test/support/sign-in.ts';

let bench: PeopleBench;
let database: Database;
let provider: TestProvider;
let app: FastifyInstance;

beforeAll(async () => {
  [bench, provider] = await Promise.all([openPeopleBench(), openTestProvider()]);
  ({ database } = bench);
  app = await bench.start({ oidc: oidcOf(provider) });
});
afterAll(async () => {
  await bench?.close();
  await provider?.close();
});
beforeEach(() => {
  provider.announce({});
  provider.setAway(false);
});

const confirm = (email: string) =>
  sql`update users set email_verified = true where email = ${email}`.execute(database.system);
const people = async (): Promise<string> => {
  const { rows } = await sql<{ text: string }>`
    select (select jsonb_agg(to_jsonb(u) order by u.id) from users u)::text ||
           (select jsonb_agg(to_jsonb(a) order by a.id) from accounts a)::text as text`.execute(
    database.system,
  );
  return rows[0]?.text ?? '';
};
const whoIs = async (cookie: string) => (await currentUser(app, cookie)).json();

describe('the way to the provider', () => {
  it('is asked of it only once somebody wants to sign in', async () => {
    const other = await openTestProvider();
    const fresh = await bench.start({ oidc: oidcOf(other) });
    const methods = await fresh.inject('/api/auth/methods');
    expect(methods.json()).toEqual({ password: true, provider: { name: 'Harrowgate ID' } });
    expect(other.asked).toEqual([]);
    await beginSignIn(fresh);
    expect(other.asked).toEqual(['/.well-known/openid-configuration']);
    await other.close();
  });

  it('carries state, nonce and the challenge of PKCE, and binds them to the browser', async () => {
    const answer = await app.inject({ url: '/api/login', headers: { host: 'localhost:3000' } });
    expect(answer.statusCode).toBe(302);
    expect(answer.headers['cache-control']).toBe('no-store');
    const url = new URL(String(answer.headers.location));
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'email-manager',
      redirect_uri: 'http://localhost:3000/api/auth/oauth2/callback/oidc',
      scope: 'openid email profile',
      state: expect.stringMatching(/^.{32}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
    });
    expect(answer.headers['set-cookie']).toMatch(/^email-manager\.state=.+HttpOnly.*SameSite=Lax/);
  });

  it.each([
    ['/suppressions?page=3', '/suppressions?page=3'],
    ['/imports/12#receipt', '/imports/12#receipt'],
    [undefined, '/'],
    ['//evil.example', '/'],
    ['https://evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/api/auth/sign-out', '/'],
    ['/auth?next=//evil.example', '/'],
  ])('with %j leads back to %s', async (next, path) => {
    const answer = await comeIn(app, provider, somebody(), next === undefined ? {} : { next });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, path]);
  });

  it('leads back to the page that a browser came from', async () => {
    const begun = await beginSignIn(app, undefined, { referer: 'http://localhost:3000/bin?page=2' });
    const answer = await comeBack(app, await provider.approve(begun.url, somebody()), begun.cookie);
    expect(answer.headers.location).toBe('/bin?page=2');
  });

  it('begins at PUBLIC_URL, where the provider sends the browser back to', async () => {
    const at = (url: string, host: string) => app.inject({ url, headers: { host } });
    const elsewhere = await at('/api/login?next=/imports', '127.0.0.1:3000');
    expect(elsewhere.headers.location).toBe('http://localhost:3000/api/login?next=%2Fimports&at=public-url');
    // Behind a proxy that hides its host, the second time looks like the first.
    const again = await at('/api/login?next=/imports&at=public-url', '127.0.0.1:3000');
    expect(again.headers.location).toContain(`${provider.issuer}/authorize`);
  });

  it('leads to the sign-in page, which says so, while the provider is away, and not a moment longer', async () => {
    const other = await openTestProvider();
    const fresh = await bench.start({ oidc: oidcOf(other) });
    other.setAway(true);
    const { url } = await beginSignIn(fresh, '/imports');
    expect(url).toBe('/auth?failure=unreachable&next=%2Fimports');
    const { email } = await signUp(fresh);
    expect((await signIn(fresh, email)).statusCode).toBe(200);
    other.setAway(false);
    expect((await beginSignIn(fresh, '/imports')).url).toContain(`${other.issuer}/authorize`);
    // Earlier knowledge about it does not count as its being reachable.
    other.setAway(true);
    expect((await beginSignIn(fresh)).url).toBe('/auth?failure=unreachable');
    await other.close();
  });

  it.each([
    ['names itself otherwise', { issuer: 'https://elsewhere.example' }],
    ['has an endpoint on no address', { token_endpoint: '/token' }],
    ['has an endpoint of another kind', { authorization_endpoint: 'javascript:alert(1)' }],
    ['leaves out where its keys are', { jwks_uri: undefined }],
  ])('is not taken to a provider that %s', async (_what, changes) => {
    const other = await openTestProvider();
    other.announce(changes);
    const fresh = await bench.start({ oidc: oidcOf(other) });
    expect((await beginSignIn(fresh)).url).toBe('/auth?failure=refused');
    await other.close();
  });

  it('is taken so many times a minute by one network address', async () => {
    await sql`delete from rate_limits`.execute(database.system);
    const limited = await bench.start(
      { oidc: oidcOf(provider) },
      { rateLimits: { ...manyCalls, signIns: 2 } },
    );
    const urls = [];
    for (let attempt = 0; attempt < 3; attempt += 1) urls.push((await beginSignIn(limited, '/bin')).url);
    expect(urls[1]).toContain('/authorize');
    expect(urls[2]).toBe('/auth?failure=too_many&next=%2Fbin');
    await sql`delete from rate_limits`.execute(database.system);
  });
});

describe('who comes back from the provider', () => {
  it('gets an account, a workspace and a session the first time, and the same account ever after', async () => {
    const ann = somebody({ email: 'Ann.Reed@HarrowgateFoods.co.uk' });
    const first = await comeIn(app, provider, ann);
    const user = await whoIs(sessionIn(first));
    expect(user).toMatchObject({
      firstName: 'Ann',
      lastName: 'Reed',
      email: 'ann.reed@harrowgatefoods.co.uk',
      role: 'owner',
      workspace: { name: 'harrowgatefoods.co.uk' },
    });
    // From then on the name is theirs. The subject identifies them, not the address.
    const second = await comeIn(app, provider, { ...ann, email: 'ann@elsewhere.co.uk', given_name: 'Anna' });
    expect(await whoIs(sessionIn(second))).toEqual(user);
    expect(sessionIn(second)).not.toBe(sessionIn(first));
    const { rows } = await sql`
      select password, access_token, refresh_token, id_token, account_id from accounts
      where user_id = ${Number(user.id)}`.execute(database.system);
    expect(rows).toEqual([
      {
        password: null,
        access_token: null,
        refresh_token: null,
        id_token: null,
        account_id: `${provider.issuer}#${ann.sub}`,
      },
    ]);
    const account = await app.inject({ url: '/api/account', headers: { cookie: sessionIn(second) } });
    expect(account.json()).toMatchObject({
      emailVerified: true,
      signIn: { password: 'none', provider: { name: 'Harrowgate ID', connected: true } },
    });
  });

  it('is told of their workspace once it can be seen', async () => {
    const told: number[] = [];
    const telling = await bench.start(
      { oidc: oidcOf(provider) },
      { onWorkspaceCreated: (workspaceId) => void told.push(workspaceId) },
    );
    const user = await whoIs(sessionIn(await comeIn(telling, provider, somebody())));
    expect(told).toEqual([user.workspace.id]);
  });

  it('gets into the account with the same address, where both sides have proven it', async () => {
    const who = await signUp(app);
    await confirm(who.email);
    const answer = await comeIn(app, provider, somebody({ email: who.email }));
    expect(await whoIs(sessionIn(answer))).toMatchObject({ id: who.userId, email: who.email });
    const lines = await database.asTenant(who.workspaceId, async (tx) => {
      const { rows } = await sql`
        select action, actor, details from audit_log where workspace_id = ${who.workspaceId} order by id`.execute(
        tx,
      );
      return rows;
    });
    expect(lines).toEqual([
      {
        action: 'account.provider_connected',
        actor: who.email,
        details: { provider: 'Harrowgate ID', email: who.email },
      },
      {
        action: 'account.signed_in_through_provider',
        actor: who.email,
        details: { provider: 'Harrowgate ID' },
      },
    ]);
    const { rows: mails } = await sql`
      select subject from outbox where recipient = ${who.email} and kind = 'notice'`.execute(database.system);
    expect(mails).toEqual([{ subject: 'You can sign in through Harrowgate ID now' }]);
    // The password still works.
    expect((await signIn(app, who.email)).statusCode).toBe(200);
  });

  it('is one person, though they come twice at the same moment', async () => {
    const ann = somebody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => comeIn(app, provider, ann)));
    const users = await Promise.all(answers.map((answer) => whoIs(sessionIn(answer))));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(new Set(users.map(({ workspace }) => workspace.id)).size).toBe(1);
  });

  it('is asked for their address where the token holds none', async () => {
    const ann = somebody();
    const answer = await comeIn(app, provider, ann, { twist: { onlyInUserInfo: { sub: ann.sub } } });
    expect(await whoIs(sessionIn(answer))).toMatchObject({ email: ann.email, name: 'Ann Reed' });
  });

  it.each([
    ['as a header', ['client_secret_basic']],
    ['in the form', ['client_secret_post', 'client_secret_basic']],
  ])('comes in through a provider that takes the secret %s', async (_how, methods) => {
    const other = await openTestProvider();
    other.announce({ token_endpoint_auth_methods_supported: methods });
    const fresh = await bench.start({ oidc: oidcOf(other) });
    const ann = somebody();
    expect(await whoIs(sessionIn(await comeIn(fresh, other, ann)))).toMatchObject({ email: ann.email });
    await other.close();
  });

  it('is nobody known when the same subject is named by another provider', async () => {
    const ann = somebody();
    const user = await whoIs(sessionIn(await comeIn(app, provider, ann)));
    const other = await openTestProvider();
    const moved = await bench.start({ oidc: oidcOf(other) });
    const stranger = somebody({ sub: ann.sub });
    expect((await whoIs(sessionIn(await comeIn(moved, other, stranger)))).id).not.toBe(user.id);
    // The person is recognised by the address that both providers have proven.
    expect((await whoIs(sessionIn(await comeIn(moved, other, somebody({ email: ann.email }))))).id).toBe(
      user.id,
    );
    await other.close();
  });

  it('is the administrator with ADMIN_EMAIL, as the provider has proven it', async () => {
    const answer = await comeIn(app, provider, somebody({ email: 'boss@harrowgatefoods.co.uk' }));
    expect((await whoIs(sessionIn(answer))).isAdmin).toBe(true);
  });

  it('comes in with SIGNUPS=invite when they were asked, and not otherwise', async () => {
    const closed = await bench.start({ oidc: oidcOf(provider), signups: 'invite' });
    const ann = somebody();
    const before = await people();
    const refused = await comeIn(closed, provider, ann, { next: '/imports' });
    expect(refused.headers.location).toBe('/auth?failure=uninvited&next=%2Fimports');
    expect([sessionIn(refused), await people()]).toEqual(['', before]);
    const host = await signUp(app);
    await app.inject({
      method: 'POST',
      url: '/api/team/invitations',
      headers: { cookie: host.cookie },
      payload: { email: ann.email, role: 'viewer' },
    });
    const cookie = sessionIn(await comeIn(closed, provider, ann));
    const waiting = await closed.inject({ url: '/api/account/invitations', headers: { cookie } });
    expect(waiting.json().items).toHaveLength(1);
  });

  it.each<[string, string, (who: { email: string; userId: string }) => Promise<Record<string, unknown>>]>([
    [
      'unproven_address',
      'an address that the provider has not proven',
      async ({ email }) => {
        await confirm(email);
        return { email, email_verified: false };
      },
    ],
    [
      'unproven_address',
      'an address of which the provider does not say so',
      async ({ email }) => {
        await confirm(email);
        return { email, email_verified: undefined };
      },
    ],
    [
      'unproven_address',
      'a new address that the provider has not proven',
      async () => ({ email_verified: false }),
    ],
    ['no_address', 'no address at all', async () => ({ email: undefined })],
    [
      'unconfirmed_account',
      'the address of an account that has not confirmed it',
      async ({ email }) => ({ email }),
    ],
    [
      'two_factor_account',
      'the address of an account with two-factor sign-in',
      async ({ email }) => {
        await confirm(email);
        await sql`update users set two_factor_enabled = true where email = ${email}`.execute(database.system);
        return { email };
      },
    ],
    [
      'other_identity',
      'an address that was another’s before',
      async ({ email }) => {
        await confirm(email);
        await comeIn(app, provider, somebody({ email }));
        return { email };
      },
    ],
    [
      'suspended',
      'the address of a suspended account',
      async ({ email }) => {
        await confirm(email);
        await sql`update users set suspended_at = now() where email = ${email}`.execute(database.system);
        return { email };
      },
    ],
  ])('is turned away with %s: %s', async (failure, _whose, prepare) => {
    const who = await signUp(app);
    const person = somebody(await prepare(who));
    const before = await people();
    const answer = await comeIn(app, provider, person, { next: '/bin' });
    expect(answer.statusCode).toBe(302);
    expect(failureOf(answer)).toBe(failure);
    expect(new URL(String(answer.headers.location), 'http://x').searchParams.get('next')).toBe('/bin');
    expect(sessionIn(answer)).toBe('');
    expect(await people()).toBe(before);
  });

  it('is turned away when suspended, though their account is connected', async () => {
    const ann = somebody();
    await comeIn(app, provider, ann);
    await sql`update users set suspended_at = now() where email = ${ann.email}`.execute(database.system);
    const answer = await comeIn(app, provider, ann);
    expect([failureOf(answer), sessionIn(answer)]).toEqual(['suspended', '']);
  });
});
