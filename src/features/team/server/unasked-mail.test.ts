import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleBench, type PeopleBench } from '#test/support/people.ts';
import { cookieOf, type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';

let bench: PeopleBench;
let app: FastifyInstance;

beforeAll(async () => {
  bench = await openPeopleBench();
  app = await bench.start({ smtpUrl: 'smtp://127.0.0.1:9' });
});
afterAll(() => bench?.close());

const call = (
  who: { cookie: string },
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload: object = {},
) => app.inject({ method, url, headers: { cookie: who.cookie }, payload });
const join = (owner: SignedIn) =>
  signUpMember(app, bench.database, { workspaceId: owner.workspaceId, role: 'admin' });
const confirm = (who: SignedIn) =>
  sql`update users set email_verified = true where id = ${Number(who.userId)}`.execute(bench.database.system);
const mailsTo = async ({ email }: { email: string }, kind = 'notice'): Promise<string[]> => {
  const { rows } = await sql<{ subject: string }>`
    select subject from outbox where recipient = ${email} and kind = ${kind} order by id`.execute(
    bench.database.system,
  );
  return rows.map(({ subject }) => subject);
};
const memberId = async ({ userId, workspaceId }: SignedIn): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select id from members where workspace_id = ${workspaceId} and user_id = ${Number(userId)}`.execute(
    bench.database.system,
  );
  return rows[0]?.id ?? 0;
};

async function withTwoFactor(who: SignedIn): Promise<SignedIn> {
  const begun = await call(who, 'POST', '/api/account/two-factor', { password: testPassword });
  const code = totpOf(begun.json().secret);
  const on = await call(who, 'POST', '/api/account/two-factor/confirm', { code });
  expect(on.statusCode).toBe(200);
  return { ...who, cookie: cookieOf(on.headers['set-cookie']) };
}

describe('with a mail server, an address that nobody has confirmed', () => {
  it('is not written to about the workspace, however often its rule or its owner changes', async () => {
    const owner = await withTwoFactor(await signUp(app));
    const stranger = await join(owner);
    const member = await join(owner);
    await confirm(member);
    for (let count = 0; count < 20; count += 1) {
      const rule = { requireTwoFactor: count % 2 === 0 };
      expect((await call(owner, 'PATCH', '/api/team/security', rule)).statusCode).toBe(200);
    }
    expect(await mailsTo(stranger)).toEqual([]);
    // Whoever has confirmed theirs is told five times an hour, and no more.
    expect(await mailsTo(member)).toHaveLength(5);

    const transfer = { memberId: await memberId(stranger), password: testPassword };
    expect((await call(owner, 'POST', '/api/team/transfer', transfer)).statusCode).toBe(200);
    const back = { memberId: await memberId(owner), password: testPassword };
    expect((await call(stranger, 'POST', '/api/team/transfer', back)).statusCode).toBe(200);
    const url = `/api/team/members/${await memberId(stranger)}`;
    expect((await call(owner, 'DELETE', url)).statusCode).toBe(200);
    expect(await mailsTo(stranger)).toEqual([]);
  });

  it('is not written to about each new password', async () => {
    const stranger = await signUp(app);
    const to = async (currentPassword: string, newPassword: string) =>
      call(stranger, 'POST', '/api/account/password', { currentPassword, newPassword });
    expect((await to(testPassword, 'nine slow otters swim')).statusCode).toBe(200);
    expect(await mailsTo(stranger)).toEqual([]);
    await confirm(stranger);
    expect((await to('nine slow otters swim', testPassword)).statusCode).toBe(200);
    expect(await mailsTo(stranger)).toEqual(['Your password was changed']);
  });

  it('gets five invitations an hour, from however many workspaces', async () => {
    const owner = await signUp(app);
    const to = { email: 'invited.by.many@acme.co.uk' };
    const answers: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const made = await call(owner, 'POST', '/api/workspaces', { name: `Workspace ${count}` });
      expect(made.statusCode).toBe(201);
      const sent = await call(owner, 'POST', '/api/team/invitations', { ...to, role: 'viewer' });
      answers.push(sent.statusCode);
    }
    expect(answers).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await mailsTo(to, 'invitation')).toHaveLength(5);
  });
});

it('one person invites no more than 120 people an hour, in however many workspaces', async () => {
  const owner = await signUp(app);
  const invite = (from: number, count: number) =>
    call(owner, 'POST', '/api/team/invitations/several', {
      emails: Array.from({ length: count }, (_, n) => `guest${from + n}@acme.co.uk`),
      role: 'viewer',
    });
  for (let from = 0; from < 120; from += 40) {
    expect((await invite(from, 40)).json().sent).toBe(40);
    await call(owner, 'POST', '/api/workspaces', { name: `Workspace ${from}` });
  }
  expect((await invite(120, 1)).json()).toMatchObject({
    sent: 0,
    results: [{ invitation: null, problem: expect.stringMatching(/too many/i) }],
  });
});
