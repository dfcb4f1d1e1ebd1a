import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockDomains } from '#features/rollups/server/rollup-queries.ts';
import { createTasks } from '#features/tasks/server/index.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import type { FeatureParts } from '#platform/server/feature.ts';
import { openFileStore } from '#platform/server/files.ts';
import { createLogger } from '#platform/server/logging.ts';
import { testAudience } from '#test/support/contact-features.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { join } from '#test/support/tasks.ts';
import { createSuppressions } from './index.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;
let feature: FeatureParts;
/** Each test has its own workspace, and a stranger's. */
let workspace = 0;
const stranger = 1_000_000;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  const files = openFileStore(tmpdir());
  const tasks = createTasks({ db, log: createLogger('silent'), leavesWorkToOthers: false });
  feature = createSuppressions({ db, files, tasks, audience: testAudience });
  http = await createTestHttp((router) => void join(feature, { tasks, router }));
});
afterAll(async () => {
  await http.app.close();
  await db.close();
  await made.drop();
});
beforeEach(() => {
  workspace += 1;
});

const url = '/api/suppressions';
const editor = () => stubCaller(workspace);
const post = (path: string, body: unknown, caller = editor()) =>
  http.call(caller, 'POST', `${url}${path}`, body);
const list = async (path: string, caller = editor()) =>
  (await http.call(caller, 'GET', `${url}${path}`)).body;

/** Valid contacts with their rollups, as an import leaves them. */
async function addContacts(addresses: string[], workspaceId = workspace): Promise<number[]> {
  return db.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into contacts (workspace_id, local, domain)
      select ${workspaceId}::bigint, split_part(address, '@', 1), split_part(address, '@', 2)
      from unnest(${addresses}::text[]) with ordinality as given (address, place) order by place
      returning id`.execute(tx);
    await sql`
      insert into contact_domains (workspace_id, domain, valid)
      select ${workspaceId}::bigint, split_part(address, '@', 2), count(*)
      from unnest(${addresses}::text[]) as given (address) group by 2`.execute(tx);
    await sql`
      insert into contact_counts (workspace_id, active, domains)
      select ${workspaceId}::bigint, sum(valid), count(*) from contact_domains where workspace_id = ${workspaceId}`.execute(
      tx,
    );
    return rows.map((row) => row.id);
  });
}

const counts = () =>
  db.asTenant(workspace, async (tx) => {
    const { rows } = await sql<{ active: number; suppressed: number }>`
      select active, suppressed from contact_counts where workspace_id = ${workspace}`.execute(tx);
    return rows[0];
  });
const lines = (table: 'audit_log' | 'activities') =>
  db.asTenant(workspace, async (tx) => {
    const { rows } = await sql<{ action: string; details: never; actor: string }>`
      select action, details, actor from ${sql.table(table)} where workspace_id = ${workspace} order by id`.execute(
      tx,
    );
    return rows;
  });

describe('suppressing an address', () => {
  it('puts a contact on the list, moves the figures, and leaves an activity and an audit line', async () => {
    const [id] = await addContacts(['ann@acme.co.uk', 'bob@acme.co.uk']);
    const { status, body } = await post('/email', { emailId: id });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: 'ann@acme.co.uk', reason: 'manual', note: null, isNew: true });
    expect(await counts()).toEqual({ active: 1, suppressed: 1 });
    expect((await post('/email', { emailId: id })).body).toEqual({ ...body, isNew: false });
    expect(await lines('activities')).toEqual([
      { action: 'Email Suppressed', details: 'ann@acme.co.uk', actor: editor().email },
    ]);
    expect((await lines('audit_log')).map((line) => line.action)).toEqual(['suppression.added']);
  });

  it('answers the entry that stands when it is there already, counting nothing twice', async () => {
    await addContacts(['ann@acme.co.uk']);
    const first = await post('/email/manual', { email: 'Ann@Acme.co.uk', note: 'asked by phone' });
    const second = await post('/email/manual', { email: ' ann@acme.co.uk ' });
    expect(second.status).toBe(201);
    expect(first.body).toMatchObject({ note: 'asked by phone', isNew: true });
    expect(second.body).toEqual({ ...first.body, isNew: false });
    expect(await counts()).toEqual({ active: 0, suppressed: 1 });
    expect(await lines('audit_log')).toHaveLength(1);
    expect((await list('/emails')).totalCount).toBe(1);
  });

  it('takes an address that is no contact', async () => {
    const { body } = await post('/email/manual', { email: '"Ann" <ann@büro.de>' });
    expect(body.email).toBe('ann@xn--bro-hoa.de');
  });

  it.each(['/emails?nonsense', '/emails?seach=ann', '/domains?Reason=manual', '/export?kinds=domains'])(
    'refuses to list for a name that there is not, because all would be the answer: %s',
    async (path) => {
      const answer = await http.call(editor(), 'GET', `${url}${path}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(/^The query does not take “/);
    },
  );

  it('refuses what has no domain, naming the field', async () => {
    const { status, body } = await post('/email/manual', { email: 'ann' });
    expect(status).toBe(400);
    expect(body.fields.email).toBe(body.message);
    expect(body.message).toMatch(/no @ sign/);
  });

  it("does not see another workspace's contact", async () => {
    const [id] = await addContacts([`x${workspace}@acme.co.uk`], stranger + workspace);
    expect((await post('/email', { emailId: id })).status).toBe(404);
    expect((await list('/emails')).totalCount).toBe(0);
  });

  it('is not for viewers', async () => {
    const viewer = stubCaller(workspace, 'viewer');
    expect((await post('/email/manual', { email: 'a@acme.co.uk' }, viewer)).status).toBe(403);
    expect((await http.call(viewer, 'GET', `${url}/emails`)).status).toBe(200);
  });

  it('by two people at once makes one entry, counted once', async () => {
    await addContacts(['ann@acme.co.uk', 'bob@acme.co.uk']);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post('/email/manual', { email: 'ann@acme.co.uk' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await counts()).toEqual({ active: 1, suppressed: 1 });
    expect((await list('/emails')).totalCount).toBe(1);
  });

  it('waits for contacts that are being added, and then counts them', async () => {
    await addContacts(['zoe@other.co.uk']);
    let finish: () => void = () => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const adding = db.asTenant(workspace, async (tx) => {
      await lockDomains(tx, workspace, 'shared');
      locked();
      await mayCommit;
      await sql`insert into contacts (workspace_id, local, domain) values (${workspace}, 'ann', 'acme.co.uk')`.execute(
        tx,
      );
      await sql`insert into contact_domains (workspace_id, domain, valid) values (${workspace}, 'acme.co.uk', 1)`.execute(
        tx,
      );
      await sql`update contact_counts set active = active + 1 where workspace_id = ${workspace}`.execute(tx);
    });
    await isLocked;
    const suppressing = post('/email/manual', { email: 'ann@acme.co.uk' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await list('/emails')).totalCount).toBe(0);
    finish();
    await adding;
    expect((await suppressing).status).toBe(201);
    expect(await counts()).toEqual({ active: 1, suppressed: 1 });
  });
});

