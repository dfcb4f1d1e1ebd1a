import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idsPerBlock } from '#features/contacts/rules.ts';

import { contactsWithSuppression } from '#features/contacts/server/status-queries.ts';
import { blockDomain } from '#features/rollups/server/index.ts';
import { applyDomainDeltas, lockDomains } from '#features/rollups/server/rollup-queries.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import type { ContactFilter } from '../contract.ts';
import { treeOfSelection } from '../rules/flat-filter.ts';
import type { PlaceInOrder } from '../rules/plan.ts';
import { gatherConditions } from './condition.ts';
import { indexRecentBlocks } from './index-blocks.ts';
import { ownConditions } from './own-conditions.ts';
import { findPage } from './pages.ts';
import { countFound } from './search-queries.ts';
import { matches, type Sought, seek } from './sought.ts';
import { blockWalk } from './walks/block-walk.ts';
import { countAll, findAll } from './whole.ts';

/** More contacts than are tested one by one, so that every search method is used. */
const contacts = 80_000;
const workspace = 1;
const stranger = 2;

let made: TestDatabase;
let db: Database;
const asTenant = <T>(work: (tx: TenantTx) => Promise<T>) => db.asTenant(workspace, work);

/**
 * Common: 'common' is in one of ten contacts. Middling: 'middling' fills two thousand blocks. Rare:
 * 'seldom' is in one of 10,000.
 */
const localOf = sql`(case when n % 10 = 0 then 'common' when n % 10000 = 7 then 'seldom' when n % 3 = 1 then 'abc' else 'xyz' end) || '.p' || n`;
const domainOf = sql`(case when n % 50 = 3 then 'blocked.uk' when n <= 300 then 'small.co.uk' when n % 10 < 7 then 'large.co.uk' else 'firm' || n % 97 || '.co.uk' end)`;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  await asTenant(async (tx) => {
    await sql`insert into contacts (workspace_id, local, domain, state, source, import_id, created_at)
      select ${workspace}::bigint, ${localOf}, ${domainOf}, case when n % 400 = 9 then 1 else 0 end,
             case when n % 1000 = 500 then 'rare fair' when n % 4 > 0 then 'website' end, n / 70000 + 1,
             '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 minute'
      from generate_series(1, ${contacts}::int) n order by n`.execute(tx);
    await sql`insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select workspace_id, min(id), max(id), string_agg(local || '@' || domain, E'\n') from contacts group by workspace_id, id / ${sql.lit(idsPerBlock)}`.execute(
      tx,
    );
    await sql`insert into imports (workspace_id, file_name, status, options, first_contact_id, last_contact_id)
      select ${workspace}::bigint, 'file', 'completed', '{}', min(id), max(id) from contacts group by import_id order by import_id`.execute(
      tx,
    );
    await lockDomains(tx, workspace, 'shared');
    await applyDomainDeltas(
      tx,
      workspace,
      sql`select domain, (state = 0)::int as valid, (state = 1)::int as invalid, 0 as duplicate, 0 as valid_suppressed,
                 0 as invalid_suppressed, 0 as duplicate_suppressed from contacts`,
    );
  });
  await asTenant(async (tx) => {
    await sql`insert into domain_suppressions (workspace_id, domain, reason) values (${workspace}, 'blocked.uk', 'manual')`.execute(
      tx,
    );
    await blockDomain(tx, workspace, 'blocked.uk');
  });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

/** A flat filter, with null where nothing is asked for, and a place to continue from. */
interface SearchFilter {
  term: string | null;
  status: ContactFilter['status'] | null;
  domain: string | null;
  source: string | null;
  importId: number | null;
  addedFrom: string | null;
  addedTo: string | null;
  after: PlaceInOrder | null;
}

const filterOf = (filter: Partial<SearchFilter>): SearchFilter => ({
  term: null,
  status: null,
  domain: null,
  source: null,
  importId: null,
  addedFrom: null,
  addedTo: null,
  after: null,
  ...filter,
});

