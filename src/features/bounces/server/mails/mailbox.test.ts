import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createReferences, returnAddress } from '#features/messages/server/index.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { createLogger } from '#platform/server/logging.ts';
import { type ImapServer, openImapServer } from '#test/support/imap-server.ts';
import { openTracked, secretKey, type Tracked } from '#test/support/tracked-sends.ts';
import { BounceBook } from '../bounces.ts';
import { readMailbox } from './mailbox.ts';
import { receiveMail } from './receive.ts';

// Bounces in an IMAP mailbox: each is moved once it is recorded, and not before.

const addresses = { domain: 'bounces.acme.co.uk', references: createReferences([secretKey]) };
const log = createLogger('silent');

let tracked: Tracked;
let server: ImapServer;
let book: BounceBook;

beforeAll(async () => {
  tracked = await openTracked();
  await migrateJobs(tracked.test.ownerUrl);
  const db = tracked.test.database;
  book = new BounceBook({ db, log, sends: () => tracked.played, mailings: () => undefined });
});
afterAll(() => tracked.test.close());
beforeEach(async () => {
  server = await openImapServer();
});
afterEach(() => server.close());

type Receive = Parameters<typeof readMailbox>[0]['receive'];
const countNotKept = vi.fn();
const record: Receive = (mail) =>
  receiveMail({ db: tracked.test.database, book, countNotKept }, { ...mail, source: 'mailbox' });
const read = ({ url = server.url, receive = record } = {}) =>
  readMailbox({ url, addresses, receive, log }, AbortSignal.timeout(20_000));
const counts = () => Object.fromEntries([...server.folders].map(([name, mails]) => [name, mails.size]));

async function sent() {
  const send = await tracked.send(await tracked.mailing({ html: '<p>News</p>' }));
  return { ...send, email: `${send.local}@${send.domain}`, path: returnAddress(addresses, send) };
}
const report = (to: string, said: string, quoted = '') =>
  `${to}From: Mail Delivery System <MAILER-DAEMON@mx.acme.co.uk>
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="parts"

--parts
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.co.uk

Final-Recipient: rfc822; jo@acme.co.uk
Action: failed
Diagnostic-Code: smtp; ${said}

--parts
Content-Type: text/rfc822-headers

${quoted}Subject: News
--parts--
`.replaceAll('\n', '\r\n');
const gone = '550 5.1.1 User unknown';
const timelineOf = async ({ contactId }: { contactId: number }) => {
  const url = `/api/emails/${contactId}/timeline`;
  const answer = await tracked.test.app.inject({ url, headers: { cookie: tracked.owner.cookie } });
  return (answer.json().items as { kind: string }[]).filter(({ kind }) => kind === 'bounced');
};

it('reads what came back, whichever header names the return path, and moves it', async () => {
  const [first, second, third] = [await sent(), await sent(), await sent()];
  server.put(report(`Delivered-To: ${first.path}\n`, gone));
  server.put(report(`To:\n <${second.path.toUpperCase()}>\n`, '552 5.2.2 Mailbox full'));
  server.put(report('To: all-bounces@acme.co.uk\n', gone, `Return-Path: <${third.path}>\n`));
  server.put('From: Ann <ann@shop.co.uk>\r\nTo: bounces@acme.co.uk\r\nSubject: Hello\r\n\r\nHello');
  expect(await read()).toBe(3);
  expect(await timelineOf(first)).toMatchObject([{ class: 'hard', reason: 'no_such_user' }]);
  expect(await timelineOf(second)).toMatchObject([{ class: 'soft', reason: 'full' }]);
  expect(await timelineOf(third)).toMatchObject([{ class: 'hard' }]);
  expect(counts()).toEqual({ INBOX: 0, 'Read bounces': 3, 'Other mail': 1 });
  server.put(report(`Delivered-To: ${first.path}\n`, gone));
  expect(await read()).toBe(1);
  expect(counts()).toEqual({ INBOX: 0, 'Read bounces': 4, 'Other mail': 1 });
  const url = `/api/suppressions/emails?search=${first.email}`;
  await vi.waitFor(async () => {
    const answer = await tracked.test.app.inject({ url, headers: { cookie: tracked.owner.cookie } });
    expect(answer.json().items[0]).toMatchObject({ reason: 'bounced' });
  }, 10_000);
});

