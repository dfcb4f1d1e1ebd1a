import { createServer } from 'node:net';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createReferences, returnAddress } from '#features/messages/server/index.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type Mailing, openTracked, secretKey, type Tracked } from '#test/support/tracked-sends.ts';

// Mail to the return paths of messages, over SMTP: what it says reaches the right contact.

const domain = 'bounces.acme.co.uk';
const metricsToken = 'token-for-the-metrics';
const addresses = { domain, references: createReferences([secretKey]) };

let tracked: Tracked;
let mailing: Mailing;
let post: (to: string, raw: string, from?: string) => Promise<{ code: number; words: string }>;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === 'object' && bound ? bound.port : 0;
}

beforeAll(async () => {
  const port = await freePort();
  tracked = await openTracked({
    ...{ BOUNCE_DOMAIN: domain, BOUNCE_PORT: String(port), METRICS_TOKEN: metricsToken },
  });
  await migrateJobs(tracked.test.ownerUrl);
  await tracked.test.startWork();
  mailing = await tracked.mailing({ html: '<p>News</p>' });
  const transport = createTransport({ host: '127.0.0.1', port, secure: false });
  post = async (to, raw, from = '') => {
    try {
      const { response } = await transport.sendMail({ envelope: { from, to: [to] }, raw });
      return { code: Number(response.slice(0, 3)), words: response };
    } catch (error) {
      const { responseCode = 0, response = String(error) } = error as {
        responseCode?: number;
        response?: string;
      };
      return { code: responseCode, words: response };
    }
  };
});
afterAll(() => tracked.test.close());

const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const headers = { cookie: tracked.owner.cookie };
  const answer = await tracked.test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json() };
};

/** A message, where it comes back to, and whoever got it. */
async function sent(of = mailing) {
  const send = await tracked.send(of);
  const email = `${send.local}@${send.domain}`;
  return { ...send, email, path: returnAddress(addresses, send) };
}
const reasonOf = async (email: string): Promise<string | null> =>
  (await call('GET', `/api/suppressions/emails?search=${email}`)).items[0]?.reason ?? null;
const timelineOf = async (contactId: number) =>
  (await call('GET', `/api/emails/${contactId}/timeline`)).items as { kind: string }[];

const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const report = (email: string, fields: string, returned = 'Subject: News') =>
  crlf(`From: Mail Delivery System <MAILER-DAEMON@mx.acme.co.uk>
To: sender@shop.co.uk
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="parts"

--parts
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.
--parts
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.co.uk

Final-Recipient: rfc822; ${email}
${fields}
--parts
Content-Type: text/rfc822-headers

${returned}
--parts--
`);

const failed = (status: string, said: string) =>
  `Action: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${said}\n`;

describe('a delivery report', () => {
  it('of an address that is not there suppresses it, in the words of the server, once', async () => {
    const { path, email, contactId, mailingId } = await sent(await tracked.mailing({ html: '<p>News</p>' }));
    const raw = report(
      email,
      failed('5.1.1', `550 5.1.1 <${email}>: Recipient address rejected:\n User unknown`),
    );
    expect(await post(path, raw)).toMatchObject({ code: 250 });
    expect(await post(path.toUpperCase(), raw)).toMatchObject({ code: 250 });
    await vi.waitFor(async () => expect(await reasonOf(email)).toBe('bounced'), 5_000);
    const events = (await timelineOf(contactId)).filter(({ kind }) => kind === 'bounced');
    expect(events).toMatchObject([
      { class: 'hard', reason: 'no_such_user', said: expect.stringContaining('User unknown') },
    ]);
    // A server had taken it. Told twice, it is still one that came back.
    const { rows } = await sql`
      select hard, returned from mailing_bounces where mailing_id = ${mailingId}`.execute(
      tracked.test.owner.system,
    );
    expect(rows).toEqual([{ hard: 1, returned: 1 }]);
  });

  it.each([
    ['a policy', failed('5.7.1', '550 5.7.1 Message rejected due to local policy')],
    ['a full mailbox', failed('5.2.2', '552 5.2.2 Mailbox full')],
    ['an expired message', failed('4.4.7', '451 4.4.7 delivery time expired')],
  ])('of %s suppresses nobody', async (_what, fields) => {
    const { path, email, contactId } = await sent();
    expect(await post(path, report(email, fields))).toMatchObject({ code: 250 });
    await vi.waitFor(async () =>
      expect(await timelineOf(contactId)).toContainEqual(
        expect.objectContaining({ kind: 'bounced', class: 'soft' }),
      ),
    );
    expect(await reasonOf(email)).toBeNull();
  });

  it('of delay or success is no bounce', async () => {
    const { path, email, contactId } = await sent();
    for (const action of ['delayed', 'delivered', 'relayed', 'expanded'])
      expect(await post(path, report(email, `Action: ${action}\nStatus: 4.0.0\n`))).toMatchObject({
        code: 250,
      });
    expect((await timelineOf(contactId)).filter(({ kind }) => kind === 'bounced')).toEqual([]);
  });

  it('of a server that writes none for programs is read from its words', async () => {
    const { path, email } = await sent();
    const raw = crlf(`From: MAILER-DAEMON@mail.acme.co.uk
Subject: failure notice

Hi. This is the qmail-send program at mail.acme.co.uk.
I'm afraid I wasn't able to deliver your message to the following addresses.

<${email}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.
`);
    expect(await post(path, raw)).toMatchObject({ code: 250 });
    await vi.waitFor(async () => expect(await reasonOf(email)).toBe('bounced'), 5_000);
  });
});

