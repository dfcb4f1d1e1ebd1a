import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idsPerBlock } from '#features/contacts/rules.ts';
import { applyDomainDeltas, lockDomains } from '#features/rollups/server/rollup-queries.ts';
import { verificationConditions } from '#features/verification/server/index.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import type { PlaceInOrder, ReadLimits } from '../../rules/plan.ts';
import type { Tree } from '../../rules/tree.ts';
import { gatherConditions } from '../condition.ts';
import { indexRecentBlocks } from '../index-blocks.ts';
import type { Walked } from '../list-queries.ts';
import { ownConditions } from '../own-conditions.ts';
import { type Sought, seek } from '../sought.ts';
import { mayHold, walkPastRuns } from './domain-runs.ts';

/*
 * A walk past runs of domains that cannot match finds what a walk over all contacts finds: with
 * several blocks for one group of ids, in both tables, with old addresses in them, and read in
 * pieces that end within a group.
 */

const workspace = 3;
const conditions = gatherConditions([...ownConditions, ...verificationConditions]);
let made: TestDatabase;
let db: Database;
const asTenant = <T>(work: (tx: TenantTx) => Promise<T>) => db.asTenant(workspace, work);

const contacts = 640;
/** Within the runs of providers. The last two are in the block that is read last of their group. */
const firmsBetween = [300, 450, 484];
const domain = (n: number) =>
  firmsBetween.includes(n) || n < 40 || n >= 560
    ? `firm${n % 7}.co.uk`
    : n < 500
      ? 'gmail.com'
      : 'hotmail.com';
const local = (n: number) => (n % 5 === 1 ? `info${n}` : `jane${n}`);
const isVerified = (n: number) => n < 200 && n % 3 === 0;
/** The verdict says what the address does not. */
const isFoundCorporate = (n: number) => n === 90;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  const numbers = Array.from({ length: contacts }, (_, n) => n);
  await asTenant(async (tx) => {
    await sql`
      insert into contacts (workspace_id, local, domain)
      select ${workspace}::bigint, * from unnest(${numbers.map(local)}::text[], ${numbers.map(domain)}::text[])`.execute(
      tx,
    );
    await sql`
      insert into verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk, contacts)
      values (${workspace}, 'valid', '{}', 0, 'free', 'uk', 66), (${workspace}, 'valid', '{}', 5, 'corporate', 'uk', 1)`.execute(
      tx,
    );
    await sql`
      insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
      select ${workspace}, v.id, p.id, now()
      from unnest(${numbers.filter(isVerified).map((n) => n + 1)}::bigint[], ${numbers
        .filter(isVerified)
        .map(isFoundCorporate)}::boolean[]) as v (id, is_corporate)
      join verdict_profiles p on (p.kind = 'corporate') = v.is_corporate`.execute(tx);
    await lockDomains(tx, workspace, 'shared');
    await applyDomainDeltas(
      tx,
      workspace,
      sql`select domain, count(*) as valid, 0 as invalid, 0 as duplicate, 0 as valid_suppressed,
            0 as invalid_suppressed, 0 as duplicate_suppressed from contacts group by domain`,
    );
    await blocks(tx, sql`c.id <= 400`, sql`c.id / ${sql.lit(idsPerBlock)}, c.id % 2`);
    // Somebody corrected an address: the old one stays in its block.
    await sql`
      insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      values (${workspace}, 353, 353, 'jane352@firm.co.uk')`.execute(tx);
  });
  await indexRecentBlocks(db);
  await asTenant((tx) => blocks(tx, sql`c.id > 400`, sql`c.id / ${sql.lit(idsPerBlock)}, c.id % 3`));
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

const blocks = (tx: TenantTx, which: ReturnType<typeof sql>, by: ReturnType<typeof sql>) =>
  sql`insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select workspace_id, min(id), max(id), string_agg(local || '@' || domain, E'\n' order by id)
      from contacts c where ${which} group by workspace_id, ${by}`.execute(tx);

type Order = 'asc' | 'desc';

interface Asked {
  tree: Tree;
  order: Order;
  limits?: Partial<ReadLimits>;
}

async function walk(
  { tree, order, limits }: Asked,
  page: { offset: number; limit: number },
  after: PlaceInOrder | null = null,
  below: number | null = null,
): Promise<Walked> {
  return asTenant(async (tx) => {
    const found = await seek(tx, workspace, tree, conditions);
    const sought: Sought = { ...found, after, isPage: true, limits: { ...found.limits, ...limits } };
    const may = mayHold(sought);
    if (may === null) throw new Error('no domain is excluded');
    return walkPastRuns(tx, sought, may, { order, ...page }, below);
  });
}

const kind = (value: string): Tree => ({ version: 1, all: [{ condition: 'kind', value }] });
const isCorporate = (n: number) => isFoundCorporate(n) || (isFirm(n) && n % 5 !== 1 && !isVerified(n));
const isFirm = (n: number) => domain(n).startsWith('firm');

