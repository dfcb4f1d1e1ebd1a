import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tenantStatement } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { importFigures } from './import-counts.ts';
import { knownDomainsStatement, newDomainsStatement } from './rollup-queries.ts';

const { addNewDomains, countImportedContacts, suppressionsVersion } = importFigures;

/** The last step of an import: what its domains add to the figures. */
let made: TestDatabase;
let client: pg.Client;
let other: pg.Client;
let workspace = 0;

const source = { rows: 'import_judged_1', sums: 'import_sums_1' };
const connect = async () => {
  const opened = new pg.Client({ connectionString: made.appUrl });
  await opened.connect();
  return opened;
};

beforeAll(async () => {
  made = await createTestDatabase();
  client = await connect();
  other = await connect();
});
afterAll(async () => {
  await client.end();
  await other.end();
  await made.drop();
});

/** Half of `known` domains are among the import's `added` ones. */
async function prepare({ known, added }: { known: number; added: number }): Promise<void> {
  workspace += 1;
  await client.query('truncate import_sums_1');
  await client.query(`begin; ${tenantStatement(workspace)}`);
  await client.query(
    `insert into contact_domains (workspace_id, domain, valid, invalid)
     select $1, 'd' || g || '.co.uk', g % 3, g % 2 from generate_series(1, $2::int) g`,
    [workspace, known],
  );
  await client.query(
    `insert into contact_counts (workspace_id, active, invalid, domains)
     select $1, coalesce(sum(valid), 0), coalesce(sum(invalid), 0), count(*) filter (where valid + invalid > 0)
     from contact_domains where workspace_id = $1`,
    [workspace],
  );
  // In no order, as the sums of an import are.
  await client.query(
    `insert into import_sums_1 (domain, valid, invalid, duplicate, known)
     select domain, 1 + g % 4, g % 3, g % 2,
       exists (select from contact_domains d where d.workspace_id = $3 and d.domain = s.domain)
     from (
       select g, case g when 0 then '' else 'd' || ($1::int / 2 + g) || '.co.uk' end as domain
       from generate_series(0, $2::int - 1) g
     ) s order by md5(g::text)`,
    [known, added, workspace],
  );
  await client.query('commit');
}

async function inTenant<T>(on: pg.Client, end: 'commit' | 'rollback', work: () => Promise<T>): Promise<T> {
  await on.query(`begin; ${tenantStatement(workspace)}`);
  try {
    const result = await work();
    await on.query(end);
    return result;
  } catch (error) {
    await on.query('rollback');
    throw error;
  }
}

async function figures() {
  const read = async (statement: string) => (await client.query(statement, [workspace])).rows;
  return {
    domains: await read(
      'select domain, valid::int, invalid::int, duplicate::int, blocked from contact_domains where workspace_id = $1 order by 1',
    ),
    counts: await read(
      'select active::int, suppressed::int, invalid::int, duplicate::int, domains::int, active_before_import::int from contact_counts where workspace_id = $1',
    ),
    daily: await read(
      'select active::int, suppressed::int, invalid::int, domains::int from contact_counts_daily where workspace_id = $1',
    ),
  };
}

const version = () => inTenant(client, 'commit', () => suppressionsVersion(client, workspace));
/** The end of an import, and what is done between its two steps. */
const count = (at: string | null, between = async () => {}) =>
  inTenant(client, 'commit', async () => {
    const newOnesAreThere = await addNewDomains(client, source, workspace);
    await between();
    await countImportedContacts(client, source, workspace, {
      ...{ unsuppressedAt: at, newOnesAreThere, areHashed: false },
    });
    return newOnesAreThere;
  });
const waitsForLock = async (pid: number): Promise<boolean> =>
  (await other.query('select from pg_locks where pid = $1 and not granted', [pid])).rowCount === 1;