describe('a bounce that cannot be carried out', () => {
  it('keeps no other waiting', async () => {
    const [broken, whole] = [await sent(), await sent()];
    const { system } = tracked.test.owner;
    await sql`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'this address is broken'; end $$`.execute(system);
    await sql`
      create trigger refuse before insert on suppressions for each row
      when (new.local = ${sql.lit(broken.local)}) execute function refuse()`.execute(system);
    for (const { path, email } of [broken, whole])
      await post(path, report(email, failed('5.1.1', '550 5.1.1 User unknown')));
    await vi.waitFor(async () => expect(await reasonOf(whole.email)).toBe('bounced'), 5_000);
    expect(await reasonOf(broken.email)).toBeNull();
    await sql`drop function refuse cascade`.execute(system);
    await sql`insert into pgboss.job (name) values ('bounces.tell-suppressions')`.execute(system);
    await vi.waitFor(async () => expect(await reasonOf(broken.email)).toBe('bounced'), 15_000);
  });
});

describe('five soft bounces in a row', () => {
  /** So many mailings to the address come back. */
  async function bounce(first: Awaited<ReturnType<typeof sent>>, many: number): Promise<void> {
    for (let turn = 0; turn < many; turn += 1) {
      const next = await tracked.mailing({ html: '<p>More</p>' });
      const send = { ...first, mailingId: next.id };
      tracked.sends.push(send);
      const fields = failed('5.2.2', '552 5.2.2 Mailbox full');
      expect(await post(returnAddress(addresses, send), report(first.email, fields))).toMatchObject({
        code: 250,
      });
    }
  }
  /** Waits until so many bounces of the address are told, and answers what suppresses it. */
  async function reasonAfter({ email, local }: Awaited<ReturnType<typeof sent>>, many: number) {
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from bounces where local = ${local} and not is_due`.execute(tracked.test.owner.system);
      expect(rows).toHaveLength(many);
    }, 20_000);
    return reasonOf(email);
  }

  it('suppress an address, and four do not', async () => {
    const first = await sent();
    await bounce(first, 4);
    expect(await reasonAfter(first, 4)).toBeNull();
    await bounce(first, 1);
    expect(await reasonAfter(first, 5)).toBe('bounced');
  });

  it('suppress nobody who was reached by a transactional message in between', async () => {
    const first = await sent();
    await bounce(first, 4);
    expect(await reasonAfter(first, 4)).toBeNull();
    const receipt = await tracked.mailing({ html: '<p>Your receipt</p>' });
    await sql`
      insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at, ended_at)
      values (${tracked.owner.workspaceId}, ${receipt.id}, 1, ${first.local}, ${first.domain}, 'sent', now(), now())`.execute(
      tracked.test.owner.system,
    );
    await bounce(first, 1);
    expect(await reasonAfter(first, 5)).toBeNull();
    await bounce(first, 4);
    expect(await reasonAfter(first, 9)).toBe('bounced');
  });
});

const complaint = (returned: string) =>
  crlf(`From: fbl@provider.net
Subject: FW: News
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="parts"

--parts
Content-Type: text/plain

This is an abuse report.
--parts
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Provider-FBL/1.0
Version: 1

--parts
Content-Type: message/rfc822

${returned}
--parts--
`);

describe('a complaint', () => {
  it('suppresses its reader where they are mailed by now, when their address was corrected', async () => {
    const send = await tracked.send(mailing, 'moved@gmial.com');
    const { path, contactId } = { ...send, path: returnAddress(addresses, send) };
    await call('POST', '/api/verifications');
    const accepted = await call('POST', '/api/review/corrections/accept', { ids: [contactId] });
    expect(accepted).toMatchObject({ corrected: 1 });
    expect(await post(path, complaint(`Return-Path: <${path}>\nSubject: News\n\nNews`))).toMatchObject({
      code: 250,
    });
    await vi.waitFor(async () => expect(await reasonOf('moved@gmail.com')).toBe('complained'), 5_000);
    expect(await reasonOf('moved@gmial.com')).toBe('complained');
  });

  it('suppresses its reader where they are mailed by now, when they confirmed another contact', async () => {
    const [send, other] = [await tracked.send(mailing), await tracked.send(mailing)];
    await sql`
      insert into address_requests (workspace_id, mailing_id, send_id, contact_id, old_local, old_domain, local, domain,
        done_at, to_contact_id)
      values (${send.workspaceId}, ${send.mailingId}, ${send.sendId}, ${send.contactId}, ${send.local}, ${send.domain},
        ${other.local}, ${other.domain}, now(), ${other.contactId})`.execute(tracked.test.owner.system);
    const path = returnAddress(addresses, send);
    await post(path, complaint(`Return-Path: <${path}>\nSubject: News\n\nNews`));
    const reasons = () => Promise.all([send, other].map((one) => reasonOf(`${one.local}@${one.domain}`)));
    await vi.waitFor(async () => expect(await reasons()).toEqual(['complained', 'complained']), 20_000);
  });

  it('and a bounce are remembered of somebody who is on the list already', async () => {
    const { path, email } = await sent();
    await call('POST', '/api/suppressions/email/manual', { email, reason: 'unsubscribed' });
    await post(path, report(email, failed('5.1.1', '550 5.1.1 User unknown')));
    const entry = async () => (await call('GET', `/api/suppressions/emails?search=${email}`)).items[0];
    await vi.waitFor(async () => expect((await entry()).note).toContain('Bounced since'), 5_000);
    expect((await entry()).reason).toBe('unsubscribed');
    await post(path, complaint(`Return-Path: <${path}>\nSubject: News\n\nNews`));
    await vi.waitFor(async () => expect((await entry()).reason).toBe('complained'), 5_000);
    expect(await miscounted(tracked.test, tracked.owner.workspaceId)).toEqual([]);
  });

  it('suppresses whoever complained, also when it comes to abuse and quotes our message', async () => {
    const { path, email, contactId } = await sent();
    const raw = complaint(`Return-Path: <${path}>\nSubject: News\n\nNews`);
    expect(await post(`abuse@${domain}`, raw, 'fbl@provider.net')).toMatchObject({ code: 250 });
    await vi.waitFor(async () => expect(await reasonOf(email)).toBe('complained'), 5_000);
    expect(await timelineOf(contactId)).toContainEqual(
      expect.objectContaining({ kind: 'complained', said: 'abuse, reported by Provider-FBL/1.0' }),
    );
  });
});

describe('the listener', () => {
  it('takes mail to nobody but those whom it has signed', async () => {
    const { path } = await sent();
    const bent = path.replace(/^bounce\+(.)/, (_, letter) => `bounce+${letter === 'a' ? 'b' : 'a'}`);
    const raw = report('x@acme.co.uk', failed('5.1.1', '550 5.1.1 User unknown'));
    for (const to of [bent, `bounce@${domain}`, `anybody@${domain}`, path.replace(domain, 'acme.co.uk')])
      expect(await post(to, raw)).toMatchObject({ code: 550 });
    // It is about no message of ours, or of one whose name somebody has bent.
    expect(await post(`postmaster@${domain}`, complaint(`Return-Path: <${bent}>`))).toMatchObject({
      code: 550,
    });
  });

  it('refuses what is larger than any bounce, and does not hold it in memory', async () => {
    const { path, email } = await sent();
    const before = process.memoryUsage().arrayBuffers;
    const raw = report(
      email,
      failed('5.1.1', '550 5.1.1 User unknown'),
      `${'x'.repeat(998)}\n`.repeat(15_000),
    );
    expect(await post(path, raw)).toMatchObject({ code: 552 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
    expect(await reasonOf(email)).toBeNull();
  });

  it.each([
    [
      'an answer of a machine',
      'Subject: Out of office: News\nAuto-Submitted: auto-replied\n\n550 is my new number.',
    ],
    ['a challenge', 'Subject: Please confirm your message\n\nPress here to prove that you are human.'],
  ])('makes nothing of %s', async (_what, mail) => {
    const { path, email, contactId } = await sent();
    expect(await post(path, crlf(`From: ${email}\n${mail}\n`), email)).toMatchObject({ code: 250 });
    expect(await timelineOf(contactId)).not.toContainEqual(expect.objectContaining({ kind: 'bounced' }));
    expect((await call('GET', '/api/bounces/mails')).items).not.toContainEqual(
      expect.objectContaining({ contactId }),
    );
  });

  it('sends nothing in return, so a bounce of a bounce goes round in no loop', async () => {
    const outgoing = async () => {
      const { rows } = await sql<{ mails: number }>`
        select (select count(*) from outbox)::int + (select count(*) from outbox_messages)::int as mails`.execute(
        tracked.test.owner.system,
      );
      return rows[0]?.mails;
    };
    const before = await outgoing();
    const { path, contactId } = await sent();
    // The report of another listener about a report that it says we sent.
    const returned = `Return-Path: <>\nFrom: MAILER-DAEMON@${domain}\nTo: MAILER-DAEMON@mx.acme.co.uk\nSubject: Undelivered Mail Returned to Sender`;
    const raw = report(path, failed('5.1.1', '550 5.1.1 User unknown'), returned);
    for (let turn = 0; turn < 3; turn += 1) expect(await post(path, raw, '')).toMatchObject({ code: 250 });
    for (const to of [`postmaster@${domain}`, `MAILER-DAEMON@${domain}`]) await post(to, raw, '');
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from bounces where is_due`.execute(tracked.test.owner.system);
        expect(rows).toHaveLength(0);
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(await outgoing()).toBe(before);
    const bounced = (await timelineOf(contactId)).filter(({ kind }) => kind === 'bounced');
    expect(bounced.length).toBeLessThanOrEqual(1);
  });

  it('keeps what it does not understand, once, until somebody says what it means', async () => {
    const { path, email, contactId } = await sent();
    const raw = crlf(`From: ${email}\nSubject: Your message\n\nShe does not work here any more.\n`);
    for (let turn = 0; turn < 2; turn += 1) expect(await post(path, raw, email)).toMatchObject({ code: 250 });
    const { items } = await call('GET', '/api/bounces/mails');
    const own = items.filter((mail: { contactId: number }) => mail.contactId === contactId);
    expect(own).toMatchObject([{ subject: 'Your message', to: email, mailing: 'Spring news', readAs: null }]);
    const one = await call('GET', `/api/bounces/mails/${own[0].id}`);
    expect(one.source).toContain('She does not work here');
    const read = () => call('POST', `/api/bounces/mails/${own[0].id}/read`, { as: 'hard' });
    expect(await read()).toMatchObject({ status: 200, readAs: 'hard', readBy: tracked.owner.email });
    expect(await read()).toMatchObject({ status: 409 });
    await vi.waitFor(async () => expect(await reasonOf(email)).toBe('bounced'), 5_000);
    expect((await call('GET', '/api/bounces/mails?state=read')).items).toContainEqual(
      expect.objectContaining({ id: own[0].id }),
    );
  });

  it('takes mails that nobody understands without end, and keeps three of a message', async () => {
    const [{ path, contactId }, other] = [await sent(), await sent()];
    const notKept = async () => {
      const headers = { authorization: `Bearer ${metricsToken}` };
      const metrics = (await tracked.test.app.inject({ url: '/api/metrics', headers })).body;
      return Number(/bounce_mails_not_kept_total\{limit="message"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    const before = await notKept();
    const write = (to: string, words: string) =>
      post(to, crlf(`From: jo@acme.co.uk\nSubject: Hello\n\n${words}\n`));
    for (let turn = 0; turn < 6; turn += 1)
      expect(await write(path, `She has left, and I say so ${turn} times.`)).toMatchObject({ code: 250 });
    expect(await write(path, 'She has left, and I say so 0 times.')).toMatchObject({ code: 250 });
    expect(await write(other.path, 'She has left.')).toMatchObject({ code: 250 });
    const { items } = await call('GET', '/api/bounces/mails');
    const kept = (of: number) => items.filter((mail: { contactId: number }) => mail.contactId === of).length;
    expect([kept(contactId), kept(other.contactId)]).toEqual([3, 1]);
    expect((await notKept()) - before).toBe(3);
  });
});
