import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyDomainDeltas, lockDomains } from '#features/rollups/server/rollup-queries.ts';
import { verificationConditions } from '#features/verification/server/index.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import type { ContactFilter } from '../contract.ts';
import {
  isRankedSort,
  type PageRequest,
  type PlaceInOrder,
  type Plan,
  type ReadLimits,
} from '../rules/plan.ts';
import { openAudience } from './audience.ts';
import { gatherConditions } from './condition.ts';
import { readFigures, readIndexes } from './figures.ts';
import { indexRecentBlocks } from './index-blocks.ts';
import { ownConditions } from './own-conditions.ts';
import { carryOut, type FoundPage } from './pages.ts';
import { rankingFor } from './ranked-queries.ts';
import { sampleDomains } from './sample-queries.ts';
import { type Sought, seek } from './sought.ts';
import { areDomainsWorth } from './whole.ts';

/*
 * What lists of millions do, with limits that a few hundred contacts reach. A walk that is cut
 * shows the beginning of the list and never one with gaps, a cursor goes on from there, and what
 * would take too long is refused.
 */

const workspace = 1;
const conditions = gatherConditions([...ownConditions, ...verificationConditions]);
const audience = openAudience(() => conditions);
let made: TestDatabase;
let db: Database;
const asTenant = <T>(work: (tx: TenantTx) => Promise<T>) => db.asTenant(workspace, work);

const contacts = 400;
/**
 * In the order of ids: mostly verified, with some in between that are not, and a run at the end.
 */
const isVerified = (n: number) => n % 40 !== 7 && n < 380;
const state = (n: number) => (n % 31 === 3 ? 1 : n % 37 === 5 ? 2 : 0);
const isNhs = (n: number) => n % 17 === 6;
const local = (n: number) => (!isNhs(n) && (n % 50 === 9 || n > 396) ? 'info' : `jane.n${n}`);
const domain = (n: number) =>
  isNhs(n) ? 'leeds.nhs.uk' : local(n) === 'info' ? `firm${n}.co.uk` : `d${(n * 7) % 23}.co.uk`;
const source = (n: number) => (n % 90 === 11 ? 'fair' : 'web');

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  await asTenant(async (tx) => {
    const numbers = Array.from({ length: contacts }, (_, n) => n);
    await sql`
      insert into contacts (workspace_id, local, domain, state, source)
      select ${workspace}::bigint, * from unnest(
        ${numbers.map(local)}::text[], ${numbers.map(domain)}::text[], ${numbers.map(state)}::smallint[],
        ${numbers.map(source)}::text[])`.execute(tx);
    await sql`
      insert into verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk)
      select ${workspace}::bigint, verdict, '{}', risk, kind, 'uk'
      from unnest('{valid,valid,risky,invalid}'::text[], '{0,5,40,100}'::smallint[], '{corporate,nhs,corporate,corporate}'::text[])
        as p (verdict, risk, kind)`.execute(tx);
    await sql`
      insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
      select c.workspace_id, c.id, p.id, now()
      from unnest(${numbers.filter(isVerified).map((n) => n + 1)}::bigint[]) as verified (id)
      join contacts c using (id)
      join verdict_profiles p on p.risk = case when c.state = 1 then 100 when c.id % 9 = 0 then 40 when c.id % 19 = 0 then 5 else 0 end`.execute(
      tx,
    );
    await sql`update verdict_profiles p set contacts = (
      select count(*) from contact_verifications v where v.profile_id = p.id)`.execute(tx);
    await sql`
      insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select workspace_id, min(id), max(id), string_agg(local || '@' || domain, E'\n')
      from contacts group by workspace_id, id / 16`.execute(tx);
    await lockDomains(tx, workspace, 'shared');
    await applyDomainDeltas(
      tx,
      workspace,
      sql`select domain, count(*) filter (where state = 0) as valid, count(*) filter (where state = 1) as invalid,
            count(*) filter (where state = 2) as duplicate, 0 as valid_suppressed, 0 as invalid_suppressed,
            0 as duplicate_suppressed from contacts group by domain`,
    );
  });
  await indexRecentBlocks(db);
  const owner = new pg.Client({ connectionString: made.ownerUrl });
  await owner.connect();
  // With the figures of millions, the planner knows which index is the shorter way.
  await owner.query('analyze contacts, contact_verifications, contact_domains, verdict_profiles');
  await owner.end();
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