describe('the two ways to add the domains of an import', () => {
  it.each([
    { known: 0, added: 1 },
    { known: 40, added: 0 },
    { known: 40, added: 30 },
    { known: 3_000, added: 6_000 },
  ])('agree for $added beside $known', async (size) => {
    await prepare(size);
    const by = (newOnesAreThere: boolean) =>
      inTenant(client, 'rollback', async () => {
        if (newOnesAreThere) await client.query(newDomainsStatement(workspace, source.sums));
        const unsuppressedAt = await suppressionsVersion(client, workspace);
        await countImportedContacts(client, source, workspace, {
          ...{ unsuppressedAt, newOnesAreThere, areHashed: false },
        });
        return figures();
      });
    const together = await by(false);
    expect(await by(true)).toEqual(together);
    const total = together.domains.reduce((sum, { valid }) => sum + valid, 0);
    expect(together.counts[0]?.active).toBe(total);
    expect(together.counts[0]?.domains).toBe(
      together.domains.filter((one) => one.domain !== '' && one.valid + one.invalid + one.duplicate > 0)
        .length,
    );
  });
});

describe('many new domains', () => {
  beforeEach(() => prepare({ known: 1_000, added: 6_000 }));

  it('are there before the figures are locked, and few are not', async () => {
    expect(await count(await version())).toBe(true);
    await prepare({ known: 40, added: 30 });
    expect(await count(await version())).toBe(false);
  });

  it('are taken in the order of their names, as everybody takes them', async () => {
    const plan = await inTenant(
      client,
      'rollback',
      async () => (await client.query(`explain ${newDomainsStatement(workspace, source.sums)}`)).rows,
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Insert on contact_domains[\s\S]*Sort Key: import_sums_1.domain/,
    );
  });

  it('leave known ones, which are taken in that order too', async () => {
    const plan = await inTenant(client, 'rollback', async () => {
      await client.query('set local enable_nestloop = off; set local enable_hashjoin = off');
      return (await client.query(`explain ${knownDomainsStatement(workspace, source.sums)}`)).rows;
    });
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Update on contact_domains d[\s\S]*Merge Join[\s\S]*Index Scan using contact_domains_pkey[\s\S]*Sort Key: import_sums_1.domain/,
    );
  });

  it('are not counted without a known one that has gone', async () => {
    const at = await version();
    const drop = () =>
      client.query(`delete from contact_domains where workspace_id = $1 and domain = 'd700.co.uk'`, [
        workspace,
      ]);
    await expect(count(at, async () => void (await drop()))).rejects.toThrow('domains were known');
  });

  it('count right when somebody adds one of them at this moment', async () => {
    const at = await version();
    await other.query(`begin; ${tenantStatement(workspace)}`);
    await other.query(
      `insert into contact_domains (workspace_id, domain, valid) values ($1, 'd3000.co.uk', 7)`,
      [workspace],
    );
    const counted = count(at);
    const pid = (client as unknown as { processID: number }).processID;
    await expect.poll(() => waitsForLock(pid)).toBe(true);
    await other.query('commit');
    expect(await counted).toBe(false);
    const { domains, counts } = await inTenant(client, 'commit', figures);
    // 6,000 rows with 1 + g % 4 each, what stood there, and the 7 that the other has not yet
    // counted.
    expect(domains.find(({ domain }) => domain === 'd3000.co.uk')).toMatchObject({
      valid: 7 + 1 + (2500 % 4),
    });
    const sum = domains.reduce((total, { valid }) => total + valid, 0);
    expect(counts[0]?.active).toBe(sum - 7);
  });

  it('are taken back when the suppression list changes before the figures are locked', async () => {
    const at = await version();
    const block = async () => {
      await other.query(`begin; ${tenantStatement(workspace)}`);
      await other.query(
        `insert into domain_suppressions (workspace_id, domain, reason) values ($1, 'd3000.co.uk', 'manual')`,
        [workspace],
      );
      await other.query('commit');
    };
    await client.query('truncate import_judged_1');
    await client.query(
      `insert into import_judged_1 (piece, line, first_line, local, domain, state, fate)
       select 0, row_number() over (), 0, 'p' || n, domain, 0, 0
       from import_sums_1, generate_series(1, valid) n where domain <> ''`,
    );
    expect(await count(at, block)).toBe(true);
    const { domains, counts } = await inTenant(client, 'commit', figures);
    const blocked = domains.find(({ domain }) => domain === 'd3000.co.uk');
    expect(blocked).toMatchObject({ valid: 1 + (2500 % 4), invalid: 0, blocked: true });
    const sum = domains.reduce((total, { valid }) => total + valid, 0);
    expect(counts[0]).toMatchObject({ active: sum - blocked.valid, suppressed: blocked.valid });
    await client.query('truncate import_judged_1');
  });
});
