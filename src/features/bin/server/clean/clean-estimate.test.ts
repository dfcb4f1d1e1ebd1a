import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CleanReason, cleanReasons } from '#features/bin/contract.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { planClean } from './clean-count.ts';
import { estimateClean } from './clean-estimate.ts';
import type { CleanPlan } from './clean-plan.ts';
import { previewClean } from './clean-preview.ts';
import type { ValidationSettings } from './judge.ts';
import { partBySize } from './let-in.ts';

// What a preview says of a workspace with more contacts than anybody waits for, beside a count of
// all of them, and how many contacts it reads for that.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const all = 300_000;
const strict: ValidationSettings = {
  strictValidation: true,
  allowedDomains: ['.uk'],
  ukPolicy: 'suffix',
  checkMXRecords: false,
};
const lenient = { ...strict, strictValidation: false };

let made: TestDatabase;
let db: Database;
let owner: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 1 });
});
afterAll(async () => {
  await db.close();
  await owner.close();
  await made.drop();
});

interface Came {
  /** Contacts, in the order of their ids. */
  contacts: number;
  options: object | null;
}

/**
 * Five of ten contacts are abroad: two at gmail.com, two at some thousand businesses under .com,
 * one under .de. One of a hundred is stored as invalid, two are copies. One of fifty of the others
 * has two dots in a row where `unsound`.
 */
async function fill(workspace: number, imports: readonly Came[], { unsound = true } = {}): Promise<void> {
  const { system } = owner;
  await sql`
    insert into contacts (workspace_id, local, domain, state)
    select ${workspace}::bigint, case when ${unsound} and n % 50 = 7 then 'p..' else 'p' end || n,
           case when n % 10 in (0, 1) then 'gmail.com' when n % 10 in (2, 3) then 'firm' || n % 7919 || '.com'
                when n % 10 = 4 then 'firma' || n % 500 || '.de' else 'shop' || n % 4001 || '.co.uk' end,
           case when n % 100 = 12 then 1 when n % 100 in (20, 25) then 2 else 0 end
    from generate_series(1, ${all}::int) n order by n`.execute(system);
  await sql`
    insert into contact_domains (workspace_id, domain, valid, invalid, duplicate)
    select ${workspace}::bigint, domain, count(*) filter (where state = 0), count(*) filter (where state = 1),
           count(*) filter (where state = 2)
    from contacts where workspace_id = ${workspace} group by domain`.execute(system);
  await sql`
    insert into contact_counts (workspace_id, active, invalid, duplicate, domains)
    select ${workspace}::bigint, sum(valid), sum(invalid), sum(duplicate), count(*)
    from contact_domains where workspace_id = ${workspace}`.execute(system);
  const { rows } = await sql<{ first: number }>`
    select min(id) as first from contacts where workspace_id = ${workspace}`.execute(system);
  let first = Number(rows[0]?.first);
  for (const { contacts, options } of imports) {
    const last = first + contacts - 1;
    if (options) {
      await sql`
        with i as (
          insert into imports (workspace_id, file_name, status, options, first_contact_id, last_contact_id)
          values (${workspace}, 'a.csv', 'completed', ${JSON.stringify(options)}::jsonb, ${first}::bigint, ${last}::bigint)
          returning id
        )
        update contacts c set import_id = i.id from i
        where c.workspace_id = ${workspace} and c.id between ${first}::bigint and ${last}::bigint`.execute(
        system,
      );
    }
    first = last + 1;
  }
  await sql`vacuum analyze contacts`.execute(system);
}