async function soughtBy(tx: TenantTx, { term, after, ...rest }: SearchFilter): Promise<Sought> {
  const given = Object.entries({ search: term, ...rest }).filter(([, value]) => value !== null);
  const tree = treeOfSelection({ filter: Object.fromEntries(given) });
  return { ...(await seek(tx, workspace, tree, gatherConditions(ownConditions))), after };
}

/** Every match, newest first, found by reading all contacts. */
async function truth(filter: SearchFilter): Promise<number[]> {
  const { rows } = await asTenant((tx) =>
    sql<{ id: number }>`
      select id from contacts c
      where (${filter.term}::text is null or local || '@' || domain like '%' || ${filter.term}::text || '%')
        and (${filter.domain}::text is null or domain = ${filter.domain}::text)
        and (${filter.source}::text is null or source = ${filter.source}::text)
        and (${filter.importId}::bigint is null or import_id = ${filter.importId}::bigint)
        and (${filter.addedFrom}::date is null or (created_at at time zone 'Europe/London')::date >= ${filter.addedFrom}::date)
        and (${filter.addedTo}::date is null or (created_at at time zone 'Europe/London')::date <= ${filter.addedTo}::date)
        and (${filter.status}::text is null or ${filter.status}::text =
          case when domain = 'blocked.uk' then 'suppressed' when state = 1 then 'invalid' else 'active' end)
      order by id desc`.execute(tx),
  );
  return rows.map((row) => row.id);
}

/** Contacts in address order. */
async function byAddress(ids: number[]): Promise<{ id: number; domain: string; local: string }[]> {
  const { rows } = await asTenant((tx) =>
    sql<{ id: number; domain: string; local: string }>`
      select id, domain, local from contacts where id = any(${`{${ids.join(',')}}`}::bigint[])
      order by domain, local, id`.execute(tx),
  );
  return rows;
}

const find = (
  filter: SearchFilter,
  offset = 0,
  changes: { order?: 'asc' | 'desc'; sort?: 'createdAt' | 'address' } = {},
) =>
  asTenant(async (tx) =>
    findPage(tx, await soughtBy(tx, filter), {
      sort: 'createdAt',
      order: 'desc',
      offset,
      limit: 20,
      ...changes,
    }),
  );

const filters: Record<string, Partial<SearchFilter>> = {
  'a common term': { term: 'common' },
  'a middling term': { term: 'p1234' },
  'a rare term': { term: 'seldom' },
  'one address': { term: 'p77777@large' },
  'no address': { term: 'commonabc' },
  'a term in every address': { term: 'uk' },
  'two characters': { term: 'ab' },
  'a term without letters': { term: '@f' },
  'both sides of the @': { term: '77@firm7' },
  'both sides of a dot': { term: 'dom.p' },
  'one letter on each side of a dot': { term: 'm.p' },
  'what the index writes for a dot': { term: 'mqxp' },
  'a common term, few invalid': { term: 'abc', status: 'invalid' },
  'a common term, suppressed': { term: 'common', status: 'suppressed' },
  'a common term, active': { term: 'common', status: 'active' },
  'a rare term, active': { term: 'seldom', status: 'active' },
  'a common term in a small domain': { term: 'abc', domain: 'small.co.uk' },
  'no term, active': { status: 'active' },
  'no term, suppressed': { status: 'suppressed' },
  'no term, invalid': { status: 'invalid' },
  'no term, a domain': { domain: 'firm7.co.uk' },
  'no term, a large domain': { domain: 'large.co.uk' },
  'no term, a large domain, active': { domain: 'large.co.uk', status: 'active' },
  'a common source': { source: 'website' },
  'a common source, invalid': { source: 'website', status: 'invalid' },
  'a rare source': { source: 'rare fair' },
  'a source nobody came from': { source: 'nowhere' },
  'a term and a source': { term: 'common', source: 'website' },
  'a large import': { importId: 1 },
  'a large import, active': { importId: 1, status: 'active' },
  'a small import': { importId: 2 },
  'an import that is not there': { importId: 3 },
  'most days, over the change of the clocks': { addedFrom: '2026-03-03', addedTo: '2026-04-20' },
  'one day of summer': { addedFrom: '2026-04-02', addedTo: '2026-04-02' },
  'days after the last': { addedFrom: '2026-06-01' },
  'days up to the first': { addedTo: '2026-03-01' },
  'a large import, a source, some days': { importId: 1, source: 'website', addedFrom: '2026-03-02' },
};