type Order = Pick<PageRequest, 'sort' | 'order'>;

async function soughtFor(
  tx: TenantTx,
  filter: ContactFilter,
  by: Order,
  limits?: Partial<ReadLimits>,
): Promise<Sought> {
  const { sort, order } = by;
  const ranking = isRankedSort(sort) ? await rankingFor(tx, workspace, conditions, { sort, order }) : null;
  const sought = await seek(tx, workspace, audience.of({ filter }), conditions);
  return { ...sought, ranking, isPage: true, limits: { ...sought.limits, ...limits } };
}

/** A page by the plan that millions of contacts would get. */
async function pageBy(
  tx: TenantTx,
  { filter, by, limits, after = null }: Asked & { after?: PlaceInOrder | null },
  { offset = 0, limit = 5 } = {},
): Promise<FoundPage> {
  const sought = { ...(await soughtFor(tx, filter, by, limits)), after };
  const known = await readFigures(tx, sought);
  const total = known.candidates;
  const usual = sought.leads.hasLists ? 'walk by list' : 'walk by id';
  const plan: Plan = isRankedSort(by.sort)
    ? { kind: 'walk by rank', total, isEstimate: true }
    : {
        kind: by.sort === 'address' ? 'walk by address' : usual,
        total,
        isEstimate: true,
        isFromEnd: false,
      };
  return carryOut({ tx, sought, known, page: { ...by, offset, limit } }, plan);
}

async function all(filter: ContactFilter, by: Order): Promise<number[]> {
  return asTenant(async (tx) => {
    const sought = await soughtFor(tx, filter, by);
    const page = { ...by, offset: 0, limit: contacts };
    const ask = { tx, sought, known: await readFigures(tx, sought), page };
    return (await carryOut(ask, { kind: 'gather', total: null })).ids;
  });
}

interface Asked {
  filter: ContactFilter;
  by: Order;
  limits: Partial<ReadLimits>;
}

/** The pages by cursor, until the list ends (null) or one is refused (the reason). */
async function walk(asked: Asked): Promise<{ ids: number[]; isShort: boolean; end: string | null }> {
  const ids: number[] = [];
  let isShort = false;
  let after: PlaceInOrder | null = null;
  for (;;) {
    const found: FoundPage | string = await asTenant((tx) => pageBy(tx, { ...asked, after })).catch(
      (error: Error) => error.message,
    );
    if (typeof found === 'string') return { ids, isShort, end: found };
    ids.push(...found.ids);
    isShort ||= found.isCut === true;
    if (found.isCut) {
      expect(found.ids.length).toBeGreaterThan(0);
      expect(found.isEstimate, 'a list that was cut does not know its number').toBe(true);
      expect(found.total).toBeGreaterThan(found.ids.length);
    } else if (found.ids.length < 5) return { ids, isShort, end: null };
    const last = found.ids.at(-1) as number;
    after = await asTenant(async (tx) => {
      const { rows } = await sql<{ id: number; domain: string; local: string }>`
        select id, domain, local from contacts where workspace_id = ${workspace} and id = ${last}`.execute(
        tx,
      );
      return audience.placeOf(
        tx,
        workspace,
        rows[0] as { id: number; domain: string; local: string },
        asked.by,
      );
    });
  }
}

