import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { currentUser, signIn } from '#test/support/people.ts';
import { cookieOf, type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';

let mailing: TestApp;
let mailless: TestApp;

beforeAll(async () => {
  // Nothing listens there: the mail waits in the outbox.
  mailing = await openTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
  mailless = await openTestApp();
});
afterAll(() => Promise.all([mailing?.close(), mailless?.close()]));

const newPassword = 'nine slow otters swim';
const post = ({ app }: TestApp, cookie: string | null, url: string, payload: object = {}) =>
  app.inject({ method: 'POST', url, headers: cookie ? { cookie } : {}, payload });

interface Planted extends SignedIn {
  key: string;
}

/** Somebody who has made all that would let them stay: a key, an invitation, a second factor. */
async function plant(at: TestApp): Promise<Planted> {
  const who = await signUp(at.app);
  const made = await post(at, who.cookie, '/api/keys', { name: 'Website', scopes: ['contacts:read'] });
  const invited = await post(at, who.cookie, '/api/team/invitations', {
    email: `second.${who.userId}@gmail.com`,
    role: 'owner',
  });
  expect([made.statusCode, invited.statusCode], made.body).toEqual([201, 201]);
  const begun = await post(at, who.cookie, '/api/account/two-factor', { password: testPassword });
  const on = await post(at, who.cookie, '/api/account/two-factor/confirm', {
    code: totpOf(begun.json().secret),
  });
  expect(on.statusCode).toBe(200);
  return { ...who, cookie: cookieOf(on.headers['set-cookie']), key: made.json().key };
}

const newest = async (at: TestApp, email: string, kind: string) => {
  const { rows } = await sql<{ link: string | null; text: string | null }>`
    select link, body_text as text from outbox where recipient = ${email} and kind = ${kind}
    order by id desc limit 1`.execute(at.owner.system);
  return rows[0];
};

async function resetPassword(at: TestApp, email: string) {
  await post(at, null, '/api/auth/forgot-password', { email });
  const token = await vi.waitFor(async () => {
    const found = new URL((await newest(at, email, 'password_reset'))?.link ?? 'none:').searchParams.get(
      'token',
    );
    if (!found) throw new Error('no mail yet');
    return found;
  });
  const answer = await post(at, null, '/api/auth/reset-password', { token, password: newPassword });
  expect(answer.statusCode, answer.body).toBe(200);
}

const useKey = async (at: TestApp, { key }: Planted): Promise<number> =>
  (await at.app.inject({ url: '/api/emails', headers: { authorization: `Bearer ${key}` } })).statusCode;
const openInvitations = async (at: TestApp, { userId }: SignedIn): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from invitations
    where email = ${`second.${userId}@gmail.com`} and status = 'pending'`.execute(at.owner.system);
  return rows[0]?.count ?? 0;
};

describe('a password set by a mailed link', () => {
  it('ends what was made in the account before its address was proven', async () => {
    const planted = await plant(mailing);
    const other = await signUpMember(mailing.app, mailing.database, {
      workspaceId: planted.workspaceId,
      role: 'owner',
    });
    expect(await useKey(mailing, planted)).toBe(200);
    await resetPassword(mailing, planted.email);

    expect(await useKey(mailing, planted)).toBe(401);
    expect(await openInvitations(mailing, planted)).toBe(0);
    expect((await currentUser(mailing.app, planted.cookie)).statusCode).toBe(401);
    // Without a second step: it was somebody else's.
    const signedIn = await signIn(mailing.app, planted.email, newPassword);
    const cookie = cookieOf(signedIn.headers['set-cookie']);
    const account = await mailing.app.inject({ url: '/api/account', headers: { cookie } });
    expect(account.json()).toMatchObject({ emailVerified: true, twoFactor: { on: false } });
    const { text } = (await newest(mailing, planted.email, 'notice')) ?? {};
    expect(text).toContain('1 API key, 1 open invitation and two-factor sign-in');
    expect(text).toContain(other.email);
  });

  it('ends nothing once the address is proven', async () => {
    const planted = await plant(mailing);
    await sql`update users set email_verified = true where id = ${Number(planted.userId)}`.execute(
      mailing.owner.system,
    );
    await resetPassword(mailing, planted.email);
    expect(await useKey(mailing, planted)).toBe(200);
    expect(await openInvitations(mailing, planted)).toBe(1);
    expect((await signIn(mailing.app, planted.email, newPassword)).json()).toMatchObject({
      twoFactorRedirect: true,
    });
  });

  it('ends nothing without a mail server, where a link proves no mailbox', async () => {
    const planted = await plant(mailless);
    await resetPassword(mailless, planted.email);
    expect(await useKey(mailless, planted)).toBe(200);
    expect(await openInvitations(mailless, planted)).toBe(1);
  });
});