describe('suppressing several contacts', () => {
  it('counts those that are new on the list and are of this workspace', async () => {
    const ids = await addContacts(['a@acme.co.uk', 'b@acme.co.uk', 'c@other.org.uk']);
    const [foreign] = await addContacts([`y${workspace}@acme.co.uk`], stranger + workspace);
    await post('/email', { emailId: ids[0] });
    const { status, body } = await post('/emails', { ids: [...ids, ...ids, foreign, 9_999_999] });
    expect(status).toBe(200);
    expect(body).toEqual({ suppressed: 2 });
    expect(await counts()).toEqual({ active: 0, suppressed: 3 });
    expect((await list('/emails')).totalCount).toBe(3);
    expect((await lines('activities')).at(-1)?.details).toBe('2 addresses were put on the suppression list');
    expect((await post('/emails', { ids })).body).toEqual({ suppressed: 0 });
    expect(await lines('audit_log')).toHaveLength(2);
  });

  it('suppresses 20,000 at once', async () => {
    const ids = await addContacts(Array.from({ length: 20_000 }, (_, n) => `p${n}@firm${n % 500}.co.uk`));
    expect((await post('/emails', { ids })).body).toEqual({ suppressed: 20_000 });
    expect(await counts()).toEqual({ active: 0, suppressed: 20_000 });
  });

  it('takes a filter for all that match it, and counts as many as are new', async () => {
    const [, , , other] = await addContacts([
      'a@acme.co.uk',
      'b@acme.co.uk',
      'c@acme.co.uk',
      'a@other.org.uk',
    ]);
    await addContacts([`z${workspace}@acme.co.uk`], stranger + workspace);
    await post('/email/manual', { email: 'c@acme.co.uk' });
    const suppress = (filter: unknown) => post('/emails', { filter });
    expect((await suppress({ search: 'b@ac', status: 'active' })).body).toEqual({ suppressed: 1 });
    expect((await suppress({ domain: 'acme.co.uk' })).body).toEqual({ suppressed: 1 });
    expect(await counts()).toEqual({ active: 1, suppressed: 3 });
    expect((await list('/emails')).totalCount).toBe(3);
    expect((await suppress({})).body).toEqual({ suppressed: 1 });
    expect(await counts()).toEqual({ active: 0, suppressed: 4 });
    expect((await post('/emails', { ids: [other], filter: {} })).status).toBe(400);
    expect((await list('/emails', stubCaller(stranger + workspace))).totalCount).toBe(0);
  });
});