const orders: Order[] = (['createdAt', 'address', 'verdict', 'risk'] as const).flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
);
const filters: Record<string, ContactFilter> = {
  everybody: {},
  active: { status: 'active' },
  invalid: { status: 'invalid' },
  duplicate: { status: 'duplicate' },
  'a rare kind': { kind: 'role' },
  'a rare source': { source: 'fair' },
  'a rare source of the active': { source: 'fair', status: 'active' },
  'a class and a kind': { uk: 'uk', kind: 'role' },
  'a verdict of the active': { verdict: 'risky', status: 'active' },
  'a verdict of a rare source': { verdict: 'valid', source: 'fair' },
  'a kind of few domains': { kind: 'nhs' },
  'what nobody is': { kind: 'academic' },
};
const cases = Object.entries(filters).flatMap(([name, filter]) =>
  orders.map((by) => ({ name, filter, by, told: `${name}, by ${by.sort} ${by.order}` })),
);

describe('a walk by cursor', () => {
  it.each(cases)('of $told, cut after few contacts, has no gap', async ({ filter, by }) => {
    const limits = { gathered: 10, tested: 30, passed: 30, skipped: 30, blocks: 4 };
    const expected = await all(filter, by);
    const { ids, end } = await walk({ filter, by, limits });
    expect(ids).toEqual(expected.slice(0, ids.length));
    if (end === null) expect(ids).toEqual(expected);
    else expect(end).toMatch(/too far apart/);
  });

  it.each(cases)('of $told, with all within reach, is complete', async ({ filter, by }) => {
    const limits = { gathered: contacts, tested: 30, passed: 30, skipped: 30, blocks: 4 };
    const { ids, isShort, end } = await walk({ filter, by, limits });
    expect(ids).toEqual(await all(filter, by));
    expect([isShort, end]).toEqual([false, null]);
  });
});

describe('a kind that the domain tells', () => {
  const kinds = ['nhs', 'academic', 'free'] as const;
  it.each(kinds.flatMap((kind) => orders.map((by) => ({ kind, by }))))(
    '$kind is gathered by lists and domains, by $by',
    async ({ kind, by }) => {
      const expected = await all({ kind }, by);
      expect(expected.length > 0).toBe(kind === 'nhs');
      const found = await asTenant(async (tx) => {
        const sought = await soughtFor(tx, { kind }, by, { gathered: 60 });
        const ask = {
          tx,
          sought,
          known: await readFigures(tx, sought),
          page: { ...by, offset: 0, limit: contacts },
        };
        expect(ask.known.reach).toBeGreaterThan(60);
        expect(await readIndexes(ask)).toBeLessThanOrEqual(60);
        expect(ask.sought.either).not.toBeNull();
        return carryOut(ask, { kind: 'gather', total: null });
      });
      expect(found.ids).toEqual(expected);
      expect(found.total).toBe(expected.length);
    },
  );

  it('is that of some who were verified and of some who were not', async () => {
    const found = await all({ kind: 'nhs' }, { sort: 'createdAt', order: 'asc' });
    expect(found.filter((id) => isVerified(id - 1)).length).toBeGreaterThan(3);
    expect(found.filter((id) => !isVerified(id - 1)).length).toBeGreaterThan(1);
  });
});

it('reads the figures of very many domains only where they help to count', async () => {
  await asTenant(async (tx) => {
    const by: Order = { sort: 'createdAt', order: 'desc' };
    /** As `seek` finds it where there are more domains than are read for a page. */
    const briefly = async (filter: ContactFilter): Promise<Sought> => {
      const sought = await soughtFor(tx, filter, by);
      const { conjuncts, inDomains } = sought;
      const others = [...conjuncts.others, ...(conjuncts.inDomains ? [conjuncts.inDomains] : [])];
      const range = { first: 1, last: contacts };
      const unreadDomains = inDomains?.ofDomain ?? null;
      return { ...sought, unreadDomains, range, conjuncts: { ...conjuncts, inDomains: null, others } };
    };
    expect(await areDomainsWorth(tx, await briefly({ source: 'web' }))).toBe(false);
    const alone = await briefly({ uk: 'uk' });
    const narrowed = await briefly({ uk: 'uk', source: 'web' });
    /** As with so many times the contacts: the sample is stretched over the ids. */
    const asMany = (sought: Sought, last: number) => ({ ...sought, range: { first: 1, last } });
    expect(await areDomainsWorth(tx, alone)).toBe(true);
    expect(await areDomainsWorth(tx, asMany(alone, 400_000_000))).toBe(true);
    expect(await areDomainsWorth(tx, narrowed)).toBe(true);
    expect(await areDomainsWorth(tx, asMany(narrowed, 400_000_000))).toBe(false);
  });
});

