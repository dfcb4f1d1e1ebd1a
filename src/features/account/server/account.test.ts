import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { hashes } from '#test/support/cheap-passwords.ts';
import {
  currentUser,
  errorOf,
  manyCalls,
  openPeopleBench,
  type PeopleBench,
  signIn,
} from '#test/support/people.ts';
import { cookieOf, type SignedIn, signUp, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';

let bench: PeopleBench;
let database: Database;
let app: FastifyInstance;

beforeAll(async () => {
  bench = await openPeopleBench();
  ({ app, database } = bench);
});
afterAll(() => bench?.close());

const newPassword = 'nine slow otters swim';
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (cookie: string | null, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers: cookie ? { cookie } : {}, ...(payload ? { payload } : {}) });
const cookiesOf = (answer: LightMyRequestResponse) => cookieOf(answer.headers['set-cookie']);
const isIn = async (cookie: string) => (await currentUser(app, cookie)).statusCode === 200;

/** The secret in the newest mail of this kind to an address. */
async function mailedTo(email: string, kind: string): Promise<string> {
  return vi.waitFor(async () => {
    const { rows } = await sql<{ link: string }>`
      select link from outbox where recipient = ${email} and kind = ${kind} order by id desc limit 1`.execute(
      database.system,
    );
    const token = new URL(rows[0]?.link ?? 'none:').searchParams.get('token');
    if (!token) throw new Error('no mail yet');
    return token;
  });
}
const auditOf = async ({ workspaceId }: SignedIn): Promise<string[]> =>
  database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where workspace_id = ${workspaceId} order by id`.execute(tx);
    return rows.map(({ action }) => action);
  });

describe('the password', () => {
  it('is changed by the rules, needs the old one, and ends every other session at once', async () => {
    const who = await signUp(app, { email: 'changing.mind@gmail.com' });
    const elsewhere = cookiesOf(await signIn(app, who.email));
    const change = (body: object) => call(who.cookie, 'POST', '/api/account/password', body);
    expect(
      errorOf(await change({ currentPassword: testPassword, newPassword: 'changingmind77' })),
    ).toMatchObject({
      status: 400,
      fields: { newPassword: expect.stringContaining('email address') },
    });
    expect(errorOf(await change({ currentPassword: 'not the password', newPassword }))).toMatchObject({
      status: 400,
      fields: { currentPassword: expect.any(String) },
    });
    expect((await change({ currentPassword: testPassword, newPassword })).json()).toEqual({
      endedSessions: 1,
    });
    expect([await isIn(who.cookie), await isIn(elsewhere)]).toEqual([true, false]);
    expect((await signIn(app, who.email)).statusCode).toBe(401);
    expect((await signIn(app, who.email, newPassword)).statusCode).toBe(200);
    expect(await auditOf(who)).toEqual(['account.password_changed']);
  });

  it('cannot be guessed with a stolen session', async () => {
    const { cookie } = await signUp(app);
    const guess = () =>
      call(cookie, 'POST', '/api/account/password', { currentPassword: 'a guess', newPassword });
    const answers = await Promise.all(Array.from({ length: 12 }, guess));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
  });

  it('is reset by mail: once, with every session ended', async () => {
    const who = await signUp(app);
    expect((await call(null, 'POST', '/api/auth/forgot-password', { email: who.email })).json()).toEqual({
      mailed: false,
    });
    const token = await mailedTo(who.email, 'password_reset');
    const reset = (password: string) => call(null, 'POST', '/api/auth/reset-password', { token, password });
    expect((await reset('password123')).statusCode).toBe(400);
    expect((await reset(newPassword)).json()).toEqual({ email: who.email });
    expect(await isIn(who.cookie)).toBe(false);
    expect((await signIn(app, who.email, newPassword)).statusCode).toBe(200);
    expect(errorOf(await reset('ten quick robins sing'))).toMatchObject({ status: 410, code: 'gone' });
    expect((await signIn(app, who.email, newPassword)).statusCode).toBe(200);
  });

  it('takes one of two resets that come at the same moment, and none after its hour', async () => {
    const who = await signUp(app);
    await call(null, 'POST', '/api/auth/forgot-password', { email: who.email });
    const token = await mailedTo(who.email, 'password_reset');
    const both = await Promise.all(
      [newPassword, 'ten quick robins sing'].map((password) =>
        call(null, 'POST', '/api/auth/reset-password', { token, password }),
      ),
    );
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410]);

    const late = await signUp(app);
    await call(null, 'POST', '/api/auth/forgot-password', { email: late.email });
    const old = await mailedTo(late.email, 'password_reset');
    await sql`update verifications set expires_at = now() where value = ${late.userId}`.execute(
      database.system,
    );
    const answer = await call(null, 'POST', '/api/auth/reset-password', {
      token: old,
      password: newPassword,
    });
    expect(answer.statusCode).toBe(410);
  });

  it('costs no hash without a link that is in force, and is tried so often from one network address', async () => {
    const limited = await bench.start({}, { rateLimits: { ...manyCalls, signIns: 3 } });
    const token = 'a made-up secret of a link';
    const before = hashes.made;
    const tries: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      const payload = { token, password: newPassword };
      const answer = await limited.inject({ method: 'POST', url: '/api/auth/reset-password', payload });
      tries.push(answer.statusCode);
    }
    expect(tries).toEqual([410, 410, 410, 429]);
    expect(hashes.made).toBe(before);
    await sql`delete from rate_limits where key like 'reset:%'`.execute(database.system);
  });

  it('tells nobody whether an address has an account', async () => {
    const { email } = await signUp(app);
    const known = await call(null, 'POST', '/api/auth/forgot-password', { email });
    const unknown = await call(null, 'POST', '/api/auth/forgot-password', { email: 'nobody.here@gmail.com' });
    expect(unknown.statusCode).toBe(known.statusCode);
    expect(unknown.body).toBe(known.body);
    const { rows } = await sql`select 1 from outbox where recipient = 'nobody.here@gmail.com'`.execute(
      database.system,
    );
    expect(rows).toEqual([]);
  });

  it('fills nobody’s mailbox', async () => {
    const { email } = await signUp(app);
    const ask = () => call(null, 'POST', '/api/auth/forgot-password', { email });
    for (let count = 0; count < 5; count += 1) expect((await ask()).statusCode).toBe(200);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('stays as it is for a call from another site', async () => {
    const { cookie, email } = await signUp(app);
    const answer = await app.inject({
      method: 'POST',
      url: '/api/account/password',
      headers: { cookie, origin: 'https://evil.example' },
      payload: { currentPassword: testPassword, newPassword },
    });
    expect(errorOf(answer)).toMatchObject({ status: 403, code: 'csrf' });
    expect((await signIn(app, email)).statusCode).toBe(200);
  });
});

describe('the email address', () => {
  it('changes once the link sent to the new one is opened, and the old one is told', async () => {
    const who = await signUp(app);
    const ask = (body: object) => call(who.cookie, 'POST', '/api/account/email', body);
    expect((await ask({ email: 'moved@gmail.com', password: 'wrong' })).statusCode).toBe(400);
    expect((await ask({ email: 'Moved@gmail.com', password: testPassword })).json()).toEqual({
      to: 'moved@gmail.com',
      mailed: false,
    });
    expect((await currentUser(app, who.cookie)).json().email).toBe(who.email);
    const token = await mailedTo('moved@gmail.com', 'email_proof');
    const confirm = () => call(who.cookie, 'POST', '/api/auth/confirm-email', { token });
    expect((await confirm()).json()).toEqual({ email: 'moved@gmail.com' });
    expect((await confirm()).statusCode).toBe(410);
    expect((await call(who.cookie, 'GET', '/api/account')).json()).toMatchObject({
      email: 'moved@gmail.com',
      emailVerified: true,
    });
    const { rows } = await sql`
      select subject from outbox where recipient = ${who.email} and kind = 'notice' order by id`.execute(
      database.system,
    );
    expect(rows).toEqual([
      { subject: 'Somebody asked to change your email address' },
      { subject: 'Your email address was changed' },
    ]);
  });

  it('is told at once that a change is asked for, and what to do, whether or not the new one is free', async () => {
    const [who, other] = [await signUp(app), await signUp(app)];
    for (const email of ['asked.for@gmail.com', other.email]) {
      await call(who.cookie, 'POST', '/api/account/email', { email, password: testPassword });
    }
    const { rows } = await sql<{ text: string }>`
      select body_text as text from outbox where recipient = ${who.email} order by id`.execute(
      database.system,
    );
    expect(rows.map(({ text }) => text)).toEqual([
      expect.stringContaining('asked.for@gmail.com'),
      expect.stringContaining(other.email),
    ]);
    expect(rows[0]?.text).toContain('If that was not you, set a new password');
    expect(await auditOf(who)).toEqual(['account.email_asked', 'account.email_asked']);
  });

  /** Somebody who has asked for another address, and the secret of the link sent there. */
  async function changing(to: string) {
    const who = await signUp(app);
    const password = testPassword;
    const asked = await call(who.cookie, 'POST', '/api/account/email', { email: to, password });
    expect(asked.statusCode).toBe(200);
    return { ...who, token: await mailedTo(to, 'email_proof') };
  }
  const confirm = (cookie: string, token: string) =>
    call(cookie, 'POST', '/api/auth/confirm-email', { token });
  type Changing = Awaited<ReturnType<typeof changing>>;
  /** Returns the session that goes on. */
  const turnOnTwoFactor = async ({ cookie }: { cookie: string }): Promise<string> => {
    const begun = await call(cookie, 'POST', '/api/account/two-factor', { password: testPassword });
    const code = totpOf(begun.json().secret);
    const on = await call(cookie, 'POST', '/api/account/two-factor/confirm', { code });
    expect(on.statusCode).toBe(200);
    return cookiesOf(on);
  };

  it.each<[string, (who: Changing) => Promise<string>]>([
    [
      'resets the password',
      async ({ email }) => {
        await call(null, 'POST', '/api/auth/forgot-password', { email });
        const token = await mailedTo(email, 'password_reset');
        await call(null, 'POST', '/api/auth/reset-password', { token, password: newPassword });
        return cookiesOf(await signIn(app, email, newPassword));
      },
    ],
    [
      'changes the password',
      async ({ cookie }) => {
        await call(cookie, 'POST', '/api/account/password', { currentPassword: testPassword, newPassword });
        return cookie;
      },
    ],
    [
      'ends all other sessions',
      async ({ cookie }) => {
        await call(cookie, 'POST', '/api/account/sessions/end-others');
        return cookie;
      },
    ],
    [
      'ends the session it was asked in',
      async ({ email }) => {
        const elsewhere = cookiesOf(await signIn(app, email));
        const list = (await call(elsewhere, 'GET', '/api/account/sessions')).json();
        const other = list.find(({ current }: { current: boolean }) => !current).id;
        const ended = await call(elsewhere, 'DELETE', `/api/account/sessions/${other}`);
        expect(ended.statusCode).toBe(200);
        return elsewhere;
      },
    ],
    ['turns two-factor sign-in on', turnOnTwoFactor],
  ])('stays when its owner %s before the link to another is opened', async (_, act) => {
    const to = `mallory-${Math.random().toString(36).slice(2)}@gmail.com`;
    const who = await changing(to);
    const cookie = await act(who);
    expect(errorOf(await confirm(cookie, who.token))).toMatchObject({ status: 410, code: 'gone' });
    const { rows } = await sql`select from users where email = ${who.email}`.execute(database.system);
    expect(rows).toHaveLength(1);
  });

  it('stays when the link of an earlier change is opened after a later one', async () => {
    const who = await changing('mallory.earlier@gmail.com');
    const password = testPassword;
    await call(who.cookie, 'POST', '/api/account/email', { email: 'later@gmail.com', password });
    const later = await mailedTo('later@gmail.com', 'email_proof');
    expect((await confirm(who.cookie, later)).statusCode).toBe(200);
    expect((await confirm(who.cookie, who.token)).statusCode).toBe(410);
    // A link that is stored after all replaces only the address that it was asked for.
    const strayed = await changing('mallory.strayed@gmail.com');
    await sql`update users set email = 'elsewhere@gmail.com' where id = ${Number(strayed.userId)}`.execute(
      database.system,
    );
    expect((await confirm(strayed.cookie, strayed.token)).statusCode).toBe(410);
  });

  it('is given to no account by opening a link that somebody else has asked for', async () => {
    const mallory = await changing('owner.of.mailbox@gmail.com');
    const owner = await signUp(app);
    expect((await call(null, 'POST', '/api/auth/confirm-email', { token: mallory.token })).statusCode).toBe(
      401,
    );
    const refused = await confirm(owner.cookie, mallory.token);
    expect(errorOf(refused)).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: expect.stringContaining('another account'),
    });
    // The link still works for whoever asked.
    expect((await confirm(mallory.cookie, mallory.token)).statusCode).toBe(200);
  });

  it('is not asked for by a session that a new password ends at the same moment', async () => {
    const who = await signUp(app);
    const elsewhere = cookiesOf(await signIn(app, who.email));
    const [asked, changed] = await Promise.all([
      call(elsewhere, 'POST', '/api/account/email', {
        email: 'mallory.quick@gmail.com',
        password: testPassword,
      }),
      call(who.cookie, 'POST', '/api/account/password', { currentPassword: testPassword, newPassword }),
    ]);
    expect(changed.statusCode).toBe(200);
    expect([200, 400, 401]).toContain(asked.statusCode);
    const { rows } = await sql`
      select from verifications where value like '%mallory.quick@gmail.com%'`.execute(database.system);
    expect(rows).toEqual([]);
  });

  it('is proven by its own link also after a new password, because that link changes nothing', async () => {
    const who = await signUp(app);
    await call(who.cookie, 'POST', '/api/account/email/proof');
    const token = await mailedTo(who.email, 'email_proof');
    await call(who.cookie, 'POST', '/api/account/password', { currentPassword: testPassword, newPassword });
    expect((await confirm(who.cookie, token)).json()).toEqual({ email: who.email });
  });

  it('of somebody else is neither taken nor told of', async () => {
    const [who, other] = [await signUp(app), await signUp(app)];
    const answer = await call(who.cookie, 'POST', '/api/account/email', {
      email: other.email,
      password: testPassword,
    });
    expect(answer.statusCode).toBe(200);
    const { rows } = await sql`select 1 from outbox where recipient = ${other.email}`.execute(
      database.system,
    );
    expect(rows).toEqual([]);
  });

  it('of the administrator is worth nothing until it is proven', async () => {
    const who = await signUp(app);
    const email = 'boss@harrowgatefoods.co.uk';
    await call(who.cookie, 'POST', '/api/account/email', { email, password: testPassword });
    expect((await currentUser(app, who.cookie)).json()).toMatchObject({ email: who.email, isAdmin: false });
  });
});

describe('sessions', () => {
  it('are listed in words, without their secrets, and end at once', async () => {
    const who = await signUp(app);
    const phone = cookiesOf(
      await app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        headers: {
          'user-agent':
            'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
        },
        payload: { email: who.email, password: testPassword },
      }),
    );
    const answer = await call(who.cookie, 'GET', '/api/account/sessions');
    const list = answer.json() as { id: number; device: string; current: boolean }[];
    expect(list).toHaveLength(2);
    expect(list.find(({ current }) => !current)).toMatchObject({ device: 'Safari on iOS', kind: 'phone' });
    const token = decodeURIComponent(phone.split('=')[1] ?? '').split('.')[0] ?? '';
    expect(token.length).toBeGreaterThan(20);
    expect(answer.body).not.toContain(token);

    const other = list.find(({ current }) => !current)?.id;
    const stranger = await signUp(app);
    expect((await call(stranger.cookie, 'DELETE', `/api/account/sessions/${other}`)).statusCode).toBe(404);
    expect(await isIn(phone)).toBe(true);
    expect((await call(who.cookie, 'DELETE', `/api/account/sessions/${other}`)).statusCode).toBe(200);
    expect(await isIn(phone)).toBe(false);
  });

  it('all end but one', async () => {
    const who = await signUp(app);
    const others = [await signIn(app, who.email), await signIn(app, who.email)].map(cookiesOf);
    const ended = await call(who.cookie, 'POST', '/api/account/sessions/end-others');
    expect(ended.json()).toEqual({ ended: 2 });
    for (const cookie of others) expect(await isIn(cookie)).toBe(false);
    expect(await isIn(who.cookie)).toBe(true);
  });

  it('cannot be planted: a cookie brought along is not the one that is signed in', async () => {
    const attacker = await signUp(app);
    const victim = await signUp(app);
    const answer = await signIn(app, victim.email, testPassword, { cookie: attacker.cookie });
    expect(cookiesOf(answer)).not.toBe(attacker.cookie);
    expect((await currentUser(app, attacker.cookie)).json().email).toBe(attacker.email);
  });
});

describe('the second factor', () => {
  async function withTwoFactor() {
    const who = await signUp(app);
    const begun = await call(who.cookie, 'POST', '/api/account/two-factor', { password: testPassword });
    const { secret, uri, recoveryCodes } = begun.json() as {
      secret: string;
      uri: string;
      recoveryCodes: string[];
    };
    expect(uri).toMatch(/^otpauth:\/\/totp\//);
    expect(recoveryCodes).toHaveLength(10);
    const code = totpOf(secret);
    const on = await call(who.cookie, 'POST', '/api/account/two-factor/confirm', { code });
    expect(on.statusCode).toBe(200);
    return { ...who, cookie: cookiesOf(on), secret, recoveryCodes };
  }
  const step = (cookie: string, body: object) => call(cookie, 'POST', '/api/auth/two-factor', body);

  it('is asked for at sign-in once its first code was right', async () => {
    const begun = await signUp(app);
    await call(begun.cookie, 'POST', '/api/account/two-factor', { password: testPassword });
    expect((await signIn(app, begun.email)).json().twoFactorRedirect).toBeUndefined();

    const who = await withTwoFactor();
    expect((await call(who.cookie, 'GET', '/api/account')).json().twoFactor).toEqual({
      on: true,
      recoveryCodesLeft: 10,
    });
    const first = await signIn(app, who.email);
    expect(first.json()).toMatchObject({ twoFactorRedirect: true });
    const half = cookiesOf(first);
    expect(await isIn(half)).toBe(false);
    expect(errorOf(await step(half, { code: '000000' }))).toMatchObject({
      status: 400,
      fields: { code: expect.any(String) },
    });
    const done = await step(half, { code: totpOf(who.secret) });
    expect(done.statusCode).toBe(200);
    expect(await isIn(cookiesOf(done))).toBe(true);
    expect((await step(half, { code: totpOf(who.secret) })).statusCode).toBe(410);
  });

  it('takes each code once, also when two sign in at the same moment', async () => {
    const who = await withTwoFactor();
    const half = async () => cookiesOf(await signIn(app, who.email));
    const halves = [await half(), await half(), await half()];
    const code = totpOf(who.secret);
    const answers = await Promise.all(halves.map((one) => step(one, { code })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
    for (const answer of answers) expect(await isIn(cookiesOf(answer))).toBe(answer.statusCode === 200);
    const again = await step(await half(), { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(again.statusCode).toBe(400);
    const { rows } = await sql`
      select from sessions s join users u on u.id = s.user_id where u.email = ${who.email}`.execute(
      database.system,
    );
    // The one from turning it on, and the one that was let in.
    expect(rows).toHaveLength(2);
  });

  it('gives up after five wrong codes, also with a session of somebody else along', async () => {
    const who = await withTwoFactor();
    const half = cookiesOf(await signIn(app, who.email));
    const { cookie } = await signUp(app);
    for (let count = 0; count < 5; count += 1)
      expect((await step(`${cookie}; ${half}`, { code: '000000' })).statusCode).toBe(400);
    expect((await step(half, { code: totpOf(who.secret) })).statusCode).toBe(410);
  });

  it('is stood in for by each recovery code once', async () => {
    const who = await withTwoFactor();
    const [code = ''] = who.recoveryCodes;
    const use = async () => step(cookiesOf(await signIn(app, who.email)), { code, kind: 'recovery' });
    expect((await use()).statusCode).toBe(200);
    expect((await use()).statusCode).toBe(400);
    const left = (await call(who.cookie, 'GET', '/api/account')).json().twoFactor.recoveryCodesLeft;
    expect(left).toBe(9);
    const url = '/api/account/two-factor/recovery-codes';
    const renewed = await call(who.cookie, 'POST', url, { password: testPassword });
    expect(renewed.json().recoveryCodes).toHaveLength(10);
    expect(renewed.json().recoveryCodes).not.toContain(who.recoveryCodes[1]);
    expect(await auditOf(who)).toEqual([
      'account.two_factor_on',
      'account.recovery_code_used',
      'account.recovery_codes_renewed',
    ]);
  });

  it('is spared a trusted device, until the password changes', async () => {
    const who = await withTwoFactor();
    const half = cookiesOf(await signIn(app, who.email));
    const done = await step(half, { code: totpOf(who.secret), trustDevice: true });
    const trusted = cookiesOf(done);
    const again = await signIn(app, who.email, testPassword, { cookie: trusted });
    expect(again.json().twoFactorRedirect).toBeUndefined();
    const renewed = cookiesOf(again);
    await call(renewed, 'POST', '/api/account/password', { currentPassword: testPassword, newPassword });
    const after = await signIn(app, who.email, newPassword, { cookie: renewed });
    expect(after.json()).toMatchObject({ twoFactorRedirect: true });
  });

  it('is asked for by a device that was trusted before it was set up anew', async () => {
    const who = await withTwoFactor();
    const half = cookiesOf(await signIn(app, who.email));
    const trusted = cookiesOf(await step(half, { code: totpOf(who.secret), trustDevice: true }));
    // As a stop of the product leaves it that comes in the middle of turning it off.
    const id = Number(who.userId);
    await sql`update users set two_factor_enabled = false where id = ${id}`.execute(database.system);
    await sql`delete from two_factors where user_id = ${id}`.execute(database.system);
    const begun = await call(who.cookie, 'POST', '/api/account/two-factor', { password: testPassword });
    const code = totpOf(begun.json().secret);
    const on = await call(who.cookie, 'POST', '/api/account/two-factor/confirm', { code });
    expect(on.statusCode).toBe(200);
    const answer = await signIn(app, who.email, testPassword, { cookie: trusted });
    expect(answer.json()).toMatchObject({ twoFactorRedirect: true });
  });

  it('is turned off with the password only', async () => {
    const who = await withTwoFactor();
    const off = (password: string) => call(who.cookie, 'DELETE', '/api/account/two-factor', { password });
    expect((await off('wrong')).statusCode).toBe(400);
    expect((await off(testPassword)).statusCode).toBe(200);
    expect((await signIn(app, who.email)).json().twoFactorRedirect).toBeUndefined();
  });

  it('is kept encrypted', async () => {
    const who = await withTwoFactor();
    const { rows } = await sql<{ text: string }>`
      select row_to_json(t)::text as text from two_factors t where user_id = ${Number(who.userId)}`.execute(
      database.system,
    );
    expect(rows[0]?.text).toBeDefined();
    expect(rows[0]?.text).not.toContain(who.secret);
    expect(rows[0]?.text).not.toContain(who.recoveryCodes[0]);
  });
});
