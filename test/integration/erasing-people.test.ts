import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { createDirect } from '#features/sending/server/direct.ts';
import { beginPart, claimPart, lockParts, type PartRow } from '#features/sending/server/part-queries.ts';
import { handOver, selectDue } from '#features/sending/server/send-queries.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { FeatureParts, Person, PersonalData, ServerFeature } from '#platform/server/feature.ts';
import type { WorkKey } from '#platform/server/work/leases.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { features } from '#test/support/sample-calls.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// What every feature knows about a person can be told to them, and is gone once it is erased.

let test: TestApp;
let owner: SignedIn;
let personal: PersonalData[] = [];

const collector: ServerFeature = {
  name: 'test-collector',
  create: () => ({
    gather(all: readonly FeatureParts[]) {
      personal = all.flatMap((parts) => parts.personal ?? []);
    },
  }),
};

beforeAll(async () => {
  test = await openTestApp({}, { features: [...features, collector] });
  test.tasks.startWork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  owner = await signUp(test.app);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  if (answer.statusCode >= 400) throw new Error(`${method} ${url}: ${answer.body}`);
  return answer.json();
}

const jo = { local: 'jo.canary', domain: 'gmail.com' };
const person = () => ({ workspaceId: owner.workspaceId, ...jo });
const email = `${jo.local}@${jo.domain}`;

const exported = (whom: Person = person()) =>
  test.database.asTenant(owner.workspaceId, async (tx) => {
    const found: Record<string, unknown> = {};
    for (const { export: tell } of personal) Object.assign(found, await tell(tx, whom));
    return found;
  });
/** Each feature in a transaction of its own, the last first. */
async function erase(whom: Person = person()): Promise<void> {
  for (const { erase } of personal.toReversed())
    await test.database.asTenant(owner.workspaceId, (tx) => erase(tx, whom));
}

/** Who did what stays, as long as the settings say. Nothing of it is looked for by address. */
const records = ['activities', 'audit_log'];

/** The tables with rows that have this text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname !~ '^import_(staging|judged|sums|dead_domains)_' order by c.relname`.execute(
    test.owner.system,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: hits } = await sql`
      select 1 from ${sql.table(name)} t where t::text ilike ${`%${text}%`} limit 1`.execute(
      test.owner.system,
    );
    if (hits.length > 0 && !records.includes(name)) found.push(name);
  }
  return found;
}

const everything = {
  removeDuplicates: true,
  validateEmails: false,
  filterNonUk: false,
  checkSuppressions: false,
};

/** Somebody who has been through everything, under a name that nobody else has. */
async function livesThrough(): Promise<void> {
  await importCsv(
    test.app,
    owner.cookie,
    `email,first name,last name\n${jo.local}@gmial.com,Jo,Canary\nsam@gmail.com,Sam,Smith\n`,
    { options: everything },
  );
  await call('POST', '/api/verifications');
  // An address that was mistyped is corrected, and what was meant for it is merged.
  await call('POST', '/api/review/corrections/accept', { pattern: { from: 'gmial.com', to: 'gmail.com' } });
  const [contact] = (await call('GET', `/api/emails?search=${email}`)).emails;
  const twin = await call('POST', '/api/emails', { email: 'jocanary@googlemail.com', notes: 'Canary too' });
  await call('POST', '/api/suppressions/email', { emailId: twin.id });
  await call('POST', '/api/review/duplicates/merge', { keepId: contact.id, otherIds: [twin.id] });
  await call('POST', '/api/field-changes', { ids: [contact.id], set: { notes: 'Likes canaries' } });
  const list = await call('POST', '/api/lists', { name: 'News' });
  await call('POST', `/api/lists/${list.id}/contacts`, { ids: [contact.id] });
  // Taken off the list of suppressions once, and put there again.
  const { id } = await call('POST', '/api/suppressions/email', { emailId: contact.id });
  await call('DELETE', '/api/suppressions/emails', { ids: [id] });
  await call('POST', '/api/suppressions/email', { emailId: contact.id });
  const { workspaceId } = owner;
  const { system } = test.owner;
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, name, from_name, from_address, subject, html, text, tracks_opens, tracks_clicks)
    values (${workspaceId}, 'campaign', 'News', 'A', 'a@shop.co.uk', 'News', '', '', true, true) returning id`.execute(
    system,
  );
  const mailingId = rows[0]?.id;
  await sql`
    insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, reply)
    values (${workspaceId}, ${mailingId}, ${contact.id}, ${contact.id}, ${jo.local}, ${jo.domain}, 'sent',
      ${`250 ${email}`})`.execute(system);
  await sql`
    insert into outbox_messages (workspace_id, mailing_id, send_id, recipient, subject, source)
    values (${workspaceId}, ${mailingId}, ${contact.id}, ${email}, 'For Canary', '')`.execute(system);
  // What came back, and what was left, under the address that was mistyped.
  const whose = sql`${workspaceId}, ${mailingId}, ${contact.id}, ${jo.local}, 'gmial.com'`;
  await sql`
    insert into bounces (workspace_id, mailing_id, contact_id, local, domain, send_id, event, class, kind, fault, source,
      said, counts, is_due)
    values (${whose}, ${contact.id}, 'bounce', 'soft', 'full', 'address', 'reply', '452 Canary is full', true, false)`.execute(
    system,
  );
  await sql`
    insert into bounce_mails (workspace_id, mailing_id, contact_id, local, domain, send_id, sender, subject, text, source,
      digest)
    values (${whose}, ${contact.id}, '', 'Hello', 'Canary has left', 'To: Canary', '1')`.execute(system);
  await sql`
    insert into topic_leavings (workspace_id, mailing_id, contact_id, local, domain, list_id)
    values (${whose}, ${list.id})`.execute(system);
  await sql`
    insert into leave_wishes (workspace_id, mailing_id, contact_id, local, domain, send_id, done_at)
    values (${whose}, ${contact.id}, now())`.execute(system);
}

it('a person is told what is known of them, and nothing of it is left once it is erased', async () => {
  await livesThrough();
  expect(await tablesWith('canary')).toEqual(expect.arrayContaining(['contacts', 'suppressions', 'sends']));
  expect(Object.keys(await exported()).sort()).toEqual([
    'bounces',
    'contacts',
    'corrections',
    'emails',
    'fieldChanges',
    'keptMessages',
    'lists',
    'merges',
    'returnedMails',
    'suppressions',
    'topicsLeft',
    'verdicts',
  ]);
  await erase();
  // The other address of the merge is another person's, as far as anybody knows. It is in the bin.
  await erase({ workspaceId: owner.workspaceId, local: 'jocanary', domain: 'googlemail.com' });
  expect(await tablesWith('canary')).toEqual([]);
  expect(await exported()).toEqual({});
  const { workspaceId } = owner;
  expect(await test.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
  expect((await call('GET', '/api/emails?search=sam')).totalCount).toBe(1);
});

it('the entry of another address that took over does not name whoever is erased', async () => {
  await livesThrough();
  await erase({ workspaceId: owner.workspaceId, local: 'jocanary', domain: 'googlemail.com' });
  const named = await tablesWith('jocanary@googlemail.com');
  await erase();
  expect(named).toEqual([]);
});

it.each([
  ['that waits', (file: string) => importCsv(test.app, owner.cookie, file, { dryRun: true })],
  [
    'that was imported',
    async (file: string) => {
      const { id } = (await importCsv(test.app, owner.cookie, file, { dryRun: true })).json();
      return call('POST', `/api/imports/${id}/run`, {});
    },
  ],
  [
    'that could not be imported',
    async (file: string) => {
      const { id } = (await importCsv(test.app, owner.cookie, file, { dryRun: true })).json();
      const body = { reading: { columns: ['skip', 'skip', 'skip', 'skip'] } };
      await expect(call('POST', `/api/imports/${id}/run`, body)).rejects.toThrow('no_email_column');
    },
  ],
])('the check of a file %s tells nothing of them either', async (_, check) => {
  const first = `email,name,notes,Unsubscribed\n${email},Jo Canary,Likes canaries,${email}\n`;
  await check(`${first}sam@gmail.com,Sam,,\n`);
  await erase();
  expect(await tablesWith('canary')).toEqual([]);
});

it('the check of a file that waits keeps what it tells of others', async () => {
  const file = `email,name\n${email},Jo Canary\nsam@gmail.com,Sam\n`;
  const { id, check } = (await importCsv(test.app, owner.cookie, file, { dryRun: true })).json();
  await erase();
  const [, other] = check.sample;
  const columns = check.columns.map((column: object) => ({ ...column, firstValue: '' }));
  expect((await call('GET', `/api/imports/${id}`)).check).toEqual({ ...check, columns, sample: [other] });
});

it('whoever must not be mailed is known again by a keyed hash', async () => {
  const { id } = await call('POST', '/api/emails', { email });
  await call('POST', '/api/suppressions/email', { emailId: id });
  await erase();
  const { rows } = await sql<{ kind: string; length: number }>`
    select kind, length(hash) from suppression_hashes where workspace_id = ${owner.workspaceId}`.execute(
    test.owner.system,
  );
  expect(rows).toEqual([{ kind: 'hmac', length: 32 }]);
  expect(await call('GET', '/api/suppressions/summary')).toMatchObject({ hashes: { hmac: 1 } });
  await importCsv(test.app, owner.cookie, `email\n${email}\nsam@gmail.com\n`, {
    options: { removeDuplicates: true, validateEmails: true, filterNonUk: false, checkSuppressions: true },
  });
  expect(Object.keys(await exported())).toEqual(['rowsLeftOut']);
  await erase();
  expect(await tablesWith('canary')).toEqual([]);
  const shown = (await call('GET', '/api/emails')).emails as { address: string }[];
  expect(shown.map(({ address }) => address)).toEqual(['sam@gmail.com']);
});

it('whoever must not be mailed is nobody to mail while they are being erased either', async () => {
  const { workspaceId } = owner;
  const { id } = await call('POST', '/api/emails', { email });
  await call('POST', '/api/suppressions/email', { emailId: id });
  const active = async () => (await call('GET', `/api/emails?search=${email}&status=active`)).totalCount;
  for (const { erase } of personal.toReversed()) {
    await test.database.asTenant(workspaceId, (tx) => erase(tx, person()));
    expect(await active()).toBe(0);
  }
});

describe('whoever asked for no more, and the suppression list has not been told yet,', () => {
  /** A row about the contact, under an address that it had when it got the message. */
  const asks = {
    'a wish to leave': (contactId: number, domain: string) => sql`
      insert into leave_wishes (workspace_id, mailing_id, send_id, contact_id, local, domain)
      values (${owner.workspaceId}, 1, 1, ${contactId}, ${jo.local}, ${domain})`,
    'a complaint': (contactId: number, domain: string) => sql`
      insert into bounces (workspace_id, mailing_id, send_id, contact_id, local, domain, event, class, kind, fault,
        source, said, counts, is_due)
      values (${owner.workspaceId}, 1, 1, ${contactId}, ${jo.local}, ${domain}, 'complaint', 'complaint', 'complaint',
        'address', 'listener', 'abuse', false, true)`,
  };

  it.each([
    ['a wish to leave', 'unsubscribed', jo.domain],
    ['a wish to leave', 'unsubscribed', 'gmial.com'],
    ['a complaint', 'complained', jo.domain],
    ['a complaint', 'complained', 'gmial.com'],
  ] as const)('is not brought back after %s (%s, at %s)', async (what, reason, at) => {
    const { id } = await call('POST', '/api/emails', { email });
    await asks[what](id, at).execute(test.owner.system);
    await erase();
    const { workspaceId } = owner;
    const { system } = test.owner;
    const hashes = await sql`
      select kind, reason from suppression_hashes where workspace_id = ${workspaceId}`.execute(system);
    expect(hashes.rows).toEqual([{ kind: 'hmac', reason }]);
    // An address that they had before is suppressed as it is for everybody.
    const entries = await sql`
      select domain, reason from suppressions where workspace_id = ${workspaceId}`.execute(system);
    expect(entries.rows).toEqual(at === jo.domain ? [] : [{ domain: at, reason }]);
    await importCsv(test.app, owner.cookie, `email\n${email}\nsam@gmail.com\n`, {
      options: { ...everything, checkSuppressions: true },
    });
    const shown = (await call('GET', '/api/emails')).emails as { address: string }[];
    expect(shown.map(({ address }) => address)).toEqual(['sam@gmail.com']);
    await erase();
    await erase({ workspaceId, local: jo.local, domain: 'gmial.com' });
    expect(await tablesWith('canary')).toEqual([]);
    expect(await test.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
  });
});

it('a contact in the bin is erased too', async () => {
  const { id } = await call('POST', '/api/emails', { email, notes: 'Canary' });
  await call('DELETE', `/api/emails/${id}`);
  expect(Object.keys(await exported())).toEqual(['removedContacts']);
  await erase();
  expect(await tablesWith('canary')).toEqual([]);
});

it('a message to an address with an umlaut is told and erased, however it was written', async () => {
  await call('POST', '/api/send', {
    to: 'Jo.Canary@MÜLLER.de',
    subject: 'Receipt',
    html: '<p>Thank you</p>',
  });
  const whom = { ...person(), domain: 'xn--mller-kva.de' };
  expect((await exported(whom)).transactionalMessages).toMatchObject([{ subject: 'Receipt' }]);
  await erase(whom);
  expect(await exported(whom)).toEqual({});
  expect(await tablesWith('canary')).toEqual([]);
  // Nobody sends here. Other tests claim what waits in any workspace.
  await sql`delete from send_parts where workspace_id = ${owner.workspaceId}`.execute(test.owner.system);
});

it('a message that waits is not sent to whoever is erased, though a run has read it', async () => {
  const { workspaceId } = owner;
  const inWorkspace = <T>(work: (tx: TenantTx) => Promise<T>) => test.database.asTenant(workspaceId, work);
  const receipt = {
    ...{ name: 'Receipt', fromName: 'A', fromAddress: 'a@shop.co.uk', replyTo: null, createdBy: null },
    ...{ subject: 'Receipt', preheader: '', html: '<p>Receipt</p>', text: 'Receipt', mergeData: {} },
    ...{ tracksOpens: false, tracksClicks: false, needsServer: false },
  };
  const to = (local: string) => ({ ...jo, local, data: { email: `${local}@${jo.domain}` }, skipped: null });
  const mailingId = await inWorkspace((tx) =>
    createDirect(tx, workspaceId, receipt, [to(jo.local), to('sam')]),
  );
  const lease = randomUUID();
  const claimed = await claimPart(test.database.system, lease, 'transactional', {
    parts: [],
    workspaces: [],
  });
  const run = { ...(claimed as WorkKey), lease };
  const due = await inWorkspace(async (tx) =>
    selectDue(tx, (await beginPart(tx, run, 'transactional')) as PartRow, receipt),
  );
  expect(due.map(({ address }) => address)).toEqual([email, `sam@${jo.domain}`]);
  await erase();
  const wanted = due.map(({ id }) => ({ partId: run.id, id }));
  const { handed } = await inWorkspace(async (tx) => {
    await lockParts(tx, workspaceId, [run.id]);
    return handOver(tx, { workspaceId, mailingId }, 'transactional', wanted);
  });
  expect([...handed.keys()]).toEqual([2]);
  const { rows } = await sql`
    select s.state, s.reason, p.skipped, p.deferred from sends s
    join send_parts p on p.workspace_id = s.workspace_id and p.mailing_id = s.mailing_id
    where s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.id = 1`.execute(
    test.owner.system,
  );
  expect(rows).toEqual([{ state: 'skipped', reason: 'removed', skipped: 1, deferred: 0 }]);
  expect(await tablesWith('canary')).toEqual([]);
});