it('estimates how many contacts some domains have', async () => {
  const nhs = Array.from({ length: contacts }, (_, n) => n).filter(isNhs).length;
  const found = await asTenant((tx) =>
    sampleDomains(tx, workspace, { first: 1, last: contacts }, (of) => sql`${of} = 'leeds.nhs.uk'`),
  );
  expect(Math.abs(found - nhs)).toBeLessThan(nhs / 4);
});

it('shows what it found of a list and goes on from there', async () => {
  const by: Order = { sort: 'createdAt', order: 'desc' };
  const filter = { source: 'fair' };
  const { ids, isShort, end } = await walk({
    filter,
    by,
    limits: { gathered: 3, tested: 95, passed: 95 },
  });
  expect(isShort).toBe(true);
  expect(end).toBeNull();
  expect(ids).toHaveLength(5);
  expect(ids).toEqual(await all(filter, by));
});

describe('contacts that were never verified', () => {
  const far = /too far apart/;
  const limits = { gathered: 30, tested: 30, passed: 30, skipped: 30, blocks: 4 };
  const last = contacts - 5;

  it.each(orders.filter(({ sort }) => isRankedSort(sort)))(
    'are refused at the far end by $sort $order',
    async (by) => {
      const page = (offset: number) => asTenant((tx) => pageBy(tx, { filter: {}, by, limits }, { offset }));
      // The oldest lie between many that were verified.
      await expect(page(last)).rejects.toThrow(far);
      // The newest are a run.
      const unverified = Array.from({ length: contacts }, (_, n) => n).filter((n) => !isVerified(n)).length;
      const found = await page(contacts - unverified);
      expect(found.ids).toEqual([400, 399, 398, 397, 396]);
    },
  );

  it.each(orders.filter(({ sort }) => isRankedSort(sort)))(
    'are found at the far end by $sort $order within reach',
    async (by) => {
      const within = { ...limits, gathered: contacts };
      const found = await asTenant((tx) => pageBy(tx, { filter: {}, by, limits: within }, { offset: last }));
      expect(found.ids).toEqual((await all({}, by)).slice(last));
    },
  );
});

it('reads no more of a list than the limits say', async () => {
  const limits = { gathered: 30, tested: 30, passed: 30, skipped: 30, blocks: 4 };
  for (const { filter, by } of cases) {
    const most = await asTenant(async (tx) => {
      // As with millions of contacts, where nothing is found faster by reading all of them.
      await sql`set local enable_seqscan = off`.execute(tx);
      let rows = 0;
      const executor = tx.getExecutor();
      const watched: TenantTx = new Proxy(tx, {
        get: (target, name) => {
          if (name !== 'getExecutor') return Reflect.get(target, name);
          return () =>
            new Proxy(executor, {
              get(real, member) {
                const value = Reflect.get(real, member);
                if (typeof value !== 'function') return value;
                if (member !== 'executeQuery') return value.bind(real);
                return async (query: { sql: string }) => {
                  if (/^\s*(select|with)/.test(query.sql) && query.sql.includes('contacts c')) {
                    const explained = await value.call(real, {
                      ...query,
                      sql: `explain (analyze, format json) ${query.sql}`,
                    });
                    rows = Math.max(rows, readFrom(explained.rows[0]['QUERY PLAN'][0].Plan));
                  }
                  return value.call(real, query);
                };
              },
            });
        },
      });
      await pageBy(watched, { filter, by, limits }).catch(() => undefined);
      return rows;
    });
    expect(most, JSON.stringify({ filter, by })).toBeLessThanOrEqual(3 * 30);
  }
});

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** The rows of `contacts` that a plan read. */
const readFrom = (node: Node): number =>
  (node['Relation Name'] === 'contacts'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, one) => sum + readFrom(one), 0);
