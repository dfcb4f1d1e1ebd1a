import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { openSmtpSink, type SmtpSink } from '#test/support/smtp-sink.ts';
import { deliverDue } from './deliver-due.ts';
import { createMail } from './index.ts';
import { claimNext, type DueMail, markFailed, markSent } from './queries.ts';

const content = {
  title: 'Join us',
  paragraphs: ['Priya asks you to join.'],
  button: { label: 'Join', url: 'http://localhost:3000/invitation/abc' },
  reason: 'Somebody typed your address.',
};
const invitation = { to: 'sam@millbank.co.uk', kind: 'invitation' as const, subject: 'Join us', content };
const log = createLogger('silent');

describe('with a mail server', () => {
  let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  let sink: SmtpSink;

  beforeAll(async () => {
    [testDatabase, sink] = await Promise.all([createTestDatabase(), openSmtpSink()]);
    database = openDatabase({ url: testDatabase.appUrl });
  });
  beforeEach(async () => {
    await sql`delete from outbox`.execute(database.system);
    sink.messages.length = 0;
    sink.refuse = null;
    sink.refuseSender = null;
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
    await sink?.close();
  });

  const config = () => ({
    publicUrl: 'http://localhost:3000',
    smtpUrl: sink.url,
    mailFrom: 'post@example.org',
  });
  const mailer = () => createMail({ db: database, config: config(), log });
  const deliver = () => deliverDue(database.system, config(), log, new AbortController().signal);
  const rows = async () =>
    (await sql<Record<string, unknown>>`select * from outbox order by id`.execute(database.system)).rows;

  it('hands the mail over in text and HTML, and forgets what it said', async () => {
    await mailer().send(database.system, { ...invitation, workspaceId: null });
    expect(await deliver()).toBe(1);
    const [message = ''] = sink.messages;
    expect(message).toMatch(/^From: Email Manager <post@example\.org>/m);
    expect(message).toMatch(/^To: sam@millbank\.co\.uk/m);
    expect(message).toContain('text/plain');
    expect(message).toContain('text/html');
    expect(message).toMatch(/^Message-ID: <outbox\.\d+\.[a-z0-9]+@example\.org>\r$/m);
    expect(await rows()).toMatchObject([{ status: 'sent', body_text: null, body_html: null, link: null }]);
    expect(await deliver()).toBe(0);
  });

  it('sends each mail once however many processes deliver', async () => {
    for (let count = 0; count < 6; count += 1)
      await mailer().send(database.system, { ...invitation, workspaceId: null });
    const sent = await Promise.all([deliver(), deliver(), deliver()]);
    expect(sent.reduce((sum, one) => sum + one, 0)).toBe(6);
    expect(sink.messages).toHaveLength(6);
  });

  it('leaves once when the database is away just after the server has taken it', async () => {
    await mailer().send(database.system, { ...invitation, workspaceId: null });
    let fails = 1;
    const breaking = database.system.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes("status = 'sent'") && fails-- > 0)
          throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    expect(await deliverDue(breaking, config(), log, new AbortController().signal)).toBe(1);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, error: null }]);
    await sql`update outbox set next_try_at = now() where status = 'waiting'`.execute(database.system);
    expect(await deliver()).toBe(0);
    expect(sink.messages).toHaveLength(1);
  });

  it('waits when the server says later, and gives up when it says never', async () => {
    sink.refuse = '451 busy, come back';
    await mailer().send(database.system, { ...invitation, workspaceId: null });
    await deliver();
    const [waiting] = await rows();
    expect(waiting).toMatchObject({ status: 'waiting', attempts: 1, error: expect.stringContaining('451') });
    expect((waiting as { next_try_at: Date }).next_try_at.getTime()).toBeGreaterThan(Date.now() + 50_000);

    await sql`update outbox set next_try_at = now()`.execute(database.system);
    sink.refuse = '550 no such person';
    await deliver();
    expect(await rows()).toMatchObject([
      { status: 'failed', attempts: 2, error: expect.stringContaining('550') },
    ]);
    expect(sink.messages).toEqual([]);
  });

  it('waits while the server takes no mail of ours, and leaves once that is mended', async () => {
    sink.refuseSender = '550 5.7.1 you may not send as this';
    for (let count = 0; count < 2; count += 1)
      await mailer().send(database.system, { ...invitation, workspaceId: null });
    expect(await deliver()).toBe(0);
    // The second is not tried: it would meet the same.
    expect(await rows()).toMatchObject([
      { status: 'waiting', attempts: 1, error: expect.stringContaining('5.7.1') },
      { status: 'waiting', attempts: 0, error: null },
    ]);
    sink.refuseSender = null;
    await sql`update outbox set next_try_at = now()`.execute(database.system);
    expect(await deliver()).toBe(2);
  });

  it('stays as a later attempt left it when an earlier one ends at last', async () => {
    await mailer().send(database.system, { ...invitation, workspaceId: null });
    const first = (await claimNext(database.system)) as DueMail;
    await sql`update outbox set next_try_at = now()`.execute(database.system);
    const second = (await claimNext(database.system)) as DueMail;
    await markFailed(database.system, first, 'too slow', null);
    expect(await rows()).toMatchObject([{ status: 'waiting', attempts: 2, error: null }]);
    await markSent(database.system, second);
    await markFailed(database.system, second, 'too slow', 1);
    expect(await rows()).toMatchObject([{ status: 'sent', error: null }]);
  });

  it('keeps its Message-ID when it is tried again', async () => {
    await mailer().send(database.system, { ...invitation, workspaceId: null });
    await deliver();
    await sql`update outbox set status = 'waiting', body_text = 'a', body_html = 'b', next_try_at = now()`.execute(
      database.system,
    );
    await deliver();
    const [first, second] = sink.messages.map((message) => /^Message-ID: .+$/m.exec(message)?.[0]);
    expect(first).toContain('<outbox.');
    expect(second).toBe(first);
  });

  it('is given up at once when no mail server can be given its address', async () => {
    await mailer().send(database.system, { ...invitation, to: 'sam@mill bank', workspaceId: null });
    await deliver();
    expect(await rows()).toMatchObject([
      { status: 'failed', attempts: 1, error: 'No mail server can be given the address sam@mill bank.' },
    ]);
  });

  it('exists only when the transaction it belongs to is committed', async () => {
    await database.system
      .transaction()
      .execute(async (tx) => {
        await mailer().send(tx, { ...invitation, workspaceId: null });
        throw new Error('no');
      })
      .catch(() => {});
    expect(await rows()).toEqual([]);
  });
});

