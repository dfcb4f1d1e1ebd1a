import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hashes } from '#test/support/cheap-passwords.ts';
import {
  currentUser,
  errorOf,
  openPeopleBench,
  type PeopleBench,
  post,
  signIn,
} from '#test/support/people.ts';
import { cookieOf, signUp, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';
import { updatePassword } from './user-queries.ts';
import { endSessions, giveEmail } from './users.ts';

let bench: PeopleBench;

beforeAll(async () => {
  bench = await openPeopleBench();
});
afterAll(() => bench?.close());

const newPassword = 'nine slow otters swim';
const cookiesOf = (answer: { headers: Record<string, unknown> }) =>
  cookieOf(answer.headers['set-cookie'] as string[] | undefined);
const change = (cookie: string, method: 'POST' | 'DELETE', url: string, payload: object) =>
  bench.app.inject({ method, url: `/api/account/two-factor${url}`, headers: { cookie }, payload });

async function withTwoFactor() {
  const who = await signUp(bench.app);
  const begun = await change(who.cookie, 'POST', '', { password: testPassword });
  const { secret, recoveryCodes } = begun.json() as { secret: string; recoveryCodes: [string] };
  const on = await change(who.cookie, 'POST', '/confirm', { code: totpOf(secret) });
  expect(on.statusCode).toBe(200);
  return { ...who, cookie: cookiesOf(on), secret, recoveryCodes };
}

/** Sets a new password by a mailed link. */
async function reset(email: string): Promise<void> {
  await post(bench.app, 'forgot-password', { email });
  const token = await vi.waitFor(async () => {
    const { rows } = await sql<{ link: string }>`
      select link from outbox where recipient = ${email} and kind = 'password_reset'`.execute(
      bench.database.system,
    );
    return new URL(rows[0]?.link ?? 'none yet').searchParams.get('token');
  });
  const answer = await post(bench.app, 'reset-password', { token, password: newPassword });
  expect(answer.statusCode).toBe(200);
}

const begunBy = async (userId: string) => {
  const { rows } = await sql`
    select 'session' as what from sessions where user_id = ${Number(userId)}
    union all
    select identifier from verifications
    where value = ${userId} and identifier ~ '^(2fa|trust)' and identifier !~ '^2fa-attempts'`.execute(
    bench.database.system,
  );
  return rows;
};

describe('a new password', () => {
  it('ends a sign-in that waits for its second step, and nobody else’s', async () => {
    const who = await withTwoFactor();
    const other = await withTwoFactor();
    const half = cookiesOf(await signIn(bench.app, who.email));
    const othersHalf = cookiesOf(await signIn(bench.app, other.email));
    // Its count of attempts is a number like a user's.
    await sql`update verifications set value = ${who.userId} where identifier like '2fa-attempts-%'
              and value = '0' and created_at = (select max(created_at) from verifications)`.execute(
      bench.database.system,
    );
    const { rows: counts } = await sql`
      select id from verifications where identifier like '2fa-attempts-%'`.execute(bench.database.system);
    await reset(who.email);
    const late = await post(bench.app, 'two-factor', { code: totpOf(who.secret) }, { cookie: half });
    expect(errorOf(late)).toMatchObject({ status: 410, code: 'gone' });
    expect(await begunBy(who.userId)).toEqual([]);
    const { rows: left } = await sql`
      select id from verifications where identifier like '2fa-attempts-%'`.execute(bench.database.system);
    expect(left).toHaveLength(counts.length);
    expect(await begunBy(other.userId)).not.toEqual([]);
    expect(othersHalf).toContain('two_factor');
  });

  it('set while a sign-in checks the old one leaves no session', async () => {
    const who = await signUp(bench.app);
    hashes.first = () => reset(who.email);
    const late = await signIn(bench.app, who.email);
    expect(errorOf(late)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(late.headers['set-cookie']).toBeUndefined();
    expect(await begunBy(who.userId)).toEqual([]);
    expect((await signIn(bench.app, who.email, newPassword)).statusCode).toBe(200);
  });

  it('set by a mailed link while somebody changes the old one is the one that stays', async () => {
    const who = await signUp(bench.app);
    hashes.first = () => reset(who.email);
    const late = await bench.app.inject({
      method: 'POST',
      url: '/api/account/password',
      headers: { cookie: who.cookie },
      payload: { currentPassword: testPassword, newPassword: 'seven quick herons fly' },
    });
    expect(errorOf(late)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect((await signIn(bench.app, who.email, newPassword)).statusCode).toBe(200);
  });

  it('cannot be set from a mailbox that the account leaves at this moment', async () => {
    const who = await signUp(bench.app);
    const left = who.email;
    await bench.database.system.transaction().execute(async (tx) => {
      await sql`select from users where id = ${Number(who.userId)} for update`.execute(tx);
      expect((await post(bench.app, 'forgot-password', { email: left })).statusCode).toBe(200);
      await expect.poll(() => waitingForLocks(bench)).toBe(1);
      await giveEmail(tx, Number(who.userId), `new.${left}`);
    });
    // Whoever asks now comes after whoever waited.
    await reset(`new.${left}`);
    const { rows } =
      await sql`select id from outbox where recipient = ${left} and kind = 'password_reset'`.execute(
        bench.database.system,
      );
    expect(rows).toEqual([]);
  });

  it('set while a sign-in checks the old one leaves no second step to do', async () => {
    const who = await withTwoFactor();
    hashes.first = () => reset(who.email);
    expect((await signIn(bench.app, who.email)).statusCode).toBe(401);
    expect(await begunBy(who.userId)).toEqual([]);
  });

  it.each([
    ['the code', 'authenticator'],
    ['the recovery code', 'recovery'],
  ])('set while %s lets in leaves no session', async (_what, kind) => {
    const who = await withTwoFactor();
    const half = cookiesOf(await signIn(bench.app, who.email));
    const code = kind === 'recovery' ? who.recoveryCodes[0] : totpOf(who.secret);
    const late = await whileSessionWaits(who.userId, () =>
      post(bench.app, 'two-factor', { code, kind, trustDevice: true }, { cookie: half }),
    );
    expect(errorOf(late)).toMatchObject({ status: 410, code: 'gone' });
    expect(await begunBy(who.userId)).toEqual([]);
  });

  it.each(['turned on', 'turned off'])('set while the second factor is %s leaves no session', async (how) => {
    const who = how === 'turned off' ? await withTwoFactor() : await signUp(bench.app);
    const begun = how === 'turned on' && (await change(who.cookie, 'POST', '', { password: testPassword }));
    const late = await whileSessionWaits(who.userId, () =>
      begun
        ? change(who.cookie, 'POST', '/confirm', { code: totpOf(begun.json().secret) })
        : change(who.cookie, 'DELETE', '', { password: testPassword }),
    );
    expect(late.statusCode).toBe(401);
    expect(await begunBy(who.userId)).toEqual([]);
    expect((await currentUser(bench.app, who.cookie)).statusCode).toBe(401);
  });
});

/** Makes a call whose new session waits, and sets a password meanwhile. */
async function whileSessionWaits<T>(userId: string, call: () => Promise<T>): Promise<T> {
  return bench.database.system
    .transaction()
    .execute(async (tx) => {
      // A session refers to its user, and cannot while the row is locked like this.
      await sql`select from users where id = ${Number(userId)} for update`.execute(tx);
      const answer = call();
      await expect.poll(() => waitingForLocks(bench)).toBe(1);
      await updatePassword(tx, Number(userId), 'another hash');
      await endSessions(tx, Number(userId), null);
      return { answer };
    })
    .then(({ answer }) => answer);
}
