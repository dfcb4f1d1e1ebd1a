import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { openTestProvider, type Person, type TestProvider } from '#test/support/identity-provider.ts';
import {
  currentUser,
  errorOf,
  openPeopleBench,
  type PeopleBench,
  post,
  signIn,
} from '#test/support/people.ts';
import { comeBack, comeIn, failureOf, oidcOf, sessionIn, somebody } from '#test/support/provider-visits.ts';
import { cookieOf, type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';

let bench: PeopleBench;
let database: Database;
let provider: TestProvider;
/** Passwords and the provider. */
let app: FastifyInstance;
/** The same with OIDC_ONLY=on. */
let only: FastifyInstance;

beforeAll(async () => {
  [bench, provider] = await Promise.all([openPeopleBench(), openTestProvider()]);
  ({ database } = bench);
  app = await bench.start({ oidc: oidcOf(provider) });
  only = await bench.start({ oidc: oidcOf(provider, { only: true }) });
});
afterAll(async () => {
  await bench?.close();
  await provider?.close();
});
beforeEach(() => provider.setAway(false));

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (cookie: string, method: Method, url: string, payload?: object, at = app) =>
  at.inject({
    method,
    url,
    headers: { host: 'localhost:3000', cookie },
    ...(payload ? { payload } : {}),
  });
const path = '/api/account/provider';
const password = testPassword;
const isIn = async (cookie: string) => (await currentUser(app, cookie)).statusCode === 200;
const ways = async (cookie: string) => (await call(cookie, 'GET', '/api/account')).json().signIn;
const confirm = (email: string) =>
  sql`update users set email_verified = true where email = ${email}`.execute(database.system);
const isLongAgo = (cookie: string) =>
  sql`update sessions set created_at = now() - interval '11 minutes'
      where token = ${decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0]}`.execute(database.system);
const auditOf = ({ workspaceId }: Pick<SignedIn, 'workspaceId'>): Promise<string[]> =>
  database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where workspace_id = ${workspaceId} order by id`.execute(tx);
    return rows.map(({ action }) => action);
  });

/** Somebody with an authenticator app. */
async function withTwoFactor(): Promise<SignedIn> {
  const who = await signUp(app);
  const begun = await call(who.cookie, 'POST', '/api/account/two-factor', { password });
  const code = totpOf(begun.json().secret);
  const on = await call(who.cookie, 'POST', '/api/account/two-factor/confirm', { code });
  return { ...who, cookie: cookieOf(on.headers['set-cookie']) };
}

/** From the account to the provider and back. Returns the answer to the browser. */
async function connect(cookie: string, person: Person, back: { cookie?: string } = {}) {
  const begun = await call(cookie, 'POST', path, { password });
  if (begun.statusCode !== 200) throw new Error(`connect: ${begun.statusCode} ${begun.body}`);
  const answer = await provider.approve(begun.json().url, person);
  return comeBack(app, answer, back.cookie ?? `${cookie}; ${cookieOf(begun.headers['set-cookie'])}`);
}

/** Sets the password anew, by the link in a mail. */
async function reset(email: string): Promise<void> {
  await post(app, 'forgot-password', { email });
  const token = await vi.waitFor(async () => {
    const { rows } = await sql<{ link: string }>`
      select link from outbox where recipient = ${email} and kind = 'password_reset'`.execute(
      database.system,
    );
    return (
      new URL(rows[0]?.link ?? 'none:').searchParams.get('token') ?? Promise.reject(new Error('no mail'))
    );
  });
  expect((await post(app, 'reset-password', { token, password })).statusCode).toBe(200);
}

describe('an account', () => {
  it('is connected with its password, whatever the address at the provider is', async () => {
    const who = await signUp(app);
    expect(await ways(who.cookie)).toEqual({
      password: 'set',
      provider: { name: 'Harrowgate ID', connected: false },
    });
    expect(errorOf(await call(who.cookie, 'POST', path, { password: 'a guess' }))).toMatchObject({
      status: 400,
      fields: { password: expect.any(String) },
    });
    const ann = somebody({ email_verified: false });
    const back = await connect(who.cookie, ann);
    expect(back.headers.location).toBe('/account?provider=connected');
    expect((await ways(who.cookie)).provider.connected).toBe(true);
    const came = sessionIn(await comeIn(app, provider, ann));
    expect((await currentUser(app, came)).json()).toMatchObject({ id: who.userId, email: who.email });
    expect(errorOf(await call(who.cookie, 'POST', path, { password }))).toMatchObject({ status: 409 });
    expect(await auditOf(who)).toEqual(['account.provider_connected', 'account.signed_in_through_provider']);
  });

  it('has its address confirmed by a provider that has proven the same', async () => {
    const who = await signUp(app);
    await connect(who.cookie, somebody({ email: who.email }));
    expect((await call(who.cookie, 'GET', '/api/account')).json().emailVerified).toBe(true);
    expect(await auditOf(who)).toEqual(['account.provider_connected', 'account.email_confirmed']);
  });

  it('is not connected to who has an account of their own', async () => {
    const ann = somebody();
    await comeIn(app, provider, ann);
    const who = await signUp(app);
    const back = await connect(who.cookie, ann);
    expect(failureOf(back)).toBe('taken_identity');
    expect(back.headers.location).toBe('/account?provider=taken_identity');
    expect((await ways(who.cookie)).provider.connected).toBe(false);
  });

  it('is connected in the browser where that was begun, and in no other', async () => {
    const who = await signUp(app);
    const victim = await signUp(app);
    const back = await connect(who.cookie, somebody(), { cookie: victim.cookie });
    expect(failureOf(back)).toBe('expired');
    for (const { cookie } of [who, victim]) expect((await ways(cookie)).provider.connected).toBe(false);
    const foreign = await app.inject({
      method: 'POST',
      url: path,
      headers: { cookie: victim.cookie, origin: 'https://evil.example' },
      payload: { password },
    });
    expect(errorOf(foreign)).toMatchObject({ status: 403, code: 'csrf' });
  });

  it.each<[string, (who: SignedIn) => Promise<unknown>]>([
    ['resets the password', (who) => reset(who.email)],
    [
      'changes the password elsewhere',
      async ({ email }) => {
        const elsewhere = cookieOf((await signIn(app, email)).headers['set-cookie']);
        const change = { currentPassword: password, newPassword: 'nine slow otters swim' };
        await call(elsewhere, 'POST', '/api/account/password', change);
      },
    ],
    ['signs out', ({ cookie }) => call(cookie, 'POST', '/api/auth/sign-out', {})],
  ])('is not connected when its owner %s before the answer of the provider is back', async (_, act) => {
    const who = await signUp(app);
    const begun = await call(who.cookie, 'POST', path, { password });
    const mallory = somebody();
    const answer = await provider.approve(begun.json().url, mallory);
    await act(who);
    const back = await comeBack(app, answer, `${who.cookie}; ${cookieOf(begun.headers['set-cookie'])}`);
    expect(failureOf(back)).toBe('expired');
    const { rows } = await sql`
      select from accounts where user_id = ${Number(who.userId)} and provider_id = 'oidc'`.execute(
      database.system,
    );
    expect(rows).toEqual([]);
  });

  it('is told with a new password that it is connected', async () => {
    const newest = async (email: string) => {
      const { rows } = await sql<{ text: string }>`
        select body_text as text from outbox
        where recipient = ${email} and subject = 'Your password was changed' order by id desc limit 1`.execute(
        database.system,
      );
      return rows[0]?.text;
    };
    const [who, other] = [await signUp(app), await signUp(app)];
    await connect(who.cookie, somebody());
    for (const { email } of [who, other]) await reset(email);
    expect(await newest(who.email)).toContain('still connected to an account at Harrowgate ID');
    expect(await newest(other.email)).not.toContain('Harrowgate ID');
    const cookie = cookieOf((await signIn(app, who.email)).headers['set-cookie']);
    const change = { currentPassword: password, newPassword: 'nine slow otters swim' };
    expect((await call(cookie, 'POST', '/api/account/password', change)).statusCode).toBe(200);
    expect(await newest(who.email)).toContain('Harrowgate ID');
  });

  it('is told when the provider is away, and when somebody said no there', async () => {
    const other = await openTestProvider();
    const fresh = await bench.start({ oidc: oidcOf(other) });
    const who = await signUp(fresh);
    other.setAway(true);
    expect(errorOf(await call(who.cookie, 'POST', path, { password }, fresh))).toMatchObject({
      status: 503,
      message: 'Harrowgate ID cannot be reached at the moment. Please try again later.',
    });
    other.setAway(false);
    const begun = await call(who.cookie, 'POST', path, { password }, fresh);
    const state = new URL(begun.json().url).searchParams.get('state') ?? '';
    const no = new URLSearchParams({ error: 'access_denied', state });
    const url = new URL(`http://localhost:3000/api/auth/oauth2/callback/oidc?${no}`);
    expect((await comeBack(fresh, url, who.cookie)).headers.location).toBe('/account?provider=cancelled');
    await other.close();
  });

  it('is disconnected with its password, and the sessions begun there end', async () => {
    const who = await signUp(app);
    const ann = somebody();
    await connect(who.cookie, ann);
    const came = sessionIn(await comeIn(app, provider, ann));
    const leave = (body: object) => call(who.cookie, 'DELETE', path, body);
    expect((await leave({ password: 'a guess' })).statusCode).toBe(400);
    expect(await isIn(came)).toBe(true);
    expect((await leave({ password })).json()).toEqual({ done: true });
    expect([await isIn(who.cookie), await isIn(came)]).toEqual([true, false]);
    expect((await leave({ password })).statusCode).toBe(409);
    // Their identity at the provider belongs to nobody here any more.
    const stranger = sessionIn(await comeIn(app, provider, ann));
    expect((await currentUser(app, stranger)).json().id).not.toBe(who.userId);
    expect(await auditOf(who)).toContain('account.provider_disconnected');
  });

  it('keeps its only way in, until a password is set by mail', async () => {
    const ann = somebody();
    const cookie = sessionIn(await comeIn(app, provider, ann));
    expect(await ways(cookie)).toEqual({
      password: 'none',
      provider: { name: 'Harrowgate ID', connected: true },
    });
    expect(errorOf(await call(cookie, 'DELETE', path, {}))).toMatchObject({
      status: 409,
      message: expect.stringContaining('the only way'),
    });
    expect((await signIn(app, ann.email, '')).statusCode).toBe(401);
    await reset(ann.email);
    const signedIn = cookieOf((await signIn(app, ann.email)).headers['set-cookie']);
    expect((await ways(signedIn)).password).toBe('set');
    expect((await call(signedIn, 'DELETE', path, { password })).statusCode).toBe(200);
  });

  it('without a password confirms what it does with a sign-in of the last ten minutes', async () => {
    const ann = somebody();
    const cookie = sessionIn(await comeIn(app, provider, ann));
    const ask = () => call(cookie, 'POST', '/api/account/email', { email: `new-${ann.email}` });
    expect((await ask()).statusCode).toBe(200);
    await isLongAgo(cookie);
    expect(errorOf(await ask())).toMatchObject({
      status: 403,
      message: 'Sign in through Harrowgate ID again first: this takes a sign-in of the last 10 minutes.',
    });
    const again = sessionIn(await comeIn(app, provider, ann, { cookie }));
    const asked = await call(again, 'POST', '/api/account/email', { email: `other-${ann.email}` });
    expect(asked.statusCode).toBe(200);
    const user = (await currentUser(app, again)).json();
    const workspaceId = user.workspace.id;
    const member = await signUpMember(app, database, { workspaceId, role: 'viewer' });
    const members = (await call(again, 'GET', '/api/team/members')).json();
    const memberId = members.find(({ email }: { email: string }) => email === member.email).id;
    expect((await call(again, 'POST', '/api/team/transfer', { memberId })).statusCode).toBe(200);
  });

  it('has no use for a second factor of ours without a password', async () => {
    const cookie = sessionIn(await comeIn(app, provider, somebody()));
    for (const [method, url] of [
      ['POST', '/api/account/two-factor'],
      ['DELETE', '/api/account/two-factor'],
      ['POST', '/api/account/two-factor/recovery-codes'],
    ] as const)
      expect(errorOf(await call(cookie, method, url, { password: '' }))).toMatchObject({
        status: 409,
        message: 'You have no password here: you sign in through Harrowgate ID.',
      });
  });
});