function describeSearch(): void {
  it.each(Object.entries(filters))('%s', async (_name, given) => {
    const filter = filterOf(given);
    const all = await truth(filter);
    for (const offset of [0, 20, 1000, Math.max(0, all.length - 10)]) {
      const found = await find(filter, offset);
      expect(found.ids).toEqual(all.slice(offset, offset + 20));
      if (!found.isEstimate)
        expect(found.total).toBe(offset < all.length || offset === 0 ? all.length : found.total);
      else {
        expect(found.total).toBeGreaterThan(all.length * 0.7);
        expect(found.total).toBeLessThan(all.length * 1.3);
      }
    }
    expect((await find(filter, 0, { order: 'asc' })).ids).toEqual(all.toReversed().slice(0, 20));
    await asTenant(async (tx) => {
      const sought = await soughtBy(tx, filter);
      expect(await countAll(tx, sought)).toBe(all.length);
      expect(await countFound(tx, await findAll(tx, sought))).toBe(all.length);
    });
  });
}

describe('before the trigram index has the contacts', () => describeSearch());

describe('when it has them', () => {
  beforeAll(async () => {
    await expect(indexRecentBlocks(db)).resolves.toBeGreaterThanOrEqual(Math.floor(contacts / idsPerBlock));
    await expect(indexRecentBlocks(db)).resolves.toBe(0);
  });
  describeSearch();

  it('totals of rare terms are exact, of common ones said to be estimates', async () => {
    expect((await find(filterOf({ term: 'seldom' }))).isEstimate).toBe(false);
    expect((await find(filterOf({ term: 'common' }))).isEstimate).toBe(true);
  });

  it('sorts what it finds by address', async () => {
    for (const term of ['common', 'seldom']) {
      const { rows } = await asTenant((tx) =>
        sql<{
          id: number;
        }>`select id from contacts where local || '@' || domain like ${`%${term}%`} order by domain, local limit 20`.execute(
          tx,
        ),
      );
      const found = await find(filterOf({ term }), 0, { sort: 'address', order: 'asc' });
      expect(found.ids).toEqual(rows.map((row) => row.id));
    }
  });

  it('sorts a source and an import by address, also far on', async () => {
    for (const given of [{ source: 'website' }, { importId: 2 }]) {
      const filter = filterOf(given);
      const ids = await truth(filter);
      const { rows } = await asTenant((tx) =>
        sql<{ id: number }>`select id from contacts where id = any(${`{${ids.join(',')}}`}::bigint[])
          order by domain, local`.execute(tx),
      );
      for (const offset of [0, 2000]) {
        const found = await find(filter, offset, { sort: 'address', order: 'asc' });
        expect(found.ids).toEqual(rows.slice(offset, offset + 20).map((row) => row.id));
      }
    }
  });

  describe('goes on after a contact', () => {
    it.each(Object.entries(filters))('%s', async (_name, given) => {
      const filter = filterOf(given);
      const newestFirst = await truth(filter);
      const aToZ = await byAddress(newestFirst);
      for (const order of ['asc', 'desc'] as const) {
        const lists = {
          createdAt: order === 'desc' ? newestFirst : newestFirst.toReversed(),
          address: order === 'asc' ? aToZ.map(({ id }) => id) : aToZ.map(({ id }) => id).toReversed(),
        };
        for (const sort of ['createdAt', 'address'] as const) {
          const all = lists[sort];
          for (const at of [0, 700, all.length - 3, all.length - 1]) {
            const place = aToZ.find(({ id }) => id === all[at]);
            if (!place) continue;
            const after = { sort, order, ...place };
            const { ids } = await find({ ...filter, after }, 0, { sort, order });
            expect(ids, `${sort} ${order} after ${at}`).toEqual(all.slice(at + 1, at + 21));
          }
        }
      }
    });
  });

  it('enters the index of the order where the page begins', async () => {
    const after = { sort: 'address', order: 'asc', id: 1, domain: 'large.co.uk', local: 'xyz.p9' } as const;
    const { rows } = await asTenant(async (tx) =>
      sql<{ 'QUERY PLAN': string }>`
        explain select c.id from ${contactsWithSuppression}
        where ${matches(await soughtBy(tx, filterOf({ after })))} and c.state <> 2
        order by c.domain, c.local, c.id limit 20`.execute(tx),
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: .*ROW\(domain, local\)/);
  });

  it('finds nothing of another workspace, and nothing without one', async () => {
    const blocks = (db_: TenantTx) => sql`select * from search_blocks('common', 10)`.execute(db_);
    expect((await db.asTenant(stranger, blocks)).rows).toEqual([]);
    expect((await blocks(db.system as TenantTx)).rows).toEqual([]);
    expect((await asTenant(blocks)).rows).toHaveLength(10);
  });

  it('goes through the trigram index for a rare term', async () => {
    const client = new pg.Client({ connectionString: made.ownerUrl });
    await client.connect();
    await client.query('analyze contact_search');
    const { rows } = await client.query(
      `explain select from contact_search where workspace_id = 1 and search_text(addresses) like contains_pattern(search_text('dom.p'))`,
    );
    await client.end();
    expect(JSON.stringify(rows)).toContain('contact_search_trigrams');
  });
});