const cases: [string, Tree, (n: number) => boolean][] = [
  ['corporate', kind('corporate'), isCorporate],
  ['posts', kind('role'), (n) => isFirm(n) && n % 5 === 1 && !isVerified(n)],
  ['a class', { version: 1, all: [{ condition: 'uk', value: 'uk' }] }, isFirm],
  [
    'one of two, and not of some',
    {
      version: 1,
      all: [
        {
          any: [
            { condition: 'kind', value: 'corporate' },
            { condition: 'domain', value: 'hotmail.com' },
          ],
        },
        { none: [{ condition: 'domain', value: 'firm3.co.uk' }] },
      ],
    },
    (n) => (isCorporate(n) || domain(n) === 'hotmail.com') && domain(n) !== 'firm3.co.uk',
  ],
];
const expected = (isMeant: (n: number) => boolean, order: Order): number[] => {
  const ids = Array.from({ length: contacts }, (_, n) => n).flatMap((n) => (isMeant(n) ? [n + 1] : []));
  return order === 'asc' ? ids : ids.reverse();
};

describe.each(cases)('a walk to %s', (_name, tree, isMeant) => {
  describe.each(['asc', 'desc'] as const)('by id %s', (order) => {
    const all = expected(isMeant, order);

    it('finds all, and any part of them', async () => {
      expect(await walk({ tree, order }, { offset: 0, limit: contacts })).toEqual({ ids: all, isCut: false });
      for (const offset of [0, 7, all.length - 3])
        expect(await walk({ tree, order }, { offset, limit: 5 })).toEqual({
          ids: all.slice(offset, offset + 5),
          isCut: false,
        });
    });

    it('goes on after any of them', async () => {
      for (const at of [0, 3, 20, all.length - 2]) {
        const after: PlaceInOrder = { sort: 'createdAt', order, id: all[at] as number };
        const { ids } = await walk({ tree, order }, { offset: 0, limit: 9 }, after);
        expect(ids).toEqual(all.slice(at + 1, at + 10));
      }
    });

    it('looks below an id', async () => {
      const { ids } = await walk({ tree, order }, { offset: 0, limit: contacts }, null, 570);
      expect(ids).toEqual(all.filter((id) => id < 570));
    });

    it.each([1, 2, 5, 13, 34, 89])('has no gap when %d blocks are read', async (read) => {
      const { ids, isCut } = await walk(
        { tree, order, limits: { blocks: read } },
        { offset: 0, limit: contacts },
      );
      expect(ids).toEqual(all.slice(0, ids.length));
      expect(isCut || ids.length === all.length).toBe(true);
    });

    it.each([1, 40, 200, 400])('has no gap when %d contacts are tested', async (tested) => {
      const { ids, isCut } = await walk({ tree, order, limits: { tested } }, { offset: 0, limit: contacts });
      expect(ids).toEqual(all.slice(0, ids.length));
      expect(isCut || ids.length === all.length).toBe(true);
    });
  });
});

it.each(['asc', 'desc'] as const)('has no gap where a piece ends within a group, by id %s', async (order) => {
  const all = expected(isCorporate, order);
  const between = firmsBetween.map((n) => n + 1);
  const page = { offset: 0, limit: Math.max(...between.map((id) => all.indexOf(id))) + 1 };
  for (let blocks = 30; blocks < 50; blocks += 1) {
    const limits = { tested: blocks * idsPerBlock };
    const { ids, isCut } = await walk({ tree: kind('corporate'), order, limits }, page);
    expect(ids).toEqual(all.slice(0, ids.length));
    expect(isCut || ids.length === page.limit, `after ${blocks} blocks`).toBe(true);
  }
});

it('does not test contacts of a run', async () => {
  const asked: Asked = { tree: kind('corporate'), order: 'desc', limits: { tested: 256 } };
  // After 80 contacts of firms there are 520 of providers, with three firms and a verdict.
  const { ids, isCut } = await walk(asked, { offset: 0, limit: 68 });
  expect(ids).toEqual(expected(isCorporate, 'desc').slice(0, 68));
  expect(ids.slice(-4)).toEqual([485, 451, 301, 91]);
  expect(isCut).toBe(false);
});

it('knows nothing about what the domain does not say', async () => {
  const trees: Tree[] = [
    { version: 1, all: [] },
    { version: 1, all: [{ condition: 'source', value: 'web' }] },
    { version: 1, all: [{ none: [{ condition: 'kind', value: 'corporate' }] }] },
    {
      version: 1,
      all: [
        {
          any: [
            { condition: 'kind', value: 'corporate' },
            { condition: 'source', value: 'web' },
          ],
        },
      ],
    },
  ];
  await asTenant(async (tx) => {
    for (const tree of trees) expect(mayHold(await seek(tx, workspace, tree, conditions))).toBeNull();
  });
});