describe('a workspace that requires two-factor sign-in', () => {
  const require = async (owner: SignedIn) =>
    (await call(owner.cookie, 'PATCH', '/api/team/security', { requireTwoFactor: true })).json();
  const mayWork = async (cookie: string) =>
    (await call(cookie, 'GET', '/api/team/members')).statusCode === 200;

  it('takes who came through the provider, and not the same person with their password', async () => {
    const owner = await withTwoFactor();
    const member = await signUpMember(app, database, { workspaceId: owner.workspaceId, role: 'viewer' });
    const ann = somebody();
    await connect(member.cookie, ann);
    // They have a password without a code beside it, and are told so.
    expect(await require(owner)).toEqual({ requireTwoFactor: true, membersWithout: 1 });
    const came = sessionIn(await comeIn(app, provider, ann));
    const typed = cookieOf((await signIn(app, member.email)).headers['set-cookie']);
    expect([await mayWork(came), await mayWork(typed)]).toEqual([true, false]);
    expect((await currentUser(app, came)).json().needsTwoFactor).toBe(false);
    // After disconnecting, a sign-in through the provider counts like one with a password.
    await call(came, 'DELETE', path, { password });
    expect([await isIn(came), await mayWork(came)]).toEqual([true, false]);
  });

  it('counts who has no password among those who have it', async () => {
    const owner = await withTwoFactor();
    const ann = somebody();
    const cookie = sessionIn(await comeIn(app, provider, ann));
    const { id } = (await currentUser(app, cookie)).json();
    await sql`
      insert into members (workspace_id, user_id, role)
      values (${owner.workspaceId}, ${Number(id)}, 'admin')`.execute(database.system);
    expect(await require(owner)).toEqual({ requireTwoFactor: true, membersWithout: 0 });
    await call(cookie, 'POST', '/api/workspaces/current', { id: owner.workspaceId });
    const optional = await call(cookie, 'PATCH', '/api/team/security', { requireTwoFactor: false });
    expect(optional.statusCode).toBe(200);
    const again = await call(cookie, 'PATCH', '/api/team/security', { requireTwoFactor: true });
    expect(again.statusCode).toBe(200);
  });
});

