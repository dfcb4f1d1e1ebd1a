import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { currentUser, errorOf } from '#test/support/people.ts';
import { allEndpoints, nameOf, requestOf } from '#test/support/sample-calls.ts';
import { cookieOf, type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';
import { totpOf } from '#test/support/totp.ts';

let test: TestApp;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test?.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (who: { cookie: string }, method: Method, url: string, payload?: object) =>
  test.app.inject({ method, url, headers: { cookie: who.cookie }, ...(payload ? { payload } : {}) });
const decide = (who: SignedIn, required: boolean) =>
  call(who, 'PATCH', '/api/team/security', { requireTwoFactor: required });
const join = (owner: SignedIn, role: Role) =>
  signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role });
const auditOf = async (workspaceId: number): Promise<string[]> =>
  test.database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where workspace_id = ${workspaceId} and action like 'workspace.%'
      order by id`.execute(tx);
    return rows.map(({ action }) => action);
  });

/** Sets up two-factor sign-in as a person does, with an authenticator's code. */
async function setUp(who: SignedIn): Promise<SignedIn> {
  const begun = await call(who, 'POST', '/api/account/two-factor', { password: testPassword });
  const code = totpOf(begun.json().secret);
  const on = await call(who, 'POST', '/api/account/two-factor/confirm', { code });
  if (on.statusCode !== 200) throw new Error(`two-factor: ${on.statusCode} ${on.body}`);
  return { ...who, cookie: cookieOf(on.headers['set-cookie']) };
}

describe('a workspace that requires two-factor sign-in', () => {
  it('is made one only by who has it, and by admins and owners', async () => {
    const owner = await signUp(test.app);
    expect(errorOf(await decide(owner, true))).toMatchObject({
      status: 409,
      message: expect.stringContaining('for yourself first'),
    });
    expect((await currentUser(test.app, owner.cookie)).json().workspace.requiresTwoFactor).toBe(false);
    for (const role of ['viewer', 'editor', 'sender'] as const) {
      const member = await setUp(await join(owner, role));
      expect((await decide(member, true)).statusCode).toBe(403);
    }
    const admin = await setUp(await join(owner, 'admin'));
    expect((await decide(admin, true)).json()).toEqual({ requireTwoFactor: true, membersWithout: 1 });
    expect(await auditOf(owner.workspaceId)).toEqual(['workspace.two_factor_required']);
  });

  it('refuses every call of the workspace to a member without, and lets them in once they have it', async () => {
    const owner = await setUp(await signUp(test.app));
    const member = await join(owner, 'admin');
    await decide(owner, true);
    const leave = 'POST /api/team/leave';
    const calls = allEndpoints().filter(
      ({ definition }) => definition.access.kind === 'member' && nameOf(definition) !== leave,
    );
    const open: string[] = [];
    for (const { definition } of calls) {
      const answer = await test.app.inject({
        ...requestOf(definition, {}),
        headers: { cookie: member.cookie },
      });
      if (answer.statusCode !== 403 || answer.json().code !== 'two_factor_required')
        open.push(nameOf(definition));
    }
    expect(calls.length).toBeGreaterThan(50);
    expect(open).toEqual([]);

    const other = await join(owner, 'viewer');
    expect((await currentUser(test.app, other.cookie)).json()).toMatchObject({
      needsTwoFactor: true,
      workspace: { id: owner.workspaceId, requiresTwoFactor: true },
    });
    expect(errorOf(await call(other, 'GET', '/api/emails'))).toMatchObject({
      status: 403,
      code: 'two_factor_required',
      message: expect.stringContaining('asks for two-factor sign-in'),
    });
    const withIt = await setUp(other);
    expect((await currentUser(test.app, withIt.cookie)).json().needsTwoFactor).toBe(false);
    expect((await call(withIt, 'GET', '/api/emails')).statusCode).toBe(200);
  });

  it('leaves open the account, other workspaces, leaving and signing out', async () => {
    const owner = await setUp(await signUp(test.app));
    const member = await join(owner, 'viewer');
    await decide(owner, true);
    for (const url of [
      '/api/account',
      '/api/account/sessions',
      '/api/workspaces',
      '/api/account/invitations',
    ])
      expect((await call(member, 'GET', url)).statusCode).toBe(200);
    const [own] = (await call(member, 'GET', '/api/workspaces')).json() as { id: number }[];
    await call(member, 'POST', '/api/workspaces/current', { id: own?.id ?? 0 });
    expect((await call(member, 'GET', '/api/emails')).statusCode).toBe(200);
    await call(member, 'POST', '/api/workspaces/current', { id: owner.workspaceId });
    expect((await call(member, 'GET', '/api/emails')).statusCode).toBe(403);
    expect((await call(member, 'POST', '/api/team/leave')).json()).toEqual({ left: true });
    expect((await call(member, 'GET', '/api/emails')).statusCode).toBe(200);
    const out = await call(member, 'POST', '/api/auth/sign-out', {});
    expect(out.statusCode).toBe(200);
  });

  it('goes on taking API keys, whoever made them', async () => {
    const owner = await setUp(await signUp(test.app));
    const admin = await join(owner, 'admin');
    const made = await call(admin, 'POST', '/api/keys', { name: 'Website', scopes: ['contacts:read'] });
    await decide(owner, true);
    expect((await call(admin, 'GET', '/api/emails')).statusCode).toBe(403);
    const byKey = await test.app.inject({
      url: '/api/emails',
      headers: { authorization: `Bearer ${made.json().key}` },
    });
    expect(byKey.statusCode).toBe(200);
  });

  it('shows who has it, writes to who has none, once, and tells the bell', async () => {
    const owner = await setUp(await signUp(test.app));
    const member = await join(owner, 'editor');
    expect((await decide(owner, true)).json()).toEqual({ requireTwoFactor: true, membersWithout: 1 });
    expect((await decide(owner, true)).json()).toEqual({ requireTwoFactor: true, membersWithout: 1 });
    expect((await call(owner, 'GET', '/api/team/members')).json()).toMatchObject([
      { role: 'owner', twoFactor: true },
      { role: 'editor', twoFactor: false },
    ]);
    const { rows } = await sql<{ recipient: string; link: string }>`
      select recipient, link from outbox
      where workspace_id = ${owner.workspaceId} and kind = 'notice'`.execute(test.database.system);
    expect(rows).toEqual([{ recipient: member.email, link: expect.stringContaining('/account') }]);
    expect((await call(owner, 'GET', '/api/notifications')).json()).toMatchObject({
      items: [{ action: 'Two-Factor Required', isNew: true }],
    });
    expect(await auditOf(owner.workspaceId)).toEqual(['workspace.two_factor_required']);
  });

  it('stops being one at the next call after it is switched off', async () => {
    const owner = await setUp(await signUp(test.app));
    const member = await join(owner, 'editor');
    await decide(owner, true);
    expect((await call(member, 'GET', '/api/emails')).statusCode).toBe(403);
    expect((await decide(owner, false)).json().requireTwoFactor).toBe(false);
    expect((await call(member, 'GET', '/api/emails')).statusCode).toBe(200);
    expect(await auditOf(owner.workspaceId)).toEqual([
      'workspace.two_factor_required',
      'workspace.two_factor_optional',
    ]);
  });

  it('shuts out also who turns their own off afterwards, and no other workspace', async () => {
    const owner = await setUp(await signUp(test.app));
    const stranger = await signUp(test.app);
    await decide(owner, true);
    expect((await call(stranger, 'GET', '/api/emails')).statusCode).toBe(200);
    const off = await call(owner, 'DELETE', '/api/account/two-factor', { password: testPassword });
    const without = { cookie: cookieOf(off.headers['set-cookie']) || owner.cookie };
    expect(errorOf(await call(without, 'GET', '/api/emails'))).toMatchObject({ code: 'two_factor_required' });
  });
});
