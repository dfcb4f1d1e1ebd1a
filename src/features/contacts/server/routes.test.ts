import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bin, purgeBin } from '#features/bin/server/index.ts';
import { adjustForAddresses, blockDomain, checkBooks } from '#features/rollups/server/index.ts';
import { applyDomainDeltas } from '#features/rollups/server/rollup-queries.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { registerContactFeatures } from '#test/support/contact-features.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { testTasks } from '#test/support/tasks.ts';
import type { Contact } from '../contract.ts';
import { idsPerBlock } from '../rules.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;
let bin: Bin;
/** Each test gets its own workspace, and a stranger's. */
let workspace = 0;
const stranger = 1_000_000;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  http = await createTestHttp((router) => {
    bin = registerContactFeatures(router, { db, tasks: testTasks(db) });
  });
});
afterAll(async () => {
  await http.app.close();
  await db.close();
  await made.drop();
});
beforeEach(() => {
  workspace += 1;
});
afterEach(async () => {
  expect(await asTenant((tx) => checkBooks(tx, workspace))).toEqual([]);
});

const asTenant = <T>(work: (tx: TenantTx) => Promise<T>) => db.asTenant(workspace, work);
const editor = () => stubCaller(workspace);
const get = async (url: string, caller = editor()) => (await http.call(caller, 'GET', url)).body;
const post = (url: string, body?: unknown) => http.call(editor(), 'POST', url, body);
const remove = (url: string, body?: unknown) => http.call(editor(), 'DELETE', url, body);
const addressesOf = (body: { emails: Contact[] }) => body.emails.map((contact) => contact.address);