describe('a mail that failed to leave', () => {
  const boss = 'boss@harrowgatefoods.co.uk';
  let test: TestApp;
  let sink: SmtpSink;

  beforeAll(async () => {
    sink = await openSmtpSink();
    test = await openTestApp({ SMTP_URL: sink.url, MAIL_FROM: 'post@example.org', ADMIN_EMAIL: boss });
  });
  beforeEach(async () => {
    await sql`delete from outbox`.execute(test.database.system);
    sink.messages.length = 0;
    sink.refuse = null;
  });
  afterAll(async () => {
    await test?.close();
    await sink?.close();
  });

  const deliver = () =>
    deliverDue(
      test.database.system,
      { publicUrl: 'http://localhost:3000', smtpUrl: sink.url, mailFrom: 'post@example.org' },
      log,
      new AbortController().signal,
    );
  const call = (who: SignedIn, method: 'GET' | 'POST', url: string) =>
    test.app.inject({ method, url, headers: { cookie: who.cookie } });
  const outbox = async (who: SignedIn) => (await call(who, 'GET', '/api/outbox')).json().items;
  const again = (who: SignedIn, id: number) => call(who, 'POST', `/api/outbox/${id}/send`);
  const auditOf = async (workspaceId: number): Promise<string[]> =>
    test.database.asTenant(workspaceId, async (tx) => {
      const { rows } = await sql<{ action: string }>`
        select action from audit_log where workspace_id = ${workspaceId} and action like 'mail.%'`.execute(
        tx,
      );
      return rows.map(({ action }) => action);
    });

  /** An invitation that the mail server has refused for good. */
  async function failedMail(owner: SignedIn): Promise<number> {
    await test.app.inject({
      method: 'POST',
      url: '/api/team/invitations',
      headers: { cookie: owner.cookie },
      payload: { email: 'sam@millbank.co.uk', role: 'viewer' },
    });
    sink.refuse = '550 no such person';
    await deliver();
    sink.refuse = null;
    const [mail] = await outbox(owner);
    expect(mail).toMatchObject({ status: 'failed', error: expect.stringContaining('550 no such person') });
    return mail.id;
  }

  it('is sent again when somebody asks, and leaves once', async () => {
    const owner = await signUp(test.app);
    const id = await failedMail(owner);
    expect((await again(owner, id)).json()).toMatchObject({
      id,
      status: 'waiting',
      to: 'sam@millbank.co.uk',
    });
    await Promise.all([deliver(), deliver()]);
    expect(sink.messages).toHaveLength(1);
    expect(await outbox(owner)).toMatchObject([{ id, status: 'sent', error: null, attempts: 2 }]);
    expect(await auditOf(owner.workspaceId)).toEqual(['mail.sent_again']);
    const refused = await again(owner, id);
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'This mail was sent already.']);
    await deliver();
    expect(sink.messages).toHaveLength(1);
  });

  it('is made due by one of those who ask at the same moment', async () => {
    const owner = await signUp(test.app);
    const id = await failedMail(owner);
    const answers = await Promise.all([1, 2, 3, 4].map(() => again(owner, id)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
    await deliver();
    expect(sink.messages).toHaveLength(1);
    expect(await auditOf(owner.workspaceId)).toHaveLength(1);
  });

  it('is left alone while it is being sent or waits for its next try', async () => {
    const owner = await signUp(test.app);
    const id = await failedMail(owner);
    await again(owner, id);
    const taken = await claimNext(test.database.system);
    expect(taken?.id).toBe(id);
    const refused = await again(owner, id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toContain('is being sent');
    expect(await deliver()).toBe(0);
  });

  it('fails anew with what the mail server says then', async () => {
    const owner = await signUp(test.app);
    const id = await failedMail(owner);
    await again(owner, id);
    sink.refuse = '554 blocked';
    await deliver();
    expect(await outbox(owner)).toMatchObject([
      { id, status: 'failed', attempts: 2, error: expect.stringContaining('554 blocked') },
    ]);
  });

  it('is sent again by admins of its workspace and by the administrator, and by nobody else', async () => {
    const owner = await signUp(test.app);
    const id = await failedMail(owner);
    for (const role of ['viewer', 'editor', 'sender'] as const) {
      const member = await signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role });
      expect((await again(member, id)).statusCode).toBe(403);
    }
    const stranger = await signUp(test.app);
    expect((await again(stranger, id)).statusCode).toBe(404);
    expect((await call(stranger, 'POST', `/api/admin/outbox/${id}/send`)).statusCode).toBe(403);
    expect((await call(owner, 'POST', `/api/admin/outbox/${id}/send`)).statusCode).toBe(403);

    const asAdmin = await signUpMember(test.app, test.database, {
      workspaceId: owner.workspaceId,
      role: 'admin',
    });
    await sql`update invitations set role = 'owner' where workspace_id = ${owner.workspaceId}`.execute(
      test.database.system,
    );
    expect((await again(asAdmin, id)).json()).toMatchObject({
      id,
      status: 'waiting',
      text: null,
      link: null,
    });
    await sql`update outbox set status = 'failed' where id = ${id}`.execute(test.database.system);

    const administrator = await signUp(test.app, { email: boss });
    await sql`update users set email_verified = true where email = ${boss}`.execute(test.database.system);
    const answer = await call(administrator, 'POST', `/api/admin/outbox/${id}/send`);
    expect(answer.json()).toMatchObject({ id, status: 'waiting', text: null, link: null });
    const all = await call(administrator, 'GET', '/api/admin/outbox');
    expect(all.json().items.find((one: { id: number }) => one.id === id)).toMatchObject({ link: null });
    const { items } = (await call(administrator, 'GET', '/api/admin/actions')).json();
    expect(items[0]).toMatchObject({
      action: 'mail.sent_again',
      subject: `mail:${id}`,
      details: { email: 'sam@millbank.co.uk' },
    });
    expect(await auditOf(owner.workspaceId)).toEqual(['mail.sent_again', 'mail.sent_again']);
    expect((await call(administrator, 'POST', '/api/admin/outbox/999999/send')).statusCode).toBe(404);
  });
});

