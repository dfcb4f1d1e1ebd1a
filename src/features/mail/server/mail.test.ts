import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signUp, signUpMember } from '#test/support/sign-in.ts';
import { openSmtpSink, type SmtpSink } from '#test/support/smtp-sink.ts';
import { createMail } from './index.ts';
import { deliverDue } from './service.ts';

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
