import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleBench, type PeopleBench, post, signIn } from '#test/support/people.ts';
import { cookieOf, signUp, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';
import { AuthDatabase } from '../auth-database.ts';
import { renewAllFactors, signInKeys } from './factor-keys.ts';

const [first, second, third] = ['first', 'second', 'third'].map((word) => `${word} key `.repeat(5)) as [
  string,
  string,
  string,
];

let bench: PeopleBench;

beforeAll(async () => {
  bench = await openPeopleBench();
});
afterAll(() => bench?.close());

const withKeys = (secretKey: string, ...previousSecretKeys: string[]) =>
  bench.start({ secretKey, previousSecretKeys });
const night = (secretKey: string, ...previousSecretKeys: string[]) =>
  renewAllFactors(new AuthDatabase(bench.database.lender), signInKeys({ secretKey, previousSecretKeys }));

async function withTwoFactor(app: FastifyInstance) {
  const who = await signUp(app);
  const headers = { cookie: who.cookie };
  const url = '/api/account/two-factor';
  const begun = await app.inject({ method: 'POST', url, headers, payload: { password: testPassword } });
  const { secret, recoveryCodes } = begun.json() as { secret: string; recoveryCodes: [string, string] };
  const payload = { code: totpOf(secret) };
  const on = await app.inject({ method: 'POST', url: `${url}/confirm`, headers, payload });
  expect(on.statusCode).toBe(200);
  return { ...who, secret, recoveryCodes };
}

/** The status of the second step, and the cookie of whoever was let in. */
async function comeIn(app: FastifyInstance, email: string, step: object) {
  const half = cookieOf((await signIn(app, email)).headers['set-cookie']);
  const answer = await post(app, 'two-factor', step, { cookie: half });
  return { status: answer.statusCode, cookie: cookieOf(answer.headers['set-cookie']) };
}

const storedOf = async (userId: string) => {
  const { rows } = await sql<{ secret: string; backup_codes: string }>`
    select secret, backup_codes from two_factors where user_id = ${Number(userId)}`.execute(
    bench.database.system,
  );
  return rows[0];
};

describe('a second factor, after a change of SECRET_KEY', () => {
  it('lets in by a code and by a recovery code, and shows how many are left', async () => {
    const who = await withTwoFactor(await withKeys(first));
    const after = await withKeys(second, first);
    expect((await comeIn(after, who.email, { code: totpOf(who.secret) })).status).toBe(200);
    const [code] = who.recoveryCodes;
    const { status, cookie } = await comeIn(after, who.email, { code, kind: 'recovery' });
    expect(status).toBe(200);
    const account = await after.inject({ url: '/api/account', headers: { cookie } });
    expect(account.json().twoFactor).toEqual({ on: true, recoveryCodesLeft: 9 });
  });

  it('stands under the new key after a night, so that the old one can go', async () => {
    const before = await withKeys(first);
    const who = await withTwoFactor(before);
    const other = await withTwoFactor(await withKeys(second));
    expect(await night(third, second, first)).toEqual({ unreadable: 0 });
    const alone = await withKeys(third);
    expect((await comeIn(alone, who.email, { code: totpOf(who.secret) })).status).toBe(200);
    const [code] = other.recoveryCodes;
    expect((await comeIn(alone, other.email, { code, kind: 'recovery' })).status).toBe(200);
  });

  it('stays as it is while its key is not named, and opens once it is', async () => {
    const who = await withTwoFactor(await withKeys(first));
    const stored = await storedOf(who.userId);
    const { unreadable } = await night(third, second);
    expect(unreadable).toBeGreaterThan(0);
    expect(await storedOf(who.userId)).toEqual(stored);
    await night(third, second, first);
    expect(await storedOf(who.userId)).not.toEqual(stored);
    const alone = await withKeys(third);
    expect((await comeIn(alone, who.email, { code: totpOf(who.secret) })).status).toBe(200);
  });
});
