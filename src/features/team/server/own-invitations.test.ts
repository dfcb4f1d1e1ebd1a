import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { currentUser, errorOf, openPeopleBench, type PeopleBench } from '#test/support/people.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let bench: PeopleBench;
let database: Database;
let app: FastifyInstance;

beforeAll(async () => {
  bench = await openPeopleBench();
  ({ app, database } = bench);
});
afterAll(() => bench?.close());

type Method = 'GET' | 'POST' | 'DELETE';
const call = (who: { cookie: string } | null, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers: who ? { cookie: who.cookie } : {}, ...(payload ? { payload } : {}) });
const own = '/api/account/invitations';
const bell = async (who: SignedIn) => (await call(who, 'GET', own)).json();
const invite = async (who: SignedIn, email: string): Promise<number> =>
  (await call(who, 'POST', '/api/team/invitations', { email, role: 'editor' })).json().id;
const auditOf = async (workspaceId: number): Promise<string[]> =>
  database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where workspace_id = ${workspaceId} order by id`.execute(tx);
    return rows.map(({ action }) => action);
  });

/** Somebody whose address is confirmed. */
async function proven(): Promise<SignedIn> {
  const who = await signUp(app);
  await sql`update users set email_verified = true where id = ${Number(who.userId)}`.execute(database.system);
  return who;
}

describe('an invitation under the bell', () => {
  it('is new until it is seen, and again when it is sent again', async () => {
    const owner = await signUp(app, { name: 'Priya Shah' });
    const guest = await proven();
    expect(await bell(guest)).toEqual({ items: [], unread: 0, waitsForProof: false });
    const id = await invite(owner, guest.email);
    expect(await bell(guest)).toMatchObject({
      items: [{ id, role: 'editor', invitedBy: 'Priya Shah', workspace: "Priya's workspace", isNew: true }],
      unread: 1,
    });
    expect((await call(guest, 'POST', `${own}/seen`)).json()).toEqual({ unread: 0 });
    expect(await bell(guest)).toMatchObject({ items: [{ id, isNew: false }], unread: 0 });
    await call(owner, 'POST', `/api/team/invitations/${id}/resend`);
    expect(await bell(guest)).toMatchObject({ items: [{ id, isNew: true }], unread: 1 });
  });

  it('stands there without counting as new for who chose so', async () => {
    const owner = await signUp(app);
    const guest = await proven();
    await sql`insert into notification_choices (user_id, invitations) values (${Number(guest.userId)}, false)`.execute(
      database.system,
    );
    const id = await invite(owner, guest.email);
    expect(await bell(guest)).toMatchObject({ items: [{ id, isNew: false }], unread: 0 });
  });

  it('lets in with one press, where the guest is then at work', async () => {
    const owner = await signUp(app);
    const guest = await proven();
    const id = await invite(owner, guest.email);
    const joined = await call(guest, 'POST', `${own}/${id}/accept`);
    expect(joined.json()).toMatchObject({ id: owner.workspaceId, role: 'editor', current: true });
    expect((await currentUser(app, guest.cookie)).json()).toMatchObject({
      role: 'editor',
      workspace: { id: owner.workspaceId },
    });
    expect((await bell(guest)).items).toEqual([]);
    expect((await call(guest, 'POST', `${own}/${id}/accept`)).statusCode).toBe(404);
    expect(await auditOf(owner.workspaceId)).toEqual(['invitation.sent', 'member.joined']);
  });

  it('is declined, and nobody becomes a member', async () => {
    const owner = await signUp(app);
    const guest = await proven();
    const id = await invite(owner, guest.email);
    expect((await call(guest, 'POST', `${own}/${id}/decline`)).json()).toEqual({ declined: true });
    expect((await bell(guest)).items).toEqual([]);
    expect((await call(guest, 'POST', `${own}/${id}/accept`)).statusCode).toBe(404);
    expect((await call(owner, 'GET', '/api/team/members')).json()).toHaveLength(1);
    expect(await auditOf(owner.workspaceId)).toEqual(['invitation.sent', 'invitation.declined']);
  });

  it('goes away when it is taken back or runs out, and can then not be accepted', async () => {
    const owner = await signUp(app);
    const guest = await proven();
    const withdrawn = await invite(owner, guest.email);
    await call(owner, 'DELETE', `/api/team/invitations/${withdrawn}`);
    const other = await signUp(app);
    const late = await invite(other, guest.email);
    await sql`update invitations set expires_at = now() where id = ${late}`.execute(database.system);
    expect(await bell(guest)).toEqual({ items: [], unread: 0, waitsForProof: false });
    for (const id of [withdrawn, late]) {
      expect(errorOf(await call(guest, 'POST', `${own}/${id}/accept`))).toMatchObject({
        status: 404,
        message: expect.stringContaining('no such open invitation'),
      });
    }
  });

  it('goes away with the admin who made it, and can then not be accepted', async () => {
    const owner = await signUp(app);
    const admin = await signUpMember(app, database, { workspaceId: owner.workspaceId, role: 'admin' });
    const guest = await proven();
    const id = await invite(admin, guest.email);
    expect((await bell(guest)).items).toHaveLength(1);
    expect((await call(admin, 'POST', '/api/team/leave')).statusCode).toBe(200);
    expect(await bell(guest)).toEqual({ items: [], unread: 0, waitsForProof: false });
    expect((await call(guest, 'POST', `${own}/${id}/accept`)).statusCode).toBe(404);
  });

  it('is shown to nobody else, and answered by nobody else', async () => {
    const owner = await signUp(app);
    const guest = await proven();
    const stranger = await proven();
    const id = await invite(owner, guest.email);
    expect(await bell(stranger)).toEqual({ items: [], unread: 0, waitsForProof: false });
    await call(stranger, 'POST', `${own}/seen`);
    expect((await call(stranger, 'POST', `${own}/${id}/accept`)).statusCode).toBe(404);
    expect((await call(stranger, 'POST', `${own}/${id}/decline`)).statusCode).toBe(404);
    expect((await call(owner, 'POST', `${own}/${id}/decline`)).statusCode).toBe(404);
    expect(await bell(guest)).toMatchObject({ items: [{ id, isNew: true }], unread: 1 });
    for (const [method, url] of [
      ['GET', own],
      ['POST', `${own}/seen`],
      ['POST', `${own}/${id}/accept`],
      ['POST', `${own}/${id}/decline`],
    ] as const)
      expect((await call(null, method, url)).statusCode).toBe(401);
  });

  it('says to somebody whose address is not confirmed only that something waits', async () => {
    const owner = await signUp(app);
    const impostor = await signUp(app);
    const id = await invite(owner, impostor.email);
    expect(await bell(impostor)).toEqual({ items: [], unread: 0, waitsForProof: true });
    await call(impostor, 'POST', `${own}/seen`);
    expect((await call(impostor, 'POST', `${own}/${id}/accept`)).statusCode).toBe(404);
    expect((await call(impostor, 'POST', `${own}/${id}/decline`)).statusCode).toBe(404);
    expect((await currentUser(app, impostor.cookie)).json().workspace.id).toBe(impostor.workspaceId);

    await sql`update users set email_verified = true where id = ${Number(impostor.userId)}`.execute(
      database.system,
    );
    expect(await bell(impostor)).toMatchObject({
      items: [{ id, isNew: true }],
      unread: 1,
      waitsForProof: false,
    });
  });

  it('lets in once, however often it is pressed at the same moment', async () => {
    const owner = await signUp(app);
    const guest = await proven();
    const id = await invite(owner, guest.email);
    const answers = await Promise.all([1, 2, 3].map(() => call(guest, 'POST', `${own}/${id}/accept`)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await call(owner, 'GET', '/api/team/members')).json()).toHaveLength(2);
    expect(await auditOf(owner.workspaceId)).toEqual(['invitation.sent', 'member.joined']);
  });
});