describe('with OIDC_ONLY', () => {
  const refused = { status: 403, message: 'There are no passwords here. Sign in through Harrowgate ID.' };

  it('no password lets anybody in, or is made', async () => {
    const who = await signUp(app);
    expect((await only.inject('/api/auth/methods')).json()).toEqual({
      password: false,
      provider: { name: 'Harrowgate ID' },
    });
    const body = { email: 'new.here@gmail.com', password, name: 'New Here' };
    expect(errorOf(await post(only, 'sign-up/email', body))).toMatchObject(refused);
    expect(errorOf(await signIn(only, who.email))).toMatchObject(refused);
    expect(errorOf(await post(only, 'forgot-password', { email: who.email }))).toMatchObject(refused);
    const token = 'x'.repeat(43);
    expect(errorOf(await post(only, 'reset-password', { token, password }))).toMatchObject(refused);
    const change = { currentPassword: password, newPassword: 'nine slow otters swim' };
    expect(errorOf(await call(who.cookie, 'POST', '/api/account/password', change, only))).toMatchObject(
      refused,
    );
    expect((await signIn(app, who.email)).statusCode).toBe(200);
  });

  it('a confirmed account is connected though it has a password and two-factor sign-in', async () => {
    const who = await withTwoFactor();
    await confirm(who.email);
    const ann = somebody({ email: who.email });
    const cookie = sessionIn(await comeIn(only, provider, ann));
    expect((await currentUser(only, cookie)).json().id).toBe(who.userId);
    const account = (await call(cookie, 'GET', '/api/account', undefined, only)).json();
    expect(account.signIn.password).toBe('off');
    // The old password confirms nothing: whoever has forgotten it could not set another.
    await isLongAgo(cookie);
    const ask = await call(cookie, 'POST', '/api/account/email', { email: 'next@gmail.com', password }, only);
    expect(ask.statusCode).toBe(403);
    expect(
      errorOf(await call(sessionIn(await comeIn(only, provider, ann)), 'DELETE', path, {}, only)),
    ).toMatchObject({ status: 409 });
  });

  it('everybody counts as having a second factor', async () => {
    const who = await signUp(app);
    await confirm(who.email);
    const cookie = sessionIn(await comeIn(only, provider, somebody({ email: who.email })));
    const members = (await call(cookie, 'GET', '/api/team/members', undefined, only)).json();
    expect(members.map(({ twoFactor }: { twoFactor: boolean }) => twoFactor)).toEqual([true]);
    expect((await call(cookie, 'GET', '/api/team/members')).json()[0].twoFactor).toBe(false);
  });
});

describe('where no provider is configured', () => {
  it('nothing of this is there, and signing in is as it was', async () => {
    const plain = await bench.start();
    const who = await signUp(plain);
    expect((await plain.inject('/api/auth/methods')).json()).toEqual({ password: true, provider: null });
    expect((await plain.inject('/api/login')).headers.location).toBe('/auth');
    expect((await plain.inject('/api/auth/oauth2/callback/oidc?code=x&state=x')).statusCode).toBe(404);
    for (const method of ['POST', 'DELETE'] as const)
      expect((await call(who.cookie, method, path, { password }, plain)).statusCode).toBe(404);
    // Somebody whose provider is gone must confirm with a password.
    const cookie = sessionIn(await comeIn(app, provider, somebody()));
    const ask = await call(cookie, 'POST', '/api/account/email', { email: 'next@gmail.com' }, plain);
    expect(errorOf(ask)).toMatchObject({ status: 400, message: 'The password is not right.' });
  });
});