describe('the outbox', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await openTestApp({ ADMIN_EMAIL: 'boss@harrowgatefoods.co.uk' });
  });
  afterAll(() => test?.close());

  const read = (cookie: string, url = '/api/outbox') => test.app.inject({ url, headers: { cookie } });
  const mailer = () =>
    createMail({
      db: test.database,
      config: { publicUrl: 'http://localhost:3000', smtpUrl: undefined, mailFrom: 'x@example.org' },
      log,
    });

  it("shows a workspace's own mail to its admins, and nothing of others or of accounts", async () => {
    const owner = await signUp(test.app);
    const stranger = await signUp(test.app);
    await mailer().send(test.database.system, { ...invitation, workspaceId: owner.workspaceId });
    await mailer().send(test.database.system, {
      ...invitation,
      workspaceId: null,
      kind: 'password_reset',
      to: owner.email,
    });
    const own = (await read(owner.cookie)).json();
    expect(own).toMatchObject({
      hasMailServer: false,
      next: null,
      items: [{ to: 'sam@millbank.co.uk', status: 'kept', link: content.button.url }],
    });
    expect(own.items[0].text).toContain('Priya asks you to join.');
    expect((await read(stranger.cookie)).json().items).toEqual([]);
  });

  it('keeps the link of an invitation to be an owner from admins, wherever they look', async () => {
    const owner = await signUp(test.app);
    const admin = await signUpMember(test.app, test.database, {
      workspaceId: owner.workspaceId,
      role: 'admin',
    });
    const ask = (who: SignedIn, url: string, payload: object = {}) =>
      test.app.inject({ method: 'POST', url, headers: { cookie: who.cookie }, payload });
    const invite = async (role: string) =>
      (await ask(owner, '/api/team/invitations', { email: `new-${role}@millbank.co.uk`, role })).json();
    const [toOwner, toAdmin] = [await invite('owner'), await invite('admin')];
    const seen = (await read(admin.cookie)).json();
    expect(seen.items).toMatchObject([
      { to: 'new-admin@millbank.co.uk', link: toAdmin.link, text: expect.stringContaining(toAdmin.link) },
      { to: 'new-owner@millbank.co.uk', link: null, text: null, html: null },
    ]);
    expect(JSON.stringify(seen)).not.toContain(toOwner.link);
    expect((await read(owner.cookie)).json().items).toMatchObject([
      { link: toAdmin.link },
      { link: toOwner.link, text: expect.stringContaining(toOwner.link) },
    ]);
    expect((await ask(admin, `/api/team/invitations/${toOwner.id}/resend`)).statusCode).toBe(403);
    for (const url of ['/api/team/invitations', '/api/audit', '/api/activities']) {
      const answer = await read(admin.cookie, url);
      expect([url, answer.statusCode]).toEqual([url, 200]);
      expect(answer.body).not.toContain(toOwner.link.split('/').at(-1));
    }
  });

  it.each(['viewer', 'editor', 'sender'] as const)('is closed to a %s', async (role) => {
    const owner = await signUp(test.app);
    const member = await signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role });
    expect((await read(member.cookie)).statusCode).toBe(403);
  });

  it('is whole for the administrator alone', async () => {
    const boss = await signUp(test.app, { email: 'boss@harrowgatefoods.co.uk' });
    const owner = await signUp(test.app);
    expect((await read(owner.cookie, '/api/admin/outbox')).statusCode).toBe(403);
    const all = (await read(boss.cookie, '/api/admin/outbox?limit=1')).json();
    expect(all.items).toHaveLength(1);
    const next = (await read(boss.cookie, `/api/admin/outbox?limit=1&before=${all.next}`)).json();
    expect(next.items[0].id).toBeLessThan(all.items[0].id);
  });
});