it('leaves a mail where it is until it is recorded, and goes on with the others', async () => {
  const [bad, good] = [await sent(), await sent()];
  for (const { path } of [bad, good]) server.put(report(`Delivered-To: ${path}\n`, gone));
  const receive: Receive = (mail) =>
    mail.sends[0]?.sendId === bad.sendId ? Promise.reject(new Error('no room')) : record(mail);
  expect(await read({ receive })).toBe(1);
  expect(counts()).toMatchObject({ INBOX: 1, 'Read bounces': 1 });
  expect(await timelineOf(bad)).toEqual([]);
  expect(await read()).toBe(1);
  expect(await timelineOf(bad)).toHaveLength(1);
  expect(counts()).toMatchObject({ INBOX: 0, 'Read bounces': 2 });
});

it('stops when nothing can be recorded, and moves nothing', async () => {
  for (let mail = 0; mail < 5; mail += 1) server.put(report(`Delivered-To: ${(await sent()).path}\n`, gone));
  let tries = 0;
  const receive: Receive = () => {
    tries += 1;
    return Promise.reject(new Error('the database is gone'));
  };
  await expect(read({ receive })).rejects.toThrow('the database is gone');
  expect(tries).toBe(3);
  expect(counts()).toMatchObject({ INBOX: 5, 'Read bounces': 0 });
});

it('counts a bounce once that could not be moved', async () => {
  const send = await sent();
  server.put(report(`Delivered-To: ${send.path}\n`, gone));
  server.isStuck = true;
  await expect(read()).rejects.toThrow('refuses to move a mail to “Read bounces”');
  expect(counts()).toMatchObject({ INBOX: 1 });
  server.isStuck = false;
  await read();
  expect(counts()).toMatchObject({ INBOX: 0, 'Read bounces': 1 });
  expect(await timelineOf(send)).toHaveLength(1);
});

it('makes nothing of a return path that somebody has bent', async () => {
  const { path } = await sent();
  const bent = path.replace(/\+(.)/, (_, letter) => `+${letter === 'a' ? 'b' : 'a'}`);
  server.put(report(`Delivered-To: ${bent}\n`, gone));
  expect(await read()).toBe(0);
  expect(counts()).toMatchObject({ INBOX: 0, 'Other mail': 1 });
});

it('is not held up by what hostile mails have in their heads', async () => {
  const to = (length: number) => `To: ${'a'.repeat(length)}\r\n`;
  for (const head of [to(200_000), to(990).repeat(1_000)])
    server.put(`${head}From: mallory@acme.co.uk\r\nSubject: Hello\r\n\r\nHello`);
  server.put(report(`Delivered-To: ${(await sent()).path}\n`, gone));
  const before = process.threadCpuUsage();
  expect(await read()).toBe(1);
  const { user } = process.threadCpuUsage(before);
  expect(counts()).toEqual({ INBOX: 0, 'Read bounces': 1, 'Other mail': 2 });
  // Milliseconds of work. A search that tries each letter for a beginning takes half a minute.
  expect(user / 1_000_000).toBeLessThan(4);
});

it('moves mails that nobody understands, and keeps three of a message', async () => {
  const { path, mailingId, sendId, contactId, local, domain } = await sent();
  for (let turn = 0; turn < 5; turn += 1)
    server.put(`To: ${path}\r\nSubject: Hello\r\n\r\nShe has left, and says so ${turn} times.\r\n`);
  countNotKept.mockClear();
  expect(await read()).toBe(5);
  expect(counts()).toEqual({ INBOX: 0, 'Read bounces': 5, 'Other mail': 0 });
  const { rows } = await sql`
    select contact_id as "contactId", local, domain from bounce_mails where mailing_id = ${mailingId} and send_id = ${sendId}`.execute(
    tracked.test.owner.system,
  );
  // Whom it is about is known for as long as it is kept.
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ contactId, local, domain })));
  expect(countNotKept.mock.calls).toEqual([['message'], ['message']]);
});

it('fails in words where its password is wrong', async () => {
  await expect(read({ url: server.url.replace('pass', 'past') })).rejects.toThrow();
});
