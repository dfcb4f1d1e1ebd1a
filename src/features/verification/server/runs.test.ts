import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type DnsServer, startDnsServer } from '#test/support/dns-server.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let dns: DnsServer;
let app: TestApp;
let person: SignedIn;

const mail = { mx: [{ exchange: 'mail.example.co.uk', priority: 10 }] };

beforeAll(async () => {
  dns = await startDnsServer({
    'acme.co.uk': mail,
    'unasked.co.uk': mail,
    'gmail.com': mail,
    'googlemail.com': mail,
    'gmial.com': mail,
    'mailinator.com': mail,
    'mute.co.uk': {},
    'null.co.uk': { mx: [{ exchange: '', priority: 0 }] },
    'silent.co.uk': { fails: 'SERVFAIL' },
  });
  app = await openTestApp({ DNS_SERVERS: dns.address });
  app.tasks.startWork();
});
afterAll(async () => {
  await app.close();
  await dns.close();
});
beforeEach(async () => {
  person = await signUp(app.app);
});
afterEach(async () => {
  const { workspaceId } = person;
  expect(await app.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(method: Method, url: string, payload?: object, by: SignedIn = person) {
  const answer = await app.app.inject({
    method,
    url,
    headers: { cookie: by.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

const everything = {
  removeDuplicates: true,
  validateEmails: false,
  filterNonUk: false,
  checkSuppressions: false,
};
async function fill(addresses: string[]): Promise<void> {
  const csv = `email\n${addresses.join('\n')}\n`;
  const answer = await importCsv(app.app, person.cookie, csv, { options: everything });
  if (answer.statusCode !== 200) throw new Error(answer.body);
}

const list = [
  'jo.bloggs@acme.co.uk',
  'info@acme.co.uk',
  'jo@gmial.com',
  'sam@mailinator.com',
  'ann@nowhere.co.uk',
  'ann@mute.co.uk',
  'ann@null.co.uk',
  'ann@silent.co.uk',
  'no-at-sign.co.uk',
  'a.b.smith@gmail.com',
  'absmith+news@googlemail.com',
];
const addressesOf = (body: { emails: { address: string }[] }) => body.emails.map((one) => one.address).sort();
const found = async (query: string) => {
  const { body } = await call('GET', `/api/emails?${query}`);
  expect(body.totalCount).toBe(body.emails.length);
  return addressesOf(body);
};

describe('POST /api/verify', () => {
  it('answers the verdict with its grounds, and stores nothing', async () => {
    const { status, body } = await call('POST', '/api/verify', { email: 'Jo@gmial.com' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ rfcValid: true, suggestion: 'Jo@gmail.com' });
    expect(body.reasons).toContain('typo_suspected');
    expect(body.evidence.map((one: { reason: string }) => one.reason)).toEqual(body.reasons);
    expect(body.risk).toBe(
      body.factors.reduce((sum: number, one: { points: number }) => sum + one.points, 0),
    );
    expect((await call('GET', '/api/emails')).body.totalCount).toBe(0);
  });

  it('asks the name servers only where the settings say so', async () => {
    expect((await call('POST', '/api/verify', { email: 'ann@nowhere.co.uk' })).body.verdict).toBe('valid');
    await call('PATCH', '/api/settings', { emailValidation: { checkMXRecords: true } });
    const gone = (await call('POST', '/api/verify', { email: 'ann@nowhere.co.uk' })).body;
    expect(gone).toMatchObject({ verdict: 'invalid', reasons: ['no_such_domain'] });
    expect(Date.parse(gone.evidence[0].checkedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await call('POST', '/api/verify', { email: 'ann@silent.co.uk' })).body.verdict).toBe('unknown');
  });

  it('goes by strict validation as it is set', async () => {
    const loose = { email: 'jo@ac--me.co.uk' };
    expect((await call('POST', '/api/verify', loose)).body).toMatchObject({
      verdict: 'invalid',
      reasons: ['not_strict'],
    });
    await call('PATCH', '/api/settings', { emailValidation: { strictValidation: false } });
    expect((await call('POST', '/api/verify', loose)).body.verdict).not.toBe('invalid');
  });

  it('refuses too many in a short time, and says how long to wait', async () => {
    let refused: Awaited<ReturnType<typeof call>> | undefined;
    for (let count = 0; count < 80 && !refused; count++) {
      const answer = await call('POST', '/api/verify', { email: 'jo@acme.co.uk' });
      if (answer.status === 429) refused = answer;
    }
    expect(refused?.body.code).toBe('rate_limited');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const other = await signUp(app.app);
    expect((await call('POST', '/api/verify', { email: 'jo@acme.co.uk' }, other)).status).toBe(200);
  });

  it('wants an address', async () => {
    expect((await call('POST', '/api/verify', {})).status).toBe(400);
  });
});

describe('a verification', () => {
  it('is refused where its selection is not understood, and never of all contacts instead', async () => {
    await fill(list);
    for (const body of [
      { selection: { filter: { opened: 'yes' } } },
      { opened: 'yes' },
      { selection: { filter: {}, opened: 'yes' } },
    ]) {
      const refused = await call('POST', '/api/verifications', { dns: false, ...body });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain('“opened”');
    }
    expect((await call('GET', '/api/verifications')).body.totalCount).toBe(0);
  });

  it('writes a verdict on every contact, by which they are found', async () => {
    await fill(list);
    const { status, body } = await call('POST', '/api/verifications', { dns: true });
    expect(status).toBe(200);
    expect(body.contacts).toBe(11);
    expect(body.reasons).toMatchObject({
      no_such_domain: 1,
      no_mail_server: 1,
      null_mx: 1,
      disposable: 1,
      role: 1,
    });
    expect(body.domains).toMatchObject({ unknown: 1 });
    expect(await found('reason=no_such_domain')).toEqual(['ann@nowhere.co.uk']);
    expect(await found('reason=role')).toEqual(['info@acme.co.uk']);
    expect(await found('verdict=unknown')).toEqual(['ann@silent.co.uk']);
    expect(await found('kind=disposable')).toEqual(['sam@mailinator.com']);
    expect(await found('verdict=invalid&search=ann')).toEqual([
      'ann@mute.co.uk',
      'ann@nowhere.co.uk',
      'ann@null.co.uk',
    ]);
    expect(await found('riskFrom=100&riskTo=100&domain=null.co.uk')).toEqual(['ann@null.co.uk']);
    expect(await found('verdict=invalid&status=invalid')).toEqual(['no-at-sign.co.uk']);
    expect(await found('uk=global&sort=address')).toEqual([
      'a.b.smith@gmail.com',
      'absmith+news@googlemail.com',
    ]);
    const counts = Object.values(body.verdicts as Record<string, number>).reduce((sum, one) => sum + one, 0);
    expect(counts).toBe(11);
    expect(body.sharedMailboxes).toBe(1);
    const summary = (await call('GET', '/api/verifications/summary')).body;
    expect(summary).toMatchObject({ total: 11, contacts: 11, verdicts: body.verdicts, sharedMailboxes: 1 });
    const runs = (await call('GET', '/api/verifications')).body;
    expect(runs.items[0]).toMatchObject({ id: body.runId, whole: true, dns: true, result: { contacts: 11 } });
    expect((await call('GET', `/api/verifications/${body.runId}`)).body.result).toEqual(body);
  });

  it('says of the mail server what the name servers said, and nothing where nobody asked them', async () => {
    await fill(['jo@unasked.co.uk', 'no-at-sign.co.uk']);
    await call('POST', '/api/verifications', { dns: false });
    const mailServer = async (search: string) => {
      const [one] = (await call('GET', `/api/emails?search=${search}`)).body.emails;
      return (await call('GET', `/api/emails/${one.id}/verification`)).body.mailServer;
    };
    expect(await mailServer('jo@unasked')).toBeNull();
    await call('POST', '/api/verifications', { dns: true });
    expect(await mailServer('jo@unasked')).toMatchObject({ state: 'mail', via: 'mx' });
    expect(await mailServer('no-at-sign')).toBeNull();
  });

  it('shows the verdict on the contact, with its grounds', async () => {
    await fill(list);
    await call('POST', '/api/verifications');
    const [slip] = (await call('GET', '/api/emails?search=gmial')).body.emails;
    expect(slip.verification).toMatchObject({ verdict: 'risky', suggestion: 'jo@gmail.com' });
    const grounds = (await call('GET', `/api/emails/${slip.id}/verification`)).body;
    expect(grounds).toMatchObject({ isStored: true, verdict: 'risky', risk: slip.verification.risk });
    expect(grounds.evidence[0].checkedAt).toBe(slip.verification.checkedAt);
    const stranger = await signUp(app.app);
    expect((await call('GET', `/api/emails/${slip.id}/verification`, undefined, stranger)).status).toBe(404);
  });

  it('of a selection touches no other contact', async () => {
    await fill(list);
    const { body } = await call('POST', '/api/verifications', {
      selection: { filter: { domain: 'acme.co.uk' } },
    });
    expect(body.contacts).toBe(2);
    const { emails } = (await call('GET', '/api/emails')).body;
    const verified = emails.filter((one: { verification: unknown }) => one.verification !== null);
    expect(addressesOf({ emails: verified })).toEqual(['info@acme.co.uk', 'jo.bloggs@acme.co.uk']);
  });

  it('follows a change of the settings, and renews the time of what stands', async () => {
    await fill(['ann@ac--me.co.uk', 'jo@acme.co.uk']);
    await call('POST', '/api/verifications');
    const before = (await call('GET', '/api/emails?search=jo@')).body.emails[0].verification;
    await call('PATCH', '/api/settings', { emailValidation: { strictValidation: false } });
    await call('POST', '/api/verifications');
    const after = (await call('GET', '/api/emails?search=jo@')).body.emails[0].verification;
    expect(after).toEqual({ ...before, checkedAt: after.checkedAt });
    expect(Date.parse(after.checkedAt)).toBeGreaterThan(Date.parse(before.checkedAt));
    expect(await found('verdict=invalid')).toEqual([]);
    expect(await found('verdict=risky')).toEqual(['ann@ac--me.co.uk']);
  });

  it('is forgotten with the contact, and given anew with what is restored', async () => {
    await fill(list);
    await call('POST', '/api/verifications');
    await call('DELETE', '/api/emails/bulk', { filter: { verdict: 'risky' } });
    expect(await found('verdict=risky')).toEqual([]);
    expect((await call('GET', '/api/verifications/summary')).body.verdicts.risky ?? 0).toBe(0);
    const removed = (await call('DELETE', '/api/emails/bulk', { filter: { search: 'absmith+news' } })).body;
    expect((await call('GET', '/api/review/duplicates')).body).toMatchObject({ totalCount: 0, items: [] });
    await call('POST', `/api/removals/${removed.removalId}/restore`);
    expect((await call('GET', '/api/emails?search=absmith')).body.emails[0].verification).toMatchObject({
      verdict: 'valid',
      kind: 'free',
    });
    // Also when it was all that there was.
    const { verdicts } = (await call('GET', '/api/verifications/summary')).body;
    const all = (await call('DELETE', '/api/emails/bulk', { filter: {} })).body;
    await call('POST', `/api/removals/${all.removalId}/restore`);
    expect((await call('GET', '/api/verifications/summary')).body.verdicts).toEqual(verdicts);
  });

  it('twice at once comes to the same', async () => {
    await fill(list);
    const both = await Promise.all([call('POST', '/api/verifications'), call('POST', '/api/verifications')]);
    const [one, other] = both.map(({ body: { runId: _, ...result } }) => result);
    expect(one).toEqual(other);
  });

  it('goes on where it was broken off', async () => {
    await fill(list);
    const { workspaceId } = person;
    const { rows } = await sql<{ id: number }>`
      select id from contacts where workspace_id = ${workspaceId} order by id`.execute(app.owner.system);
    const half = rows[4]?.id as number;
    // As a killed process leaves it: a task with an old lease and the state of its last batch.
    const state = {
      runId: 0,
      domainsAfter: null,
      domains: { asked: 0, unknown: 0 },
      after: half,
      tally: { contacts: 5, verdicts: { valid: 5 }, reasons: {}, uk: {}, kinds: {}, suggestions: 0 },
    };
    const { rows: runs } = await sql<{ id: number }>`
      insert into verification_runs (workspace_id, task_id, whole, dns) values (${workspaceId}, 0, true, false)
      returning id`.execute(app.owner.system);
    state.runId = runs[0]?.id as number;
    const { rows: tasks } = await sql<{ id: number }>`
      insert into tasks (workspace_id, kind, title, status, input, state, user_name, actor, lease, lease_until, attempts)
      values (${workspaceId}, 'verification.run', 'Verify', 'running', '{"selection": null, "dns": false, "contacts": 11}',
        ${JSON.stringify(state)}::jsonb, 'Priya', 'priya@acme.co.uk', gen_random_uuid(), now() - interval '1 second', 1)
      returning id`.execute(app.owner.system);
    const ended = await app.tasks.finished(workspaceId, tasks[0]?.id as number);
    expect(ended.error).toBeNull();
    expect(ended.result).toMatchObject({ contacts: 11 });
    const { emails } = (await call('GET', '/api/emails?order=asc')).body;
    const isVerified = emails.map((one: { id: number; verification: unknown }) => [
      one.id > half,
      one.verification !== null,
    ]);
    for (const [isLater, has] of isVerified) expect(has).toBe(isLater);
  });

  it('is told once, also when it is killed before its task knows of the end', async () => {
    await fill(list);
    const { runId } = (await call('POST', '/api/verifications')).body;
    const { workspaceId } = person;
    const { rows } = await sql<{ id: number; result: unknown }>`
      update tasks set status = 'running', finished_at = null, lease = gen_random_uuid(),
        lease_until = now() - interval '1 second'
      where workspace_id = ${workspaceId} and kind = 'verification.run' returning id, result`.execute(
      app.owner.system,
    );
    const ended = await app.tasks.finished(workspaceId, rows[0]?.id as number);
    expect(ended).toMatchObject({ error: null, result: rows[0]?.result });
    const { rows: told } = await sql`
      select from audit_log where workspace_id = ${workspaceId} and action = 'contacts.verified'
        and subject = ${`verification:${runId}`}`.execute(app.owner.system);
    expect(told).toHaveLength(1);
  });

  it('answers at once where asked to, and is then found among the tasks', async () => {
    await fill(list);
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/verifications',
      headers: { cookie: person.cookie, prefer: 'respond-async' },
      payload: {},
    });
    expect(answer.statusCode).toBe(202);
    const task = await app.tasks.finished(person.workspaceId, answer.json().taskId);
    expect(task).toMatchObject({ title: 'Verify 11 contacts', status: 'completed' });
    expect(task.link).toBe(`/review?run=${(task.result as { runId: number }).runId}`);
  });

  it('is for editors, and shows nothing of other workspaces', async () => {
    await fill(list);
    const { body } = await call('POST', '/api/verifications');
    const viewer = await signUpMember(app.app, app.database, {
      workspaceId: person.workspaceId,
      role: 'viewer',
    });
    expect((await call('POST', '/api/verifications', {}, viewer)).status).toBe(403);
    expect((await call('GET', '/api/verifications/summary', undefined, viewer)).body.contacts).toBe(11);
    const stranger = await signUp(app.app);
    expect((await call('GET', `/api/verifications/${body.runId}`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', '/api/verifications/summary', undefined, stranger)).body.contacts).toBe(0);
  });
});