describe('the preview of suppressing a domain', () => {
  const preview = (domain: string, caller = editor()) =>
    http.call(caller, 'GET', `${url}/domains/preview?domain=${encodeURIComponent(domain)}`);

  it('counts what is there now, with subdomains, and changes nothing', async () => {
    await addContacts(['ann@acme.co.uk', 'bob@mail.acme.co.uk', 'cat@notacme.co.uk', 'dan@acme.co.uk']);
    await post('/email/manual', { email: 'dan@acme.co.uk' });
    const before = { domain: 'acme.co.uk', affectedCount: 3, suppressedCount: 1, isListed: false };
    expect((await preview('https://Acme.co.uk/contact')).body).toEqual(before);
    expect((await list('/domains')).totalCount).toBe(0);
    expect((await preview('acme.co.uk')).body).toEqual(before);
    expect((await preview('mail.acme.co.uk')).body).toMatchObject({ affectedCount: 1, suppressedCount: 0 });
    expect((await preview('nobody.co.uk')).body).toMatchObject({ affectedCount: 0, isListed: false });
  });

  it('says the number that suppressing then affects, and undoing gives back', async () => {
    await addContacts(['ann@acme.co.uk', 'bob@mail.acme.co.uk', 'dan@acme.co.uk']);
    await post('/email/manual', { email: 'dan@acme.co.uk' });
    const before = (await preview('acme.co.uk')).body;
    const { body } = await post('/domain', { domain: 'acme.co.uk' });
    expect(body.affectedCount).toBe(before.affectedCount);
    expect((await preview('acme.co.uk')).body).toEqual({ ...before, suppressedCount: 3, isListed: true });
    // Covered by a parent: all suppressed, and not listed itself.
    expect((await preview('mail.acme.co.uk')).body).toMatchObject({ suppressedCount: 1, isListed: false });
    await http.call(editor(), 'DELETE', `${url}/domain/${body.id}`, { reason: 'Taken back right away' });
    expect((await preview('acme.co.uk')).body).toEqual(before);
  });

  it('refuses what is no domain, naming the field, and shows nobody else’s contacts', async () => {
    const refused = await preview('ann@acme.co.uk');
    expect([refused.status, refused.body.fields.domain]).toEqual([
      400,
      expect.stringMatching(/email address/),
    ]);
    await addContacts(['ann@elsewhere.co.uk'], stranger);
    expect((await preview('elsewhere.co.uk')).body.affectedCount).toBe(0);
  });
});

describe('suppressing a domain', () => {
  it('covers its subdomains but no name that only ends alike, and says how many contacts', async () => {
    await addContacts(['a@acme.co.uk', 'b@mail.acme.co.uk', 'c@notacme.co.uk']);
    const { status, body } = await post('/domain', { domain: 'https://Acme.co.uk/contact' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ domain: 'acme.co.uk', affectedCount: 2 });
    expect(await counts()).toEqual({ active: 1, suppressed: 2 });
    const { isNew, ...entry } = body;
    expect(isNew).toBe(true);
    expect((await list('/domains')).items).toEqual([entry]);
    expect(await lines('activities')).toMatchObject([
      { action: 'Domain Suppressed', details: 'acme.co.uk, 2 contacts' },
    ]);
    expect((await post('/domain', { domain: 'acme.co.uk' })).body).toEqual({ ...entry, isNew: false });
    expect(await counts()).toEqual({ active: 1, suppressed: 2 });
    expect(await lines('audit_log')).toHaveLength(1);
  });

  it('refuses an ending that many share, and an address', async () => {
    const ending = await post('/domain', { domain: 'co.uk' });
    expect(ending.status).toBe(400);
    expect(ending.body.fields.domain).toMatch(/many organisations share/);
    expect((await post('/domain', { domain: 'ann@acme.co.uk' })).body.message).toMatch(/email address/);
  });

  it('by two people at once makes one entry', async () => {
    await addContacts(['a@acme.co.uk']);
    const answers = await Promise.all([
      post('/domain', { domain: 'acme.co.uk' }),
      post('/domain', { domain: 'acme.co.uk' }),
    ]);
    const [one, other] = answers.map(({ body: { isNew, ...entry } }) => ({ isNew, entry }));
    expect(one?.entry).toEqual(other?.entry);
    expect([one?.isNew, other?.isNew].toSorted()).toEqual([false, true]);
    expect(await counts()).toEqual({ active: 0, suppressed: 1 });
  });
});

