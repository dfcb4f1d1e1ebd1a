import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { type Role, roles } from '#platform/shared/contract.ts';
import { currentUser, errorOf, openPeopleBench, type PeopleBench } from '#test/support/people.ts';
import { type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';

let bench: PeopleBench;
let database: Database;
let app: FastifyInstance;

beforeAll(async () => {
  bench = await openPeopleBench();
  ({ app, database } = bench);
});
afterAll(() => bench?.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (who: { cookie: string } | null, method: Method, url: string, payload?: object) =>
  app.inject({
    method,
    url,
    headers: who ? { cookie: who.cookie } : {},
    ...(payload ? { payload } : {}),
  });
const join = (owner: SignedIn, role: Role) =>
  signUpMember(app, database, { workspaceId: owner.workspaceId, role });
const memberId = async (who: SignedIn, workspaceId: number): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select id from members where workspace_id = ${workspaceId} and user_id = ${Number(who.userId)}`.execute(
    database.system,
  );
  return rows[0]?.id ?? 0;
};
const auditOf = async (workspaceId: number): Promise<{ action: string; actor: string }[]> =>
  database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ action: string; actor: string }>`
      select action, actor from audit_log where workspace_id = ${workspaceId} order by id`.execute(tx);
    return rows;
  });

describe('who may call what', () => {
  const calls: [Method, string, object | undefined, Role][] = [
    ['GET', '/api/team/members', undefined, 'viewer'],
    ['PATCH', '/api/team/members/999999', { role: 'viewer' }, 'admin'],
    ['DELETE', '/api/team/members/999999', undefined, 'admin'],
    ['GET', '/api/team/invitations', undefined, 'admin'],
    ['POST', '/api/team/invitations', { email: 'not an address', role: 'viewer' }, 'admin'],
    ['POST', '/api/team/invitations/999999/resend', undefined, 'admin'],
    ['DELETE', '/api/team/invitations/999999', undefined, 'admin'],
    ['POST', '/api/team/transfer', { memberId: 999999, password: 'x' }, 'owner'],
    ['PATCH', '/api/workspaces/current', { name: '' }, 'admin'],
  ];

  it('goes by the role, from viewer to owner', async () => {
    const owner = await signUp(app);
    for (const role of roles) {
      const who = role === 'owner' ? owner : await join(owner, role);
      for (const [method, url, body, needed] of calls) {
        const { statusCode } = await call(who, method, url, body);
        const allowed = roles.indexOf(role) >= roles.indexOf(needed);
        expect([role, method, url, statusCode === 403]).toEqual([role, method, url, !allowed]);
      }
    }
    for (const [method, url, body] of calls)
      expect((await call(null, method, url, body)).statusCode).toBe(401);
  });

  it('never reaches into another workspace', async () => {
    const owner = await signUp(app);
    const stranger = await signUp(app);
    const id = await memberId(owner, owner.workspaceId);
    expect((await call(stranger, 'PATCH', `/api/team/members/${id}`, { role: 'viewer' })).statusCode).toBe(
      404,
    );
    expect((await call(stranger, 'DELETE', `/api/team/members/${id}`)).statusCode).toBe(404);
    expect(
      (await call(stranger, 'POST', '/api/workspaces/current', { id: owner.workspaceId })).statusCode,
    ).toBe(404);
    const invited = await call(owner, 'POST', '/api/team/invitations', {
      email: 'g@gmail.com',
      role: 'viewer',
    });
    const one = `/api/team/invitations/${invited.json().id}`;
    expect((await call(stranger, 'DELETE', one)).statusCode).toBe(404);
    expect((await call(stranger, 'POST', `${one}/resend`)).statusCode).toBe(404);
    expect((await call(stranger, 'GET', '/api/team/members')).json()).toHaveLength(1);
  });
});

describe('members', () => {
  it('are listed with what a colleague wants to know', async () => {
    const owner = await signUp(app, { name: 'Ann Archer' });
    await join(owner, 'editor');
    const list = (await call(owner, 'GET', '/api/team/members')).json();
    expect(list).toMatchObject([
      { name: 'Ann Archer', role: 'owner', isYou: true, twoFactor: false },
      { role: 'editor', isYou: false },
    ]);
  });

  it('work under their new role from the next call on', async () => {
    const owner = await signUp(app);
    const member = await join(owner, 'editor');
    const act = async () => (await call(member, 'POST', '/api/who-calls')).statusCode;
    expect(await act()).toBe(200);
    const url = `/api/team/members/${await memberId(member, owner.workspaceId)}`;
    expect((await call(owner, 'PATCH', url, { role: 'viewer' })).json()).toMatchObject({ role: 'viewer' });
    expect(await act()).toBe(403);
    expect(await auditOf(owner.workspaceId)).toContainEqual({
      action: 'member.role_changed',
      actor: owner.email,
    });
  });

  it('are out at once when they are removed', async () => {
    const owner = await signUp(app);
    const member = await join(owner, 'admin');
    const url = `/api/team/members/${await memberId(member, owner.workspaceId)}`;
    expect((await call(owner, 'DELETE', url)).statusCode).toBe(200);
    const now = (await currentUser(app, member.cookie)).json();
    expect(now.workspace.id).not.toBe(owner.workspaceId);
    const back = await call(member, 'POST', '/api/workspaces/current', { id: owner.workspaceId });
    expect(back.statusCode).toBe(404);
  });

  it('never lose the last owner, not even when two owners go at the same moment', async () => {
    const owner = await signUp(app);
    const second = await join(owner, 'owner');
    const answers = await Promise.all([
      call(owner, 'POST', '/api/team/leave'),
      call(second, 'POST', '/api/team/leave'),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    const stayed = answers[0]?.statusCode === 403 ? owner : second;
    const self = `/api/team/members/${await memberId(stayed, owner.workspaceId)}`;
    expect(errorOf(await call(stayed, 'PATCH', self, { role: 'admin' }))).toMatchObject({
      status: 403,
      message: expect.stringContaining('only owner'),
    });
  });

  it('are handed the workspace only with the password', async () => {
    const owner = await signUp(app);
    const heir = await join(owner, 'viewer');
    const id = await memberId(heir, owner.workspaceId);
    const wrong = await call(owner, 'POST', '/api/team/transfer', { memberId: id, password: 'a guess' });
    expect(errorOf(wrong)).toMatchObject({ status: 400, fields: { password: expect.any(String) } });
    const right = await call(owner, 'POST', '/api/team/transfer', { memberId: id, password: testPassword });
    expect(right.json()).toMatchObject({ role: 'owner' });
    expect((await currentUser(app, owner.cookie)).json().role).toBe('admin');
    expect((await currentUser(app, heir.cookie)).json().role).toBe('owner');
  });
});

describe('an invitation', () => {
  const inviteAs = (who: SignedIn, email: string, role: Role = 'editor') =>
    call(who, 'POST', '/api/team/invitations', { email, role });
  const tokenOf = (link: string) => link.split('/').at(-1) ?? '';

  it('lets in who holds its link and has its address, once', async () => {
    const owner = await signUp(app, { name: 'Priya Shah' });
    const sent = (await inviteAs(owner, ' New.Colleague@Gmail.com ')).json();
    expect(sent).toMatchObject({
      email: 'new.colleague@gmail.com',
      role: 'editor',
      mailed: false,
      expired: false,
    });
    const token = tokenOf(sent.link);
    const shown = (await call(null, 'GET', `/api/invitations/${token}`)).json();
    expect(shown).toMatchObject({ role: 'editor', invitedBy: 'Priya Shah', hasAccount: false });

    const other = await signUp(app);
    const refused = await call(other, 'POST', `/api/invitations/${token}/accept`);
    expect(errorOf(refused)).toMatchObject({
      status: 403,
      message: expect.stringContaining('new.colleague@gmail.com'),
    });

    const guest = await signUp(app, { email: 'new.colleague@gmail.com' });
    const joined = await call(guest, 'POST', `/api/invitations/${token}/accept`);
    expect(joined.json()).toMatchObject({ id: owner.workspaceId, role: 'editor', current: true });
    expect((await currentUser(app, guest.cookie)).json().workspace.id).toBe(owner.workspaceId);
    expect((await call(guest, 'POST', `/api/invitations/${token}/accept`)).statusCode).toBe(404);
    expect((await auditOf(owner.workspaceId)).map(({ action }) => action)).toEqual([
      'invitation.sent',
      'member.joined',
    ]);
  });

  it('goes to several at once, with an answer for each', async () => {
    const owner = await signUp(app);
    const member = await join(owner, 'viewer');
    const several = (who: SignedIn, emails: string[], role: Role = 'editor') =>
      call(who, 'POST', '/api/team/invitations/several', { emails, role });
    const answer = await several(owner, [
      ' Ann@Acme.co.uk ',
      'nonsense',
      member.email,
      'bob@acme.co.uk',
      'ann@acme.co.uk',
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { sent, results } = answer.json();
    expect(sent).toBe(2);
    expect(results).toMatchObject([
      { email: 'ann@acme.co.uk', invitation: { role: 'editor', mailed: false }, problem: null },
      { email: 'nonsense', invitation: null, problem: 'This is no email address.' },
      { email: member.email, invitation: null, problem: 'This person is a member already.' },
      { email: 'bob@acme.co.uk', invitation: { role: 'editor' }, problem: null },
    ]);
    const open = (await call(owner, 'GET', '/api/team/invitations')).json();
    expect(open.map(({ email }: { email: string }) => email).sort()).toEqual([
      'ann@acme.co.uk',
      'bob@acme.co.uk',
    ]);
    const guest = await signUp(app, { email: 'bob@acme.co.uk' });
    const joined = await call(
      guest,
      'POST',
      `/api/invitations/${tokenOf(results[3].invitation.link)}/accept`,
    );
    expect(joined.json()).toMatchObject({ id: owner.workspaceId, role: 'editor' });
    // What may not be given is refused as a whole.
    const admin = await join(owner, 'admin');
    expect(errorOf(await several(admin, ['eve@acme.co.uk'], 'owner'))).toMatchObject({ status: 403 });
    expect((await several(member, ['eve@acme.co.uk'])).statusCode).toBe(403);
    expect((await several(owner, [])).statusCode).toBe(400);
    expect(
      (
        await several(
          owner,
          Array.from({ length: 51 }, (_, n) => `p${n}@acme.co.uk`),
        )
      ).statusCode,
    ).toBe(400);
  });

  it('goes to no more than sixty in an hour, and says whom that left out', async () => {
    const owner = await signUp(app);
    const batch = (from: number) =>
      call(owner, 'POST', '/api/team/invitations/several', {
        emails: Array.from({ length: 40 }, (_, n) => `person${from + n}@acme.co.uk`),
        role: 'viewer',
      });
    expect((await batch(0)).json().sent).toBe(40);
    const second = (await batch(40)).json();
    expect(second.sent).toBe(20);
    expect(second.results[20]).toMatchObject({
      invitation: null,
      problem: expect.stringMatching(/too many/i),
    });
  });

  it('proves nothing about the address, because who invites can see the link', async () => {
    const owner = await signUp(app);
    const sent = (await inviteAs(owner, 'boss@harrowgatefoods.co.uk')).json();
    const far = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      remoteAddress: '203.0.113.7',
      payload: { email: 'boss@harrowgatefoods.co.uk', name: 'Impostor', password: testPassword },
    });
    const cookie = String(far.headers['set-cookie']).split(';')[0] ?? '';
    await call({ cookie }, 'POST', `/api/invitations/${tokenOf(sent.link)}/accept`);
    expect((await currentUser(app, cookie)).json()).toMatchObject({ isAdmin: false, role: 'editor' });
  });

  it('stops working when it is sent again, taken back, declined or too old', async () => {
    const owner = await signUp(app);
    const first = (await inviteAs(owner, 'many@gmail.com')).json();
    const again = (await call(owner, 'POST', `/api/team/invitations/${first.id}/resend`)).json();
    expect(again.id).toBe(first.id);
    const look = async (link: string) =>
      (await call(null, 'GET', `/api/invitations/${tokenOf(link)}`)).statusCode;
    expect([await look(first.link), await look(again.link)]).toEqual([404, 200]);
    await call(owner, 'DELETE', `/api/team/invitations/${first.id}`);
    expect(await look(again.link)).toBe(404);

    const declined = (await inviteAs(owner, 'no.thanks@gmail.com')).json();
    await call(null, 'POST', `/api/invitations/${tokenOf(declined.link)}/decline`);
    expect(await look(declined.link)).toBe(404);

    const late = await signUp(app);
    const old = (await inviteAs(owner, late.email)).json();
    await sql`update invitations set expires_at = now() where id = ${old.id}`.execute(database.system);
    const answer = await call(late, 'POST', `/api/invitations/${tokenOf(old.link)}/accept`);
    expect(errorOf(answer)).toMatchObject({ status: 410, code: 'gone' });
    expect((await call(owner, 'GET', '/api/team/invitations')).json()).toMatchObject([{ expired: true }]);
  });

  it('is refused for members, for owners by admins, and by the hundred', async () => {
    const owner = await signUp(app);
    const admin = await join(owner, 'admin');
    expect(errorOf(await inviteAs(owner, admin.email))).toMatchObject({
      status: 409,
      fields: { email: expect.any(String) },
    });
    expect((await inviteAs(admin, 'o@gmail.com', 'owner')).statusCode).toBe(403);
    const flood = await Promise.all(
      Array.from({ length: 62 }, (_, index) => inviteAs(owner, `flood-${index}@gmail.com`)),
    );
    const tooMany = flood.filter(({ statusCode }) => statusCode === 429);
    expect(tooMany.length).toBeGreaterThan(0);
    expect(Number(tooMany[0]?.headers['retry-after'])).toBeGreaterThan(60);
  });

  describe('of an admin', () => {
    const lookAt = (link: string) => call(null, 'GET', `/api/invitations/${tokenOf(link)}`);
    const openFor = async (owner: SignedIn): Promise<string[]> =>
      (await call(owner, 'GET', '/api/team/invitations')).json().map(({ email }: { email: string }) => email);

    it.each<[string, (owner: SignedIn, admin: SignedIn, url: string) => Promise<unknown>]>([
      ['is removed', (owner, _, url) => call(owner, 'DELETE', url)],
      ['leaves', (_, admin) => call(admin, 'POST', '/api/team/leave')],
      ['removes themselves', (_, admin, url) => call(admin, 'DELETE', url)],
      ['becomes an editor', (owner, _, url) => call(owner, 'PATCH', url, { role: 'editor' })],
    ])('who %s ends, and is in the audit log', async (_, act) => {
      const owner = await signUp(app);
      const [admin, guest] = [await join(owner, 'admin'), await signUp(app)];
      const own = (await inviteAs(admin, guest.email, 'admin')).json();
      await inviteAs(owner, 'kept@gmail.com');
      await act(owner, admin, `/api/team/members/${await memberId(admin, owner.workspaceId)}`);
      const refused = await call(guest, 'POST', `/api/invitations/${tokenOf(own.link)}/accept`);
      expect(errorOf(refused)).toMatchObject({
        status: 404,
        message: expect.stringContaining('whoever sent it may not invite any more'),
      });
      expect((await lookAt(own.link)).statusCode).toBe(404);
      expect(await openFor(owner)).toEqual(['kept@gmail.com']);
      const { rows } = await database.asTenant(owner.workspaceId, (tx) =>
        sql`select subject, details from audit_log where action = 'invitation.revoked'`.execute(tx),
      );
      expect(rows).toEqual([
        {
          subject: `invitation:${own.id}`,
          details: { email: guest.email, role: 'admin', inviter: admin.email },
        },
      ]);
    });

    it('lets in with no more than an owner may give who is an admin now, and goes on otherwise', async () => {
      const owner = await signUp(app);
      const heir = await join(owner, 'admin');
      const toOwner = (await inviteAs(owner, 'an.owner@gmail.com', 'owner')).json();
      const toAdmin = (await inviteAs(owner, 'an.admin@gmail.com', 'admin')).json();
      const memberOf = await memberId(heir, owner.workspaceId);
      await call(owner, 'POST', '/api/team/transfer', { memberId: memberOf, password: testPassword });
      expect((await lookAt(toOwner.link)).statusCode).toBe(404);
      expect((await lookAt(toAdmin.link)).statusCode).toBe(200);
      expect(await openFor(heir)).toEqual(['an.admin@gmail.com']);
    });

    it('rests while they are suspended, and is not open of somebody who left before', async () => {
      const owner = await signUp(app);
      const [admin, guest] = [await join(owner, 'admin'), await signUp(app)];
      const sent = (await inviteAs(admin, guest.email)).json();
      const suspendedAt = async (at: Date | null) =>
        sql`update users set suspended_at = ${at} where id = ${Number(admin.userId)}`.execute(
          database.system,
        );
      await suspendedAt(new Date());
      expect((await lookAt(sent.link)).statusCode).toBe(404);
      expect(await openFor(owner)).toEqual([]);
      await suspendedAt(null);
      expect((await lookAt(sent.link)).statusCode).toBe(200);
      // As an earlier version left it: a member gone, and their invitation open.
      await sql`delete from members where id = ${await memberId(admin, owner.workspaceId)}`.execute(
        database.system,
      );
      const refused = await call(guest, 'POST', `/api/invitations/${tokenOf(sent.link)}/accept`);
      expect(refused.statusCode).toBe(404);
      expect(await openFor(owner)).toEqual([]);
      expect((await inviteAs(owner, guest.email)).statusCode).toBe(201);
    });

    it('lets in or ends, and never both, when they are removed at the same moment', async () => {
      const owner = await signUp(app);
      const [admin, guest] = [await join(owner, 'admin'), await signUp(app)];
      const sent = (await inviteAs(admin, guest.email, 'admin')).json();
      const url = `/api/team/members/${await memberId(admin, owner.workspaceId)}`;
      const [joined, removed] = await Promise.all([
        call(guest, 'POST', `/api/invitations/${tokenOf(sent.link)}/accept`),
        call(owner, 'DELETE', url),
      ]);
      expect(removed.statusCode).toBe(200);
      const members = (await call(owner, 'GET', '/api/team/members')).json();
      expect(members).toHaveLength(joined.statusCode === 200 ? 2 : 1);
      const actions = (await auditOf(owner.workspaceId)).map(({ action }) => action);
      expect(actions.includes('invitation.revoked')).toBe(joined.statusCode !== 200);
    });
  });

  it('is kept as a hash, so that the database opens nothing', async () => {
    const owner = await signUp(app);
    const sent = (await inviteAs(owner, 'hashed@gmail.com')).json();
    const { rows } = await sql<{ text: string }>`
      select row_to_json(i)::text as text from invitations i where id = ${sent.id}`.execute(database.system);
    expect(rows[0]?.text).not.toContain(tokenOf(sent.link));
  });
});

it('says of a link that was cut short that it is not whole', async () => {
  const answer = await call(null, 'GET', '/api/invitations/abc');
  expect(answer.statusCode).toBe(400);
  expect(answer.json().message).toBe(
    'This link is not whole. Open it from the mail again, or copy all of it.',
  );
});

describe('workspaces', () => {
  it('are made, named, listed and switched between', async () => {
    const told: number[] = [];
    const telling = await bench.start({}, { onWorkspaceCreated: (id) => void told.push(id) });
    const owner = await signUp(telling);
    const made = await call(owner, 'POST', '/api/workspaces', { name: ' Second shop ' });
    expect(made.json()).toMatchObject({ name: 'Second shop', role: 'owner', current: true, members: 1 });
    expect((await currentUser(app, owner.cookie)).json().workspace.name).toBe('Second shop');
    await call(owner, 'PATCH', '/api/workspaces/current', { name: 'Corner shop' });
    const list = (await call(owner, 'GET', '/api/workspaces')).json();
    expect(list).toMatchObject([
      { id: owner.workspaceId, current: false, owner: owner.email },
      { name: 'Corner shop', current: true, owner: owner.email },
    ]);
    await call(owner, 'POST', '/api/workspaces/current', { id: owner.workspaceId });
    expect((await currentUser(app, owner.cookie)).json().workspace.id).toBe(owner.workspaceId);
    expect(await auditOf(made.json().id)).toMatchObject([
      { action: 'workspace.created' },
      { action: 'workspace.renamed' },
    ]);
  });

  it.each([[''], ['a\nb'], ['x'.repeat(101)]])('are not called %j', async (name) => {
    const owner = await signUp(app);
    expect(errorOf(await call(owner, 'POST', '/api/workspaces', { name }))).toMatchObject({
      status: 400,
      fields: { name: expect.any(String) },
    });
  });
});
