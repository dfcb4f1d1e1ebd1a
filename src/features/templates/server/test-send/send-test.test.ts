import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { openSmtpSink, type SmtpSink } from '#test/support/smtp-sink.ts';
import { testsAnHour } from '../../contract/test-send.ts';
import { countUse } from '../queries.ts';

let test: TestApp;
let owner: SignedIn;
let editor: SignedIn;
let viewer: SignedIn;
let ours: string[];

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  owner = await signUp(test.app, { name: 'Priya Shah' });
  const { workspaceId } = owner;
  editor = await signUpMember(test.app, test.database, { workspaceId, role: 'editor', name: 'Tom Reed' });
  viewer = await signUpMember(test.app, test.database, { workspaceId, role: 'viewer', name: 'Ann Bell' });
  const { rows } = await sql<{ email: string }>`
    select u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} order by m.id`.execute(test.owner.system);
  ours = rows.map(({ email }) => email);
});
afterAll(() => test.close());

async function call(who: SignedIn, method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const written = async (fields: object = {}) =>
  (
    await call(owner, 'POST', '/api/templates', {
      name: 'Autumn news',
      category: 'newsletter',
      htmlContent: '<p>Dear {{ first_name | default: "friend" }}</p>',
      ...fields,
    })
  ).body;
const send = (who: SignedIn, { id }: { id: number }, body: object) =>
  call(who, 'POST', `/api/templates/${id}/test`, body);
const outbox = async () => {
  const { rows } = await sql<{ recipient: string; subject: string; body_html: string; body_text: string }>`
    select recipient, subject, body_html, body_text from outbox
    where workspace_id = ${owner.workspaceId} and kind = 'test' order by id`.execute(test.owner.system);
  return rows;
};

describe('a test', () => {
  it('goes to members through the outbox, filled and marked', async () => {
    const one = await written();
    const answer = await send(editor, one, {
      to: [ours[0]?.toUpperCase(), ours[1]],
      subject: 'For {{ first_name }}',
    });
    expect(answer).toMatchObject({ status: 200, body: { sent: 2, isKept: true } });
    const mails = await outbox();
    expect(mails.map(({ recipient }) => recipient)).toEqual(ours.slice(0, 2));
    expect(mails[0]).toMatchObject({ subject: '[Test] For Priya', body_text: 'Dear Priya' });
    expect(mails[0]?.body_html).toBe('<p>Dear Priya</p>');
    const { body } = await call(owner, 'GET', '/api/outbox');
    expect(body.items[0]).toMatchObject({
      ...{ kind: 'test', subject: '[Test] For Priya', text: 'Dear Priya', html: '<p>Dear Priya</p>' },
    });
    const { rows } = await test.database.asTenant(owner.workspaceId, (tx) =>
      sql<{ details: object }>`
        select details from audit_log where action = 'template.test_sent'`.execute(tx),
    );
    expect(rows[0]?.details).toEqual({ name: 'Autumn news', to: ours.slice(0, 2).join(', ') });
  });

  it('is filled as a contact, and named after the template', async () => {
    await call(owner, 'POST', '/api/emails', { email: 'sam@millbank.co.uk', firstName: 'Sam' });
    const { rows } = await test.database.asTenant(owner.workspaceId, (tx) =>
      sql<{ id: number }>`select id from contacts where local = 'sam'`.execute(tx),
    );
    const one = await written({ name: 'All {{ about }} tea' });
    const contactId = rows[0]?.id;
    expect((await send(owner, one, { to: [ours[0]], contactId })).status).toBe(200);
    const [mail] = await outbox();
    expect(mail?.subject).toBe('[Test] All { { about }} tea');
    expect(mail?.body_html).toMatch(/Dear (Sam|friend)/);
    expect(mail?.body_html).not.toContain('Priya');
    expect((await send(owner, one, { to: [ours[0]], contactId: 999_999 })).status).toBe(404);
  });

  it('goes to nobody else', async () => {
    const one = await written();
    const stranger = await send(owner, one, { to: [ours[0], 'stranger@example.com'] });
    expect(stranger.status).toBe(400);
    expect(stranger.body.fields.to).toContain('stranger@example.com is not a member');
    expect((await send(owner, one, { to: [] })).status).toBe(400);
    expect((await send(owner, one, { to: Array(11).fill(ours[0]) })).status).toBe(400);
    expect((await send(owner, one, { to: ['nonsense'] })).body.message).toBeTypeOf('string');
    expect((await send(viewer, one, { to: [ours[0]] })).status).toBe(403);
    expect((await send(owner, { id: 999_999 }, { to: [ours[0]] })).status).toBe(404);
    expect(await outbox()).toEqual([]);
  });

  it('is not sent of a template that cannot be filled', async () => {
    const { status, body } = await send(owner, await written({ htmlContent: '<p>\n{% if %}</p>' }), {
      to: [ours[0]],
    });
    expect(status).toBe(400);
    expect(body.message).toMatch(/cannot be filled yet\. Line 2: /);
    const subject = await send(owner, await written(), { to: [ours[0]], subject: '{{ first_name' });
    expect(subject.body.message).toMatch(/Subject: /);
  });

  it('is sent so often an hour', async () => {
    const one = await written();
    let last = 200;
    for (let n = 0; n <= testsAnHour && last !== 429; n++)
      last = (await send(owner, one, { to: [ours[0]] })).status;
    expect(last).toBe(429);
  }, 60_000);
});

describe('with a mail server', () => {
  let mailed: TestApp;
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await openSmtpSink();
    mailed = await openTestApp({ SMTP_URL: sink.url, MAIL_FROM: 'post@example.org' });
  });
  afterAll(async () => {
    await mailed.close();
    await sink.close();
  });

  it('a test goes to addresses that their owners have confirmed, and to no others', async () => {
    const boss = await signUp(mailed.app);
    const { workspaceId } = boss;
    const colleague = await signUpMember(mailed.app, mailed.database, { workspaceId, role: 'editor' });
    const inject = async (url: string, payload: object) => {
      const headers = { cookie: boss.cookie };
      const answer = await mailed.app.inject({ method: 'POST', url, headers, payload });
      return { status: answer.statusCode, body: answer.json() };
    };
    const { body } = await inject('/api/templates', {
      ...{ name: 'News', category: 'newsletter', htmlContent: '<p>Hello</p>' },
    });
    const test = (...to: string[]) => inject(`/api/templates/${body.id}/test`, { to });
    const refused = await test(boss.email);
    expect([refused.status, refused.body.fields.to]).toEqual([
      400,
      expect.stringMatching(/^Confirm your address first/),
    ]);
    await sql`update users set email_verified = true where email = ${boss.email}`.execute(
      mailed.owner.system,
    );
    expect(await test(boss.email)).toMatchObject({ status: 200, body: { isKept: false } });
    const other = await test(boss.email, colleague.email);
    expect([other.status, other.body.fields.to]).toEqual([
      400,
      `${colleague.email} has not been confirmed. A test goes to confirmed addresses only.`,
    ]);
    const { rows } = await sql<{ recipient: string }>`
      select recipient from outbox where workspace_id = ${workspaceId} and kind = 'test'`.execute(
      mailed.owner.system,
    );
    expect(rows).toEqual([{ recipient: boss.email }]);
  });
});

it('a use of a template is counted', async () => {
  const one = await written();
  expect(one.usageCount).toBe(0);
  await test.database.asTenant(owner.workspaceId, (tx) => countUse(tx, owner.workspaceId, one.id));
  expect((await call(viewer, 'GET', `/api/templates/${one.id}`)).body.usageCount).toBe(1);
});
