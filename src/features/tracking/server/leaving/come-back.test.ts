import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { formOf, importCsv } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';

// Whoever takes their leaving back lifts what they have said themselves, and nothing else: the
// business may have its own reasons for the same address, before or since.

let tracked: Tracked;
let mailing: Mailing;
let send: Awaited<ReturnType<Tracked['send']>>;
let email: string;

beforeAll(async () => {
  tracked = await openTracked();
  tracked.test.tasks.startWork();
  mailing = await tracked.mailing({ html: '<p>Hello</p>' });
});
afterAll(() => tracked.test.close());
beforeEach(async () => {
  send = await tracked.send(mailing);
  email = `${send.local}@${send.domain}`;
});

const press = async (button: 'leave' | 'come-back', who = send): Promise<string> => {
  const answer = await tracked.test.app.inject({
    method: 'POST',
    url: mailing.linksOf(who.sendId).unsubscribe.replace(/^https?:\/\/[^/]+/, ''),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ do: button }).toString(),
  });
  return answer.body;
};
const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
  const answer = await tracked.test.app.inject({
    ...{ method, url, headers: { cookie: tracked.owner.cookie } },
    ...(payload ? { payload } : {}),
  });
  expect(answer.statusCode).toBeLessThan(300);
  return answer.json();
};
async function importList(text: string, fields: [string, string][] = []) {
  const { payload, headers } = formOf([...fields, ['file', text, 'do-not-contact.csv']]);
  const answer = await tracked.test.app.inject({
    ...{ method: 'POST', url: '/api/suppressions/import', payload },
    headers: { ...headers, cookie: tracked.owner.cookie },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const importContacts = async (csv: string, options = {}) => {
  const answer = await importCsv(tracked.test.app, tracked.owner.cookie, csv, { options });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const entry = async ({ workspaceId, local, domain } = send) => {
  const { rows } = await sql<{ id: number; reason: string; note: string | null }>`
    select id, reason, note from suppressions
    where workspace_id = ${workspaceId} and local = ${local} and domain = ${domain}`.execute(
    tracked.test.owner.system,
  );
  return rows[0];
};
const suppress = () => call('POST', '/api/suppressions/email', { emailId: send.contactId });
const lift = async () => {
  const { liftingId } = await call('DELETE', `/api/suppressions/email/${(await entry())?.id}`);
  return () => call('POST', `/api/suppressions/liftings/${liftingId}/undo`);
};

/** They have left, and the page offers no way back: the entry stays. */
async function expectToStay(who = send) {
  expect(await press('leave', who)).not.toContain('Keep getting emails');
  expect(await press('come-back', who)).not.toContain('You get emails again');
  expect(await entry(who)).toMatchObject({ reason: 'unsubscribed' });
  expect(await miscounted(tracked.test, who.workspaceId)).toEqual([]);
}

it.each<[string, () => Promise<unknown>]>([
  ['suppresses them by hand', suppress],
  ['puts their address on the list', () => call('POST', '/api/suppressions/email/manual', { email })],
  ['imports a list', () => importList(`${email}\n`)],
  [
    'imports a hashed list',
    () => importList(`${createHash('md5').update(email).digest('hex')}\n`, [['form', 'md5']]),
  ],
  ['imports a file that says it', () => importContacts(`email,unsubscribed\n${email},yes\n`)],
  ['suppresses a selection', () => call('POST', '/api/suppressions/emails', { ids: [send.contactId] })],
])('nobody takes a leaving back where the business %s meanwhile', async (_, putThere) => {
  expect(await press('leave')).toContain('Keep getting emails');
  const before = await entry();
  await putThere();
  expect(await entry()).toEqual(before);
  await expectToStay();
});

it('an entry by hand that was lifted by mistake holds again once that is undone', async () => {
  await suppress();
  const undo = await lift();
  await press('leave');
  expect(await undo()).toMatchObject({ restored: 0 });
  await expectToStay();
});

it('what others have said is kept by a lifting and its undo', async () => {
  await press('leave');
  await suppress();
  const undo = await lift();
  expect(await undo()).toMatchObject({ restored: 1 });
  await expectToStay();
});

it('a merge brings what others have said of the other address', async () => {
  const other = await tracked.send(mailing);
  await press('leave');
  await call('POST', '/api/suppressions/email', { emailId: other.contactId });
  await call('POST', '/api/review/duplicates/merge', {
    keepId: send.contactId,
    otherIds: [other.contactId],
  });
  await expectToStay();
});

it('a merge of two who have left brings nothing of others', async () => {
  const other = await tracked.send(mailing);
  await press('leave');
  await press('leave', other);
  await call('POST', '/api/review/duplicates/merge', {
    keepId: send.contactId,
    otherIds: [other.contactId],
  });
  expect(await press('come-back')).toContain('You get emails again');
  expect(await entry()).toBeUndefined();
});

it('an entry of a hashed list is not taken back by leaving besides', async () => {
  const known = { local: `known-${send.local}`, domain: send.domain };
  const address = `${known.local}@${known.domain}`;
  await importList(`${createHash('md5').update(address).digest('hex')}\n`, [['form', 'md5']]);
  const { id: contactId } = await call('POST', '/api/emails', { email: address, checkSuppressions: false });
  const sent = await tracked.send(mailing, undefined, { ...known, contactId });
  expect(await entry(sent)).toBeDefined();
  await expectToStay(sent);
});

it('who leaves twice takes it back at once', async () => {
  await press('leave');
  await press('leave');
  expect(await press('come-back')).toContain('You get emails again');
  expect(await entry()).toBeUndefined();
});
