import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { currentUser, errorOf, openPeopleBench, type PeopleBench, post } from '#test/support/people.ts';
import { cookieOf, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';

let bench: PeopleBench;
let database: Database;
let app: FastifyInstance;
const start: PeopleBench['start'] = (...config) => bench.start(...config);

beforeAll(async () => {
  bench = await openPeopleBench();
  ({ app, database } = bench);
});
afterAll(() => bench.close());

describe('what other features are given', () => {
  it('reads who calls with one query a request', async () => {
    const { cookie, userId, workspaceId } = await signUp(app);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const answer = await app.inject({ method: 'POST', url: '/api/who-calls', headers: { cookie } });
    const count = query.mock.calls.length;
    query.mockRestore();
    expect(answer.json()).toEqual({ userId, workspaceId, role: 'owner' });
    expect(count).toBe(1);
  });

  it.each([
    ['viewer', 403],
    ['editor', 200],
    ['sender', 200],
    ['admin', 200],
    ['owner', 200],
  ] as const)('a %s gets %i from a call for editors', async (role, status) => {
    const owner = await signUp(app);
    const { cookie } = await signUpMember(app, database, { workspaceId: owner.workspaceId, role });
    const answer = await app.inject({ method: 'POST', url: '/api/who-calls', headers: { cookie } });
    expect(answer.statusCode).toBe(status);
    if (status === 200) expect(answer.json()).toMatchObject({ workspaceId: owner.workspaceId, role });
  });
});

describe('a user without a workspace', () => {
  it('is given one at the next call, and only one however many calls come at once', async () => {
    const { cookie, userId, workspaceId } = await signUp(app);
    await sql`delete from workspaces where id = ${workspaceId}`.execute(bench.owner.system);
    const answers = await Promise.all(Array.from({ length: 8 }, () => currentUser(app, cookie)));
    for (const answer of answers) expect(answer.json()).toMatchObject({ id: userId, role: 'owner' });
    const { rows } = await sql`select 1 from members where user_id = ${Number(userId)}`.execute(
      database.system,
    );
    expect(rows).toHaveLength(1);
  });

  it('who was removed from the workspace they were in works on in their own', async () => {
    const owner = await signUp(app);
    const member = await signUpMember(app, database, { workspaceId: owner.workspaceId, role: 'editor' });
    await sql`delete from members where workspace_id = ${owner.workspaceId} and user_id = ${Number(member.userId)}`.execute(
      database.system,
    );
    const now = (await currentUser(app, member.cookie)).json();
    expect(now).toMatchObject({ role: 'owner' });
    expect(now.workspace.id).not.toBe(owner.workspaceId);
  });
});

describe('the administrator', () => {
  it('is whoever signs up with ADMIN_EMAIL where no mail can be sent', async () => {
    const { cookie } = await signUp(app, { email: 'Boss@HarrowgateFoods.co.uk' });
    expect((await currentUser(app, cookie)).json().isAdmin).toBe(true);
    expect((await app.inject({ url: '/api/admin/anything', headers: { cookie } })).statusCode).toBe(200);
    const other = await signUp(app);
    const refused = await app.inject({ url: '/api/admin/anything', headers: { cookie: other.cookie } });
    expect(refused.statusCode).toBe(403);
  });

  it('has to open the link in the outbox when they come from another machine', async () => {
    const email = 'far@harrowgatefoods.co.uk';
    const far = await start({ adminEmail: email });
    const answer = await far.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      remoteAddress: '203.0.113.9',
      payload: { email, password: testPassword, name: 'Far' },
    });
    const cookie = cookieOf(answer.headers['set-cookie']);
    expect((await currentUser(far, cookie)).json().isAdmin).toBe(false);
    const { rows } = await sql<{ link: string }>`
      select link from outbox where recipient = ${email} and kind = 'email_proof'`.execute(database.system);
    const token = new URL(rows[0]?.link ?? '').searchParams.get('token');
    const confirmed = await far.inject({
      method: 'POST',
      url: '/api/auth/confirm-email',
      headers: { cookie },
      payload: { token },
    });
    expect(confirmed.json()).toEqual({ email });
    expect((await currentUser(far, cookie)).json().isAdmin).toBe(true);
  });

  it('has to prove the address where mail can be sent', async () => {
    const email = 'chief@harrowgatefoods.co.uk';
    const mailing = await start({ adminEmail: email, smtpUrl: 'smtp://mail.example.org' });
    const { cookie, userId } = await signUp(mailing, { email });
    expect((await currentUser(mailing, cookie)).json().isAdmin).toBe(false);
    await sql`update users set email_verified = true where id = ${Number(userId)}`.execute(database.system);
    expect((await currentUser(mailing, cookie)).json().isAdmin).toBe(true);
  });
});

describe('with SIGNUPS=invite', () => {
  it('lets in those who were asked and the administrator, and nobody else', async () => {
    const closed = await start({ signups: 'invite', adminEmail: 'keeper@gmail.com' });
    const host = await signUp(closed, { email: 'keeper@gmail.com' });
    const body = { email: 'stranger@gmail.com', password: testPassword, name: 'Stranger' };
    expect(errorOf(await post(closed, 'sign-up/email', body))).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: expect.stringContaining('by invitation'),
    });
    await closed.inject({
      method: 'POST',
      url: '/api/team/invitations',
      headers: { cookie: host.cookie },
      payload: { email: 'Stranger@gmail.com', role: 'viewer' },
    });
    expect((await post(closed, 'sign-up/email', body)).statusCode).toBe(200);
  });

  it('does not take an invitation that ran out', async () => {
    const closed = await start({ signups: 'invite' });
    const host = await signUp(app);
    const email = 'too-late@gmail.com';
    await closed.inject({
      method: 'POST',
      url: '/api/team/invitations',
      headers: { cookie: host.cookie },
      payload: { email, role: 'viewer' },
    });
    await sql`update invitations set expires_at = now() where email = ${email}`.execute(database.system);
    const answer = await post(closed, 'sign-up/email', { email, password: testPassword, name: 'Late' });
    expect(answer.statusCode).toBe(403);
  });
});