/** Adds contacts as an import does, with `state` 0 by default. Answers their ids. */
async function fill(
  addresses: string[],
  options: { state?: number; importId?: number; local?: string } = {},
): Promise<number[]> {
  return asTenant(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into contacts (workspace_id, local, domain, state, import_id)
      select ${workspace}::bigint, regexp_replace(given, '@[^@]*$', ''), substring(given from '@([^@]*)$'),
             ${options.state ?? 0}::int, ${options.importId ?? null}::bigint
      from unnest(${addresses}::text[]) with ordinality as listed (given, place) order by place
      returning id`.execute(tx);
    const ids = rows.map((row) => row.id);
    await sql`
      insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select ${workspace}::bigint, min(id), max(id), string_agg(local || '@' || domain, E'\n')
      from contacts where id = any(${ids}::bigint[]) group by id / ${sql.lit(idsPerBlock)}`.execute(tx);
    await applyDomainDeltas(
      tx,
      workspace,
      sql`select domain, (state = 0)::int as valid, (state = 1)::int as invalid, (state = 2)::int as duplicate,
                 0 as valid_suppressed, 0 as invalid_suppressed, 0 as duplicate_suppressed
          from contacts where id = any(${ids}::bigint[])`,
      { isImport: options.importId !== undefined },
    );
    return ids;
  });
}

async function suppress(address: string): Promise<void> {
  const [local = '', domain = ''] = address.split('@');
  await asTenant(async (tx) => {
    await sql`insert into suppressions (workspace_id, local, domain, reason) values (${workspace}, ${local}, ${domain}, 'bounced')`.execute(
      tx,
    );
    await adjustForAddresses(tx, workspace, [{ local, domain }], 1);
  });
}

async function suppressDomain(domain: string): Promise<number> {
  return asTenant(async (tx) => {
    await sql`insert into domain_suppressions (workspace_id, domain, reason) values (${workspace}, ${domain}, 'manual')`.execute(
      tx,
    );
    return blockDomain(tx, workspace, domain);
  });
}

async function setSettings(section: string, value: object): Promise<void> {
  await asTenant((tx) =>
    sql`insert into settings (workspace_id, ${sql.ref(section)}) values (${workspace}, ${JSON.stringify(value)}::jsonb)`.execute(
      tx,
    ),
  );
}

describe('adding by hand', () => {
  it('takes an address with notes and finds it again', async () => {
    const added = await post('/api/emails', { email: ' Tom.Ashdown@Acme.co.uk ', notes: 'met at the fair' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      address: 'Tom.Ashdown@Acme.co.uk',
      domain: 'acme.co.uk',
      status: 'active',
      notes: 'met at the fair',
      ukClass: 'uk',
      attributes: {},
    });
    expect(await get(`/api/emails/${added.body.id}`)).toEqual(added.body);
    expect(addressesOf(await get('/api/emails?search=ASHDOWN'))).toEqual(['Tom.Ashdown@Acme.co.uk']);
    expect(await get('/api/stats')).toMatchObject({ validEmails: 1, uniqueDomains: 1, totalEmails: 1 });
  });

  it.each([
    [{ firstName: ' Jane ', lastName: 'Smith' }, ['Jane Smith', 'Jane', 'Smith']],
    [{ name: 'Smith, Jane' }, ['Smith, Jane', 'Jane', 'Smith']],
    [{ name: 'Acme Ltd' }, ['Acme Ltd', null, null]],
    [{ name: 'Acme Ltd', firstName: 'Jane' }, ['Acme Ltd', 'Jane', null]],
    [{ name: '', firstName: null }, [null, null, null]],
    [{}, [null, null, null]],
  ])('takes the names %j', async (given, shown) => {
    const { body } = await post('/api/emails', { email: 'jo@acme.co.uk', ...given });
    expect([body.name, body.firstName, body.lastName]).toEqual(shown);
    expect(await get(`/api/emails/${body.id}`)).toEqual(body);
    expect((await get('/api/emails')).emails[0]).toMatchObject({ firstName: shown[1], lastName: shown[2] });
  });

  it.each(['name', 'firstName', 'lastName'])('refuses a %s that is too long', async (field) => {
    const refused = await post('/api/emails', { email: 'jo@acme.co.uk', [field]: 'x'.repeat(501) });
    expect([refused.status, refused.body.fields[field]]).toEqual([400, expect.any(String)]);
  });

  it('keeps the names in the bin and on the way back', async () => {
    const { body } = await post('/api/emails', {
      email: 'jo@acme.co.uk',
      name: 'Dr Jo Ash',
      firstName: 'Jo',
      lastName: 'Ashdown',
    });
    await remove(`/api/emails/${body.id}`);
    const { items } = await get('/api/removals');
    expect(await get(`/api/removals/${items[0].id}/receipt`)).toContain('"Dr Jo Ash",,,,');
    await post(`/api/removals/${items[0].id}/restore`);
    expect(await get(`/api/emails/${body.id}`)).toMatchObject({
      name: 'Dr Jo Ash',
      firstName: 'Jo',
      lastName: 'Ashdown',
    });
  });

  it('takes extra fields as a change does, and offers them', async () => {
    const attributes = { firstVisit: '2026-03-09', town: 'York', fax: '', shop: null };
    const added = await post('/api/emails', { email: 'jane@acme.co.uk', attributes });
    expect(added).toMatchObject({
      status: 201,
      body: { attributes: { firstVisit: '2026-03-09', town: 'York' } },
    });
    expect(await get(`/api/emails/${added.body.id}`)).toEqual(added.body);
    expect((await get('/api/emails/fields')).items).toEqual(['firstVisit', 'town']);
    for (const [wrong, field] of [
      [{ email: '1' }, 'attributes'],
      [{ 'town ': '1' }, 'attributes'],
      [{ town: '1', Town: '2' }, 'attributes'],
      [{ town: 5 }, 'attributes.town'],
    ] as const) {
      const refused = await post('/api/emails', { email: 'jo@acme.co.uk', attributes: wrong });
      expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
    }
    expect((await get('/api/emails')).totalCount).toBe(1);
  });

  it('refuses what it would forget, by its name', async () => {
    for (const body of [{ source: 'a shop' }, { tags: [1] }, { checkSupressions: false }]) {
      const [name] = Object.keys(body);
      const refused = await post('/api/emails', { email: 'jane@acme.co.uk', ...body });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', message: `The body does not take “${name}”.` },
      });
    }
    expect((await get('/api/emails')).totalCount).toBe(0);
  });

  it('takes an address outside the UK', async () => {
    expect((await post('/api/emails', { email: 'anna@firma.de' })).body.ukClass).toBe('not_uk');
  });

  it.each(['', 'nobody', 'a@b', 'a b@acme.co.uk', 'tom@acme.couk'])(
    'refuses %j in the words of the form',
    async (email) => {
      const refused = await post('/api/emails', { email });
      expect(refused.status).toBe(400);
      if (email !== '') {
        expect(refused.body).toEqual({
          message: 'Please enter a valid UK email address',
          code: 'invalid_input',
          fields: { email: 'Please enter a valid UK email address' },
        });
      }
    },
  );

  it('refuses the same address in other letters', async () => {
    await post('/api/emails', { email: 'tom@acme.co.uk' });
    const again = await post('/api/emails', { email: 'TOM@acme.co.uk' });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      code: 'already_exists',
      message: 'tom@acme.co.uk is already in the database.',
    });
  });

  it('refuses a suppressed address, saying why, unless the check is off', async () => {
    await suppress('tom@acme.co.uk');
    await suppressDomain('shop.co.uk');
    const refused = await post('/api/emails', { email: 'tom@acme.co.uk' });
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('conflict');
    expect(refused.body.message).toMatch(/^This address is on the suppression list: mail to it bounced\./);
    const byDomain = await post('/api/emails', { email: 'ann@north.shop.co.uk' });
    expect(byDomain.body.message).toContain('the domain shop.co.uk is suppressed');
    for (const email of ['tom@acme.co.uk', 'ann@north.shop.co.uk']) {
      const added = await post('/api/emails', { email, checkSuppressions: false });
      expect(added.body.status).toBe('suppressed');
    }
    expect(await get('/api/stats')).toMatchObject({ validEmails: 0, suppressedEmails: 2 });
  });

  it('needs an editor', async () => {
    const asViewer = await http.call(stubCaller(workspace, 'viewer'), 'POST', '/api/emails', {
      email: 'a@acme.co.uk',
    });
    expect(asViewer.status).toBe(403);
    expect((await http.call(null, 'GET', '/api/emails')).status).toBe(401);
  });

  it('counts two people adding the same address once', async () => {
    const both = await Promise.all([1, 2, 3].map(() => post('/api/emails', { email: 'tom@acme.co.uk' })));
    expect(both.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });
});

describe('the list', () => {
  it('shows the newest first and pages through all, from both ends', async () => {
    const all = Array.from({ length: 45 }, (_, i) => `person${String(i).padStart(2, '0')}@acme.co.uk`);
    await fill(all);
    const newest = all.toReversed();
    for (const page of [1, 2, 3, 4]) {
      const body = await get(`/api/emails?page=${page}&limit=20`);
      expect(addressesOf(body)).toEqual(newest.slice((page - 1) * 20, page * 20));
      expect(body).toMatchObject({ totalCount: 45, totalIsEstimate: false });
    }
    expect(addressesOf(await get('/api/emails?page=5&limit=10&order=asc'))).toEqual(all.slice(40));
  });

  it('sorts by domain, then local part, copies included', async () => {
    await fill(['b@zoo.co.uk', 'a@zoo.co.uk', 'z@acme.co.uk']);
    await fill(['a@zoo.co.uk'], { state: 2 });
    const sorted = ['z@acme.co.uk', 'a@zoo.co.uk', 'a@zoo.co.uk', 'b@zoo.co.uk'];
    expect(addressesOf(await get('/api/emails?sort=address'))).toEqual(sorted);
    expect(addressesOf(await get('/api/emails?sort=address&order=desc'))).toEqual(sorted.toReversed());
    expect(addressesOf(await get('/api/emails?sort=address&limit=3&page=2'))).toEqual(sorted.slice(3));
  });

  it('finds a far page in the order of addresses by the figures of the domains', async () => {
    const all = Array.from(
      { length: 6000 },
      (_, i) => `p${i % 7}@firm${String(Math.floor(i / 7)).padStart(4, '0')}.co.uk`,
    );
    await fill(all);
    const sorted = all.toSorted((a, b) => (a.split('@')[1] + a < b.split('@')[1] + b ? -1 : 1));
    for (const page of [1, 101, 149, 150, 300]) {
      expect(addressesOf(await get(`/api/emails?sort=address&page=${page}`))).toEqual(
        sorted.slice((page - 1) * 20, page * 20),
      );
    }
  });

  it('shows suppressed before invalid and duplicate, and filters by it with exact totals', async () => {
    await fill(['ok@acme.co.uk', 'bounced@acme.co.uk', 'x@sub.shop.co.uk']);
    await fill(['not an address@acme.co.uk', 'bad@shop.co.uk'], { state: 1 });
    await fill(['ok@acme.co.uk', 'bounced@acme.co.uk'], { state: 2 });
    await suppress('bounced@acme.co.uk');
    expect(await suppressDomain('shop.co.uk')).toBe(2);
    const filtered = async (query: string) => {
      const body = await get(`/api/emails?sort=address&${query}`);
      expect(body.totalCount).toBe(body.emails.length);
      return addressesOf(body);
    };
    expect(await filtered('status=active')).toEqual(['ok@acme.co.uk']);
    expect(await filtered('status=invalid')).toEqual(['not an address@acme.co.uk']);
    expect(await filtered('status=duplicate')).toEqual(['ok@acme.co.uk']);
    const suppressed = ['bounced@acme.co.uk', 'bounced@acme.co.uk', 'bad@shop.co.uk', 'x@sub.shop.co.uk'];
    expect(await filtered('status=suppressed')).toEqual(suppressed);
    expect(await filtered('status=suppressed&domain=ACME.co.uk')).toEqual(suppressed.slice(0, 2));
    expect(await filtered('status=suppressed&search=bounc')).toEqual(suppressed.slice(0, 2));
    expect(await filtered('domain=nowhere.co.uk')).toEqual([]);
    expect(await get('/api/stats')).toMatchObject({
      validEmails: 1,
      suppressedEmails: 4,
      invalidEmails: 1,
      duplicateEmails: 1,
      uniqueDomains: 3,
      totalEmails: 7,
    });
  });

  it('finds any part of an address, taking wildcards as they are', async () => {
    await fill(['tom_ash@acme.co.uk', 'tomxash@acme.co.uk', '100%off@shop.co.uk']);
    const found = async (search: string) =>
      addressesOf(await get(`/api/emails?search=${encodeURIComponent(search)}`));
    expect(await found('m_a')).toEqual(['tom_ash@acme.co.uk']);
    expect(await found('%')).toEqual(['100%off@shop.co.uk']);
    expect(await found('H@ACME.')).toEqual(['tomxash@acme.co.uk', 'tom_ash@acme.co.uk']);
    expect(await found('\\')).toEqual([]);
    expect(await found('uk\ntom')).toEqual([]);
    expect(await found('tom\0x')).toEqual(['tomxash@acme.co.uk']);
  });

  it('keeps workspaces apart', async () => {
    const [id] = await fill(['tom@acme.co.uk']);
    const other = stubCaller(stranger);
    expect(await get('/api/emails?search=tom', other)).toEqual({
      emails: [],
      totalCount: 0,
      totalIsEstimate: false,
      nextCursor: null,
    });
    expect((await http.call(other, 'GET', `/api/emails/${id}`)).status).toBe(404);
    expect((await http.call(other, 'DELETE', `/api/emails/${id}`)).status).toBe(404);
    expect((await http.call(other, 'DELETE', '/api/emails/bulk', { ids: [id] })).body).toEqual({
      removed: 0,
      removalId: null,
    });
    const removal = (await remove(`/api/emails/${id}`)).body.removalId;
    expect((await http.call(other, 'POST', `/api/removals/${removal}/restore`)).status).toBe(404);
  });

  it('refuses what it does not know', async () => {
    for (const query of ['status=gone', 'page=0', 'limit=1000', 'sort=notes']) {
      expect((await http.call(editor(), 'GET', `/api/emails?${query}`)).status).toBe(400);
    }
    expect((await http.call(editor(), 'GET', '/api/emails/x')).status).toBe(400);
    expect((await remove('/api/emails/bulk', {})).status).toBe(400);
    expect((await remove('/api/emails/bulk', { filter: { colour: 'red' } })).status).toBe(400);
  });

  it('refuses a condition that it does not know, by its name, and never looks at all contacts instead', async () => {
    await fill(['ann@acme.co.uk']);
    const filter = { status: 'active', opened: 'yes' };
    const refusals = [
      http.call(editor(), 'GET', '/api/emails?status=active&opened=yes'),
      http.call(editor(), 'GET', '/api/emails/export?status=active&opened=yes'),
      http.call(editor(), 'GET', '/api/emails/export/check?opened=yes'),
      http.call(editor(), 'POST', '/api/emails/export?opened=yes', { filter: {} }),
      http.call(editor(), 'POST', '/api/emails/export', { filter }),
      http.call(editor(), 'POST', '/api/emails/count', { filter }),
      http.call(editor(), 'DELETE', '/api/emails/bulk', { filter }),
    ];
    for (const { status, body } of await Promise.all(refusals)) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_input' });
      expect(body.message).toContain('“opened”');
    }
    expect((await get('/api/emails')).totalCount).toBe(1);
  });
});

describe('removing and restoring', () => {
  it('moves one contact to the bin and back, searchable again', async () => {
    const [id] = await fill(['tom@acme.co.uk', 'ann@acme.co.uk']);
    await suppress('tom@acme.co.uk');
    const gone = await remove(`/api/emails/${id}`);
    expect(gone.body).toMatchObject({ removed: 1 });
    expect((await remove(`/api/emails/${id}`)).status).toBe(404);
    expect(addressesOf(await get('/api/emails'))).toEqual(['ann@acme.co.uk']);
    const restored = await post(`/api/removals/${gone.body.removalId}/restore`);
    expect(restored.body).toEqual({ restored: 1, leftOut: 0 });
    expect(addressesOf(await get('/api/emails?search=tom'))).toEqual(['tom@acme.co.uk']);
    expect((await get(`/api/emails/${id}`)).status).toBe('suppressed');
    expect((await post(`/api/removals/${gone.body.removalId}/restore`)).status).toBe(409);
  });

  it('removes named contacts, each once, and skips what is gone', async () => {
    const ids = await fill(['a@acme.co.uk', 'b@acme.co.uk', 'c@shop.co.uk']);
    const named = [ids[0], ids[0], ids[2], 999_999_999];
    expect((await post('/api/emails/count', { ids: named })).body).toEqual({ count: 2 });
    expect((await remove('/api/emails/bulk', { ids: named })).body.removed).toBe(2);
    expect(addressesOf(await get('/api/emails'))).toEqual(['b@acme.co.uk']);
    expect(await get('/api/stats')).toMatchObject({ validEmails: 1, uniqueDomains: 1 });
  });

  it('keeps in words why they were removed, by hand or by a filter', async () => {
    const [first, second] = await fill([
      'tom@acme.co.uk',
      'ann@acme.co.uk',
      'jo@shop.co.uk',
      'al@kent.gov.uk',
    ]);
    await remove(`/api/emails/${first}`);
    await remove('/api/emails/bulk', { ids: [second] });
    await remove('/api/emails/bulk', { filter: { search: 'shop', status: 'active' } });
    await remove('/api/emails/bulk', { filter: {} });
    const { items } = await get('/api/removals');
    expect(items.map(({ why }: { why: string }) => why)).toEqual([
      'Deleted together: all contacts',
      'Deleted together: contacts for which the address contains “shop” and the status is active',
      'Chosen in the list and deleted',
      'Chosen in the list and deleted',
    ]);
  });

  it('removes exactly what a filter matches', async () => {
    await fill(['tom@acme.co.uk', 'tommy@shop.co.uk', 'ann@acme.co.uk']);
    await suppress('ann@acme.co.uk');
    const filter = { search: 'tom' };
    expect((await post('/api/emails/count', { filter })).body).toEqual({ count: 2 });
    expect((await post('/api/emails/count', { filter: { status: 'suppressed' } })).body).toEqual({
      count: 1,
    });
    expect((await remove('/api/emails/bulk', { filter })).body.removed).toBe(2);
    const rest = await remove('/api/emails/bulk', { filter: {} });
    expect(rest.body.removed).toBe(1);
    expect((await get('/api/emails')).totalCount).toBe(0);
    expect((await remove('/api/emails/bulk', { filter: {} })).body).toEqual({ removed: 0, removalId: null });
  });

  it('brings back only what was not added again meanwhile', async () => {
    await fill(['tom@acme.co.uk', 'ann@acme.co.uk']);
    await fill(['tom@acme.co.uk'], { state: 2 });
    const { removalId } = (await remove('/api/emails/bulk', { filter: {} })).body;
    await post('/api/emails', { email: 'tom@acme.co.uk', notes: 'new' });
    expect((await post(`/api/removals/${removalId}/restore`)).body).toEqual({ restored: 2, leftOut: 1 });
    const after = await get('/api/emails?sort=address');
    expect(after.emails.map((c: Contact) => [c.address, c.status])).toEqual([
      ['ann@acme.co.uk', 'active'],
      ['tom@acme.co.uk', 'duplicate'],
      ['tom@acme.co.uk', 'active'],
    ]);
  });

  /** Two contacts of a removal, of which one cannot come back. */
  async function restoreOneOfTwo(): Promise<{ tom: number; removalId: number }> {
    const [tom = 0] = await fill(['tom@acme.co.uk', 'ann@acme.co.uk']);
    await http.call(editor(), 'PATCH', `/api/emails/${tom}`, { notes: 'old', attributes: { phone: '1' } });
    const { removalId } = (await remove('/api/emails/bulk', { filter: {} })).body;
    await post('/api/emails', { email: 'tom@acme.co.uk', notes: 'new' });
    expect((await post(`/api/removals/${removalId}/restore`)).body).toEqual({ restored: 1, leftOut: 1 });
    return { tom, removalId };
  }

  it('leaves what was added again in the bin, whence it comes when it can', async () => {
    const { tom, removalId } = await restoreOneOfTwo();
    expect((await get('/api/removals')).items[0]).toMatchObject({
      state: 'in-bin',
      contacts: 2,
      restored: 1,
    });
    expect(await get(`/api/removals/${removalId}/contacts`)).toMatchObject({
      totalCount: 1,
      items: [{ id: tom, address: 'tom@acme.co.uk' }],
    });
    const told = async () => {
      const { rows } = await asTenant((tx) =>
        sql<{ details: string }>`
          select details from activities where workspace_id = ${workspace} and action = 'Contacts Restored'
          order by id`.execute(tx),
      );
      return rows.map(({ details }) => details);
    };
    const partly = '1 contact brought back; 1 stays in the bin, because its address exists again';
    expect(await told()).toEqual([partly]);
    expect((await post(`/api/removals/${removalId}/restore`)).body).toEqual({ restored: 0, leftOut: 1 });
    expect(await told()).toEqual([partly]);
    const { emails } = await get('/api/emails?search=tom');
    await remove(`/api/emails/${emails[0].id}`);
    expect((await post(`/api/removals/${removalId}/restore`)).body).toEqual({ restored: 1, leftOut: 0 });
    expect(await get(`/api/emails/${tom}`)).toMatchObject({ notes: 'old', attributes: { phone: '1' } });
    expect((await get('/api/removals')).items[1]).toMatchObject({ state: 'restored', restored: 2 });
    expect((await post(`/api/removals/${removalId}/restore`)).status).toBe(409);
  });

  it('deletes what it left in the bin when its time is over', async () => {
    const { removalId } = await restoreOneOfTwo();
    expect(await purgeBin(db, workspace, 30)).toBe(0);
    await asTenant((tx) => sql`update removals set created_at = now() - interval '31 days'`.execute(tx));
    expect((await post(`/api/removals/${removalId}/restore`)).status).toBe(410);
    expect(await purgeBin(db, workspace, 30)).toBe(1);
    expect((await get('/api/removals')).items[0]).toMatchObject({ state: 'restored', restored: 1 });
  });

  it('keeps one search text for each contact, and none where nothing is left', async () => {
    const [id] = await fill(Array.from({ length: 1200 }, (_, i) => `p${i}@acme.co.uk`));
    const texts = async () => {
      const { rows } = await asTenant((tx) =>
        sql<{ lines: number | null }>`select sum(array_length(string_to_array(addresses, E'\n'), 1)) as lines
          from contact_search_recent where workspace_id = ${workspace}`.execute(tx),
      );
      return rows[0]?.lines;
    };
    const one = (await remove(`/api/emails/${id}`)).body.removalId;
    await post(`/api/removals/${one}/restore`);
    expect(await texts()).toBe(1200);
    const all = (await remove('/api/emails/bulk', { filter: {} })).body.removalId;
    expect(await texts()).toBeNull();
    await post(`/api/removals/${all}/restore`);
    expect(await texts()).toBe(1200);
    expect((await get('/api/emails?search=p1199@')).totalCount).toBe(1);
  });

  it('does not restore after thirty days', async () => {
    const [id] = await fill(['tom@acme.co.uk']);
    const { removalId } = (await remove(`/api/emails/${id}`)).body;
    await asTenant((tx) => sql`update removals set created_at = now() - interval '31 days'`.execute(tx));
    expect((await post(`/api/removals/${removalId}/restore`)).status).toBe(410);
  });

  it('undoes an import but leaves what somebody changed', async () => {
    await fill(['before@acme.co.uk']);
    const ids = await fill(['a@acme.co.uk', 'b@shop.co.uk', 'c@shop.co.uk'], { importId: 7 });
    expect((await get('/api/stats')).validEmailsChange).toBe(300);
    await asTenant((tx) => sql`update contacts set changed_at = now() where id = ${ids[1]}`.execute(tx));
    const undone = await asTenant((tx) =>
      bin.undoSmallImport(
        tx,
        workspace,
        {
          ...{ importId: 7, fileName: 'list.csv', firstId: ids[0] ?? 0, lastId: ids[2] ?? 0 },
          correctedIds: async () => [],
        },
        'tom@acme.co.uk',
      ),
    );
    expect(undone.removed).toBe(2);
    expect(addressesOf(await get('/api/emails'))).toEqual(['b@shop.co.uk', 'before@acme.co.uk']);
  });

  it('leaves a line in the audit log and in the activities', async () => {
    const [id] = await fill(['tom@acme.co.uk']);
    await remove(`/api/emails/${id}`);
    const lines = await asTenant((tx) =>
      sql`select a.action, a.subject, v.action as shown from audit_log a, activities v
          where a.workspace_id = ${workspace} and v.workspace_id = ${workspace}`.execute(tx),
    );
    expect(lines.rows).toEqual([
      { action: 'contact.removed', subject: `contact:${id}`, shown: 'Email Deleted' },
    ]);
  });
});

describe('clean', () => {
  beforeEach(async () => {
    await fill(['ok@acme.co.uk', 'also.ok@leeds.nhs.uk', 'anna@firma.de', 'x@btinternet.com']);
    await fill(['ok@acme.co.uk', 'anna@firma.de'], { state: 2 });
    await fill(['no address@acme.co.uk', 'no address@firma.de'], { state: 1 });
    // Added while validation was loose.
    await fill(['dots..dots@acme.co.uk', 'a@acme.couk', 'dots..dots@firma.de', 'nowhere@']);
  });

  it('counts each contact once, previews the same, and can be undone', async () => {
    const counts = { removed: 10, duplicates: 2, invalid: 6, nonUk: 2 };
    const { reasons, ...previewed } = (await post('/api/emails/clean?preview=true')).body;
    expect(previewed).toEqual({ ...counts, removalId: null, letIn: 0, isEstimate: false });
    expect(reasons).toEqual([
      {
        reason: 'duplicate',
        contacts: 2,
        isEstimate: false,
        samples: ['ok@acme.co.uk', 'anna@firma.de'],
        domains: [
          { domain: 'acme.co.uk', contacts: 1 },
          { domain: 'firma.de', contacts: 1 },
        ],
      },
      {
        reason: 'invalid',
        contacts: 6,
        isEstimate: false,
        samples: expect.arrayContaining(['no address@acme.co.uk', 'dots..dots@acme.co.uk']),
        // A contact without a domain has none to show.
        domains: [
          { domain: 'acme.co.uk', contacts: 2 },
          { domain: 'firma.de', contacts: 2 },
          { domain: 'acme.couk', contacts: 1 },
        ],
      },
      {
        reason: 'nonUk',
        contacts: 2,
        isEstimate: false,
        samples: ['x@btinternet.com', 'anna@firma.de'],
        domains: [
          { domain: 'btinternet.com', contacts: 1 },
          { domain: 'firma.de', contacts: 1 },
        ],
      },
      { reason: 'letIn', contacts: 0, isEstimate: false, samples: [], domains: [] },
    ]);
    expect((await get('/api/emails')).totalCount).toBe(12);
    const cleaned = (await post('/api/emails/clean')).body;
    expect(cleaned).toMatchObject(counts);
    expect(addressesOf(await get('/api/emails?sort=address'))).toEqual([
      'ok@acme.co.uk',
      'also.ok@leeds.nhs.uk',
    ]);
    expect((await post('/api/emails/clean')).body).toEqual({
      removed: 0,
      duplicates: 0,
      invalid: 0,
      nonUk: 0,
      removalId: null,
      letIn: 0,
    });
    expect((await post(`/api/removals/${cleaned.removalId}/restore`)).body).toEqual({
      restored: 10,
      leftOut: 0,
    });
  });

  it('follows the settings', async () => {
    await setSettings('email_validation', {
      strictValidation: false,
      ukPolicy: 'likely',
      allowedDomains: ['.uk', '.couk'],
    });
    const cleaned = (await post('/api/emails/clean')).body;
    expect(cleaned).toMatchObject({ duplicates: 2, invalid: 3, nonUk: 2 });
    expect(addressesOf(await get('/api/emails?sort=address'))).toEqual([
      'dots..dots@acme.co.uk',
      'ok@acme.co.uk',
      'a@acme.couk',
      'x@btinternet.com',
      'also.ok@leeds.nhs.uk',
    ]);
  });
});

describe('stats', () => {
  it('are zero for a new workspace', async () => {
    const stats = await get('/api/stats');
    expect(stats).toMatchObject({ validEmails: 0, validEmailsChange: 0, uniqueDomains: 0 });
    expect(stats.history.days).toHaveLength(30);
  });

  it('carry each day on to the next change', async () => {
    await fill(['tom@acme.co.uk']);
    await asTenant((tx) =>
      sql`insert into contact_counts_daily (workspace_id, day, active, suppressed, invalid, domains)
          select workspace_id, day - back, value, 0, 0, value from contact_counts_daily, (values (100, 5), (10, 3)) as old (back, value)
          where workspace_id = ${workspace}`.execute(tx),
    );
    const { valid, days } = (await get('/api/stats')).history;
    expect(valid).toEqual([...Array(19).fill(5), ...Array(10).fill(3), 1]);
    expect(days).toEqual(days.toSorted());
  });
});