it('makes one block of those that single contacts brought', async () => {
  const alone = (await createTestDatabase()) satisfies TestDatabase;
  const other = openDatabase({ url: alone.appUrl });
  await other.asTenant(stranger, (tx) =>
    sql`insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
        select ${stranger}::bigint, n, n, 'p' || n || '@acme.co.uk' from generate_series(100, 130) n`.execute(
      tx,
    ),
  );
  expect(await indexRecentBlocks(other)).toBe(31);
  const { rows } = await other.asTenant(stranger, (tx) =>
    sql`select first_id, last_id, array_length(string_to_array(addresses, E'\n'), 1) as lines from contact_search order by 1`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([
    { first_id: 100, last_id: 111, lines: 12 },
    { first_id: 112, last_id: 127, lines: 16 },
    { first_id: 128, last_id: 130, lines: 3 },
  ]);
  await other.close();
  await alone.drop();
});

describe('a walk over blocks that meets fewer than it should', () => {
  const places = (blocks: { firstId: number }[]) => blocks.map(({ firstId }) => firstId);
  it.each([
    ['desc', null],
    ['asc', null],
    ['desc', 40_000],
    ['asc', 40_000],
  ] as const)('finds the rest through the index: %s after %s', async (order, after) => {
    await asTenant(async (tx) => {
      // Expects a match in every block, although only one in 150 has one.
      const hasty = blockWalk(tx, workspace, { term: 'seldom', after, patience: 1 }, order, 1);
      const patient = blockWalk(tx, workspace, { term: 'seldom', after }, order, 1);
      const all = await patient(2000);
      expect(all.isAll).toBe(true);
      expect(all.blocks.length).toBeGreaterThan(2);
      expect((await hasty(1)).blocks.length).toBeGreaterThan(0);
      expect(places((await hasty(2000)).blocks)).toEqual(places(all.blocks));
    });
  });
});