/** Contacts that this connection has read so far. */
async function readSoFar(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
    where relname = 'contacts'`.execute(tx);
  return rows[0]?.read ?? 0;
}

async function plans(workspace: number, settings: ValidationSettings) {
  return db.asTenant(workspace, async (tx) => {
    const before = await readSoFar(tx);
    const estimated = await estimateClean(tx, workspace, settings);
    const read = (await readSoFar(tx)) - before;
    return { estimated, read, counted: await planClean(tx, workspace, settings) };
  });
}
const counts = (plan: CleanPlan) =>
  Object.fromEntries(cleanReasons.map((reason) => [reason, plan.count(reason)])) as Record<
    CleanReason,
    number
  >;
const estimates = (plan: CleanPlan) => cleanReasons.filter((reason) => plan.isEstimate(reason));
const near = (found: number, expected: number, share = 0.1) =>
  expect(Math.abs(found - expected), `${found} for ${expected}`).toBeLessThanOrEqual(
    Math.max(expected * share, 100),
  );

const any = { filterNonUk: true, ukPolicy: 'any_but_foreign_cctld' };

it('estimates who is invalid and who was let in by large imports', async () => {
  const workspace = 801;
  await fill(workspace, [
    { contacts: 210_000, options: any },
    { contacts: 30_000, options: { filterNonUk: true, ukPolicy: 'likely' } },
    { contacts: 10_000, options: { filterNonUk: false } },
    { contacts: 20_000, options: { filterNonUk: true } },
  ]);
  const { estimated, counted, read } = await plans(workspace, strict);
  const [found, exact] = [counts(estimated), counts(counted)];
  expect(exact.letIn).toBeGreaterThan(80_000);
  expect(found.duplicate).toBe(exact.duplicate);
  for (const reason of ['invalid', 'nonUk', 'letIn'] as const) near(found[reason], exact[reason]);
  expect(estimates(estimated)).toEqual(['invalid', 'nonUk', 'letIn']);
  expect(estimates(counted)).toEqual([]);
  // The sample, and the two small imports.
  expect(read).toBeLessThan(75_000);
  near(estimated.letIn.byDomain.get('gmail.com') ?? 0, counted.letIn.byDomain.get('gmail.com') ?? 0);

  const preview = await db.asTenant(workspace, (tx) => previewClean(tx, workspace));
  expect(preview.isEstimate).toBe(true);
  for (const { contacts, samples, domains } of preview.reasons) {
    expect(contacts).toBeGreaterThan(0);
    expect(samples.length).toBeGreaterThan(0);
    expect(domains.length).toBeGreaterThan(0);
  }
});

it('counts whom small imports let in, to the last', async () => {
  const workspace = 802;
  await fill(
    workspace,
    [
      { contacts: 500, options: any },
      { contacts: 250_000, options: { filterNonUk: true } },
      { contacts: 300, options: { filterNonUk: false } },
    ],
    { unsound: false },
  );
  const { estimated, counted, read } = await plans(workspace, strict);
  expect(counts(estimated)).toEqual(counts(counted));
  expect(counts(counted).letIn).toBeGreaterThan(300);
  // None was found in the sample, which does not say that there is none.
  expect(estimates(estimated)).toEqual(['invalid']);
  expect(read).toBeLessThan(40_000);
});

describe('without strict validation', () => {
  it('and without imports that chose, reads no contact and is exact', async () => {
    const workspace = 803;
    await fill(workspace, [{ contacts: 250_000, options: { filterNonUk: true } }]);
    const { estimated, counted, read } = await plans(workspace, lenient);
    expect(counts(estimated)).toEqual(counts(counted));
    expect(estimates(estimated)).toEqual([]);
    expect(read).toBe(0);
  });

  it('says of whom a large import without the filter let in that it is an estimate', async () => {
    const workspace = 804;
    await fill(workspace, [{ contacts: 260_000, options: { filterNonUk: false } }]);
    const { estimated, counted, read } = await plans(workspace, lenient);
    for (const reason of cleanReasons) near(counts(estimated)[reason], counts(counted)[reason]);
    expect(estimates(estimated)).toEqual(['nonUk', 'letIn']);
    expect(read).toBeLessThan(40_000);
  });
});

it.each([
  [[], 100, []],
  [[[1, 50]], 100, [[1, 50]]],
  [[[1, 101]], 100, []],
  [
    [
      [1, 90],
      [91, 100],
      [101, 200],
    ],
    100,
    [
      [1, 90],
      [91, 100],
    ],
  ],
  [
    [
      [1, 900],
      [901, 910],
      [911, 912],
    ],
    100,
    [
      [901, 910],
      [911, 912],
    ],
  ],
] as [number[][], number, number[][]][])(
  'of imports with the ids %j, at most %i together are %j',
  (given, most, small) => {
    const imports = given.map(([first = 0, last = 0]) => ({ first, last }));
    const parts = partBySize(imports, most);
    expect(parts.small.map(({ first, last }) => [first, last])).toEqual(small);
    expect([...parts.small, ...parts.rest]).toHaveLength(imports.length);
  },
);