describe('lifting', () => {
  it('takes an address off, gives the figures back, and audits what it was and why', async () => {
    await addContacts(['ann@acme.co.uk']);
    const { body } = await post('/email/manual', { email: 'ann@acme.co.uk', note: 'by mistake' });
    const lifted = await http.call(editor(), 'DELETE', `${url}/email/${body.id}`, { reason: 'wrong Ann' });
    expect(lifted).toMatchObject({ status: 200, body: { removed: 1 } });
    expect(await counts()).toEqual({ active: 1, suppressed: 0 });
    expect((await list('/emails')).totalCount).toBe(0);
    expect((await lines('audit_log')).at(-1)).toMatchObject({
      action: 'suppression.lifted',
      details: {
        name: 'ann@acme.co.uk',
        why: 'wrong Ann',
        was: { reason: 'manual', note: 'by mistake', createdBy: editor().email },
      },
    });
    expect((await http.call(editor(), 'DELETE', `${url}/email/${body.id}`)).status).toBe(404);
  });

  it('leaves an entry whose reason is not the one that was seen', async () => {
    await addContacts(['ann@acme.co.uk']);
    const { body } = await post('/email/manual', { email: 'ann@acme.co.uk' });
    await post('/email/manual', { email: 'ann@acme.co.uk', reason: 'unsubscribed' });
    const lift = (expected: string) =>
      http.call(editor(), 'DELETE', `${url}/email/${body.id}`, { reason: 'Undone at once', expected });
    expect(await lift('manual')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect((await list('/emails')).items).toMatchObject([{ id: body.id, reason: 'unsubscribed' }]);
    expect(await counts()).toEqual({ active: 0, suppressed: 1 });
    expect((await lines('audit_log')).map(({ action }) => action)).not.toContain('suppression.lifted');
    expect(await lift('unsubscribed')).toMatchObject({ status: 200, body: { removed: 1 } });
  });

  it('of a domain keeps suppressed what its parent covers', async () => {
    await addContacts(['a@mail.acme.co.uk', 'b@acme.co.uk']);
    const parent = await post('/domain', { domain: 'acme.co.uk' });
    const child = await post('/domain', { domain: 'mail.acme.co.uk' });
    expect(child.body.affectedCount).toBe(1);
    expect((await http.call(editor(), 'DELETE', `${url}/domain/${child.body.id}`)).status).toBe(200);
    expect(await counts()).toEqual({ active: 0, suppressed: 2 });
    await http.call(editor(), 'DELETE', `${url}/domain/${parent.body.id}`);
    expect(await counts()).toEqual({ active: 2, suppressed: 0 });
  });

  it("finds nothing under another workspace's id", async () => {
    const other = stubCaller(stranger + workspace);
    const email = await post('/email/manual', { email: 'a@acme.co.uk' }, other);
    const domain = await post('/domain', { domain: 'acme.co.uk' }, other);
    expect((await http.call(editor(), 'DELETE', `${url}/email/${email.body.id}`)).status).toBe(404);
    expect((await http.call(editor(), 'DELETE', `${url}/domain/${domain.body.id}`)).status).toBe(404);
    expect((await list('/emails', other)).totalCount).toBe(1);
    expect((await list('/domains', other)).totalCount).toBe(1);
  });
});

describe('lifting several', () => {
  const lift = (path: string, body: unknown) => http.call(editor(), 'DELETE', `${url}${path}`, body);
  const undo = (id: number, caller = editor()) => http.call(caller, 'POST', `${url}/liftings/${id}/undo`);

  it('takes off those named or all that match, counts them, and puts them back as they stood', async () => {
    const [ann] = await addContacts(['ann@acme.co.uk', 'bob@acme.co.uk', 'cat@shop.uk']);
    const made: { id: number }[] = [];
    for (const [email, reason] of [
      ['ann@acme.co.uk', 'unsubscribed'],
      ['bob@acme.co.uk', 'manual'],
      ['cat@shop.uk', 'unsubscribed'],
      ['dan@shop.uk', 'bounced'],
    ]) {
      made.push((await post('/email/manual', { email, reason, note: `${email} said so` })).body);
    }
    const before = await list('/emails');
    expect(await counts()).toEqual({ active: 0, suppressed: 3 });

    const named = await lift('/emails', { ids: [made[0]?.id, made[3]?.id, 999_999], reason: 'two at once' });
    expect(named.body).toMatchObject({ removed: 2 });
    expect(await counts()).toEqual({ active: 1, suppressed: 2 });
    const all = await lift('/emails', {
      filter: { reason: 'unsubscribed', search: 'SHOP' },
      reason: 'a sweep',
    });
    expect(all.body).toMatchObject({ removed: 1 });
    expect(await counts()).toEqual({ active: 2, suppressed: 1 });
    expect((await list('/summary')).emails).toEqual({ manual: 1 });
    expect((await lift('/emails', { filter: { reason: 'erased' } })).body).toEqual({
      removed: 0,
      liftingId: null,
    });
    expect((await lines('audit_log')).at(-1)).toMatchObject({
      action: 'suppressions.lifted',
      details: { lifted: 1, why: 'a sweep', filter: { reason: 'unsubscribed', search: 'SHOP' } },
    });

    // Meanwhile one of the two is put on the list again: that entry stays, and says that she left.
    await post('/email', { emailId: ann });
    expect((await undo(named.body.liftingId)).body).toEqual({ restored: 1 });
    expect((await undo(all.body.liftingId)).body).toEqual({ restored: 1 });
    expect((await undo(all.body.liftingId)).status).toBe(409);
    expect(await counts()).toEqual({ active: 0, suppressed: 3 });
    const after = await list('/emails');
    expect(after.items.filter((item: { id: number }) => item.id <= (made[3]?.id ?? 0))).toEqual(
      before.items.filter((item: { id: number }) => item.id !== made[0]?.id),
    );
    expect((await list('/summary')).emails).toEqual({ bounced: 1, manual: 1, unsubscribed: 2 });
  });

  it('of domains gives back what no other entry covers, and blocks it again', async () => {
    await addContacts(['a@mail.acme.co.uk', 'b@acme.co.uk', 'c@shop.uk']);
    const ids = [];
    for (const domain of ['acme.co.uk', 'mail.acme.co.uk', 'shop.uk']) {
      ids.push((await post('/domain', { domain })).body.id);
    }
    const lifted = await lift('/domains', { ids: [ids[0], ids[2]], reason: 'sorted out' });
    expect(lifted.body.removed).toBe(2);
    expect(await counts()).toEqual({ active: 2, suppressed: 1 });
    expect((await undo(lifted.body.liftingId)).body).toEqual({ restored: 2 });
    expect(await counts()).toEqual({ active: 0, suppressed: 3 });
    expect((await list('/domains')).totalCount).toBe(3);
  });

  it('is undone by nobody of another workspace, and not after 30 days', async () => {
    const { body } = await post('/email/manual', { email: 'ann@acme.co.uk' });
    const { liftingId } = (await lift('/emails', { ids: [body.id] })).body;
    expect((await undo(liftingId, stubCaller(stranger + workspace))).status).toBe(404);
    await db.asTenant(workspace, (tx) =>
      sql`update suppression_liftings set created_at = now() - interval '31 days' where id = ${liftingId}`.execute(
        tx,
      ),
    );
    expect((await undo(liftingId)).status).toBe(410);
    for (const { run } of feature.nightly ?? []) await run(workspace, undefined);
    expect((await undo(liftingId)).status).toBe(404);
  });
});

describe('the lists', () => {
  it('say who, why and whom it concerns, and can be filtered by reason', async () => {
    await addContacts(['ann@acme.co.uk']);
    await post('/email/manual', { email: 'ann@acme.co.uk', reason: 'complained' });
    await post('/email/manual', { email: 'bob@acme.co.uk' });
    expect((await list('/emails?reason=complained')).items).toMatchObject([
      { email: 'ann@acme.co.uk', reason: 'complained', affectedCount: 1, createdBy: editor().email },
    ]);
    expect(await list('/emails?reason=manual&search=acme')).toMatchObject({
      items: [{ email: 'bob@acme.co.uk', affectedCount: 0 }],
      totalCount: 1,
    });
    expect(await list('/emails?reason=erased')).toMatchObject({ items: [], totalCount: 0 });
    expect((await http.call(editor(), 'GET', `${url}/emails?reason=nonsense`)).status).toBe(400);
  });

  const emails = (page: { items: { email: string }[] }) => page.items.map((item) => item.email);

  it('page newest first from both ends', async () => {
    const ids = await addContacts(Array.from({ length: 25 }, (_, n) => `p${n}@acme.co.uk`));
    for (const id of ids) await post('/email', { emailId: id });
    const first = await list('/emails?limit=10');
    expect(first.totalCount).toBe(25);
    expect(emails(first)).toEqual(Array.from({ length: 10 }, (_, n) => `p${24 - n}@acme.co.uk`));
    const last = await list('/emails?limit=10&page=3');
    expect(emails(last)).toEqual(['p4', 'p3', 'p2', 'p1', 'p0'].map((local) => `${local}@acme.co.uk`));
    expect(await list('/emails?limit=10&page=4')).toMatchObject({ items: [], totalCount: 25 });
  });

  it('find any part of an address, across the @ sign, with wildcards as plain characters', async () => {
    for (const email of ['ann_b@acme.co.uk', 'annxb@acme.co.uk', 'bob@annex.org.uk']) {
      await post('/email/manual', { email });
    }
    expect(emails(await list('/emails?search=ANN'))).toEqual([
      'bob@annex.org.uk',
      'annxb@acme.co.uk',
      'ann_b@acme.co.uk',
    ]);
    expect(emails(await list('/emails?search=b%40ac&limit=1&page=2'))).toEqual(['ann_b@acme.co.uk']);
    expect(emails(await list('/emails?search=n_b'))).toEqual(['ann_b@acme.co.uk']);
    expect(emails(await list('/emails?search=%25'))).toEqual([]);
    expect(await list('/emails?search=ann&page=9')).toMatchObject({ items: [], totalCount: 3 });
  });

  it('find exactly one address, however many others contain it', async () => {
    await post('/email/manual', { email: 'ann@acme.co.uk', reason: 'unsubscribed' });
    for (const email of ['joann@acme.co.uk', 'ann@acme.co.uk.com']) await post('/email/manual', { email });
    const exactly = (query: string) => list(`/emails?email=${query}`);
    expect(await exactly('Ann@ACME.co.uk')).toMatchObject({
      items: [{ email: 'ann@acme.co.uk', reason: 'unsubscribed' }],
      totalCount: 1,
      nextCursor: null,
    });
    expect(emails(await exactly('ann@acme.co.uk&reason=unsubscribed&search=ann'))).toHaveLength(1);
    for (const none of ['ann', 'ann@acme.co', 'nn@acme.co.uk', 'ann@acme.co.uk&reason=manual'])
      expect(await exactly(none)).toMatchObject({ items: [], totalCount: 0 });
    expect(await exactly('ann@acme.co.uk&search=jo')).toMatchObject({ items: [], totalCount: 0 });
    expect(await exactly('ann@acme.co.uk&page=2')).toMatchObject({ items: [], totalCount: 1 });
  });

  it('find an address and a domain with an umlaut as people write them', async () => {
    await post('/email/manual', { email: 'info@bäckerei.co.uk' });
    await post('/domain', { domain: 'müller.co.uk' });
    const found = async (path: string, text: string) =>
      (await list(`${path}?search=${encodeURIComponent(text)}`)).totalCount;
    expect(await found('/emails', 'INFO@Bäckerei.co.uk')).toBe(1);
    expect(await found('/emails', '@bäckerei')).toBe(1);
    expect(await found('/domains', 'Müller.co.uk')).toBe(1);
    expect(await found('/domains', 'müller')).toBe(1);
  });

  it("never find another workspace's entries", async () => {
    await post('/email/manual', { email: 'secret@acme.co.uk' }, stubCaller(stranger + workspace));
    await post('/domain', { domain: 'secret.co.uk' }, stubCaller(stranger + workspace));
    expect(await list('/emails?search=secret')).toMatchObject({ items: [], totalCount: 0 });
    expect(await list('/domains?search=secret')).toMatchObject({ items: [], totalCount: 0 });
  });

  it('search domains', async () => {
    for (const domain of ['acme.co.uk', 'annex.org.uk']) await post('/domain', { domain });
    const found = await list('/domains?search=Acm');
    expect(found).toMatchObject({ items: [{ domain: 'acme.co.uk', affectedCount: 0 }], totalCount: 1 });
  });
});
