import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { registerContactFeatures } from '#test/support/contact-features.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { testTasks } from '#test/support/tasks.ts';
import { adjustForAddresses, affectedCounts, blockDomain, checkBooks, unblockDomain } from './index.ts';
import { applyDomainDeltas, lockDomains } from './rollup-queries.ts';

let made: TestDatabase;
let db: Database;
let http: TestHttp;
let workspace = 0;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl, maxConnections: 10 });
  http = await createTestHttp((router) => {
    registerContactFeatures(router, { db, tasks: testTasks(db) });
  });
});
afterAll(async () => {
  await http.app.close();
  await db.close();
  await made.drop();
});

const locals = ['ann', 'bob', 'cat', 'dot..s'];
const domains = ['acme.co.uk', 'north.acme.co.uk', 'shop.uk', 'firma.de', ''];
const address = fc.record({ local: fc.constantFrom(...locals), domain: fc.constantFrom(...domains) });
type Key = { local: string; domain: string };
const named = fc.constantFrom('acme.co.uk', 'north.acme.co.uk', 'shop.uk');

/** Everything that can happen to a workspace, each as one transaction or call. */
const happening = fc.oneof(
  fc.record({
    does: fc.constant('import' as const),
    keys: fc.array(address, { maxLength: 8 }),
    state: fc.constantFrom(0, 1, 2),
  }),
  fc.record({ does: fc.constant('add' as const), key: address }),
  fc.record({ does: fc.constant('removeNewest' as const) }),
  fc.record({
    does: fc.constant('removeMany' as const),
    status: fc.constantFrom(undefined, 'active', 'suppressed', 'invalid', 'duplicate'),
    domain: fc.option(named, { nil: undefined }),
  }),
  fc.record({ does: fc.constant('restore' as const), back: fc.nat(3) }),
  fc.record({ does: fc.constant('clean' as const) }),
  fc.record({
    does: fc.constant('suppress' as const),
    keys: fc.uniqueArray(address, { maxLength: 4, selector: (k) => `${k.local}@${k.domain}` }),
  }),
  fc.record({
    does: fc.constant('lift' as const),
    keys: fc.uniqueArray(address, { maxLength: 4, selector: (k) => `${k.local}@${k.domain}` }),
  }),
  fc.record({ does: fc.constant('block' as const), domain: named }),
  fc.record({ does: fc.constant('unblock' as const), domain: named }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const call = (method: 'POST' | 'DELETE', url: string, body?: unknown) =>
  http.call(stubCaller(workspace), method, url, body);

async function importKeys(tx: TenantTx, keys: Key[], state: number): Promise<void> {
  // Contacts are added as an import does it, with their states, leaving out those that already
  // exist.
  const { rows } = await sql<{ id: number }>`
    insert into contacts (workspace_id, local, domain, state)
    select ${workspace}::bigint, local, domain, ${state}::int
    from unnest(${keys.map((k) => k.local)}::text[], ${keys.map((k) => k.domain)}::text[]) as given (local, domain)
    order by domain, local
    on conflict (workspace_id, domain, local) where state <> 2 do nothing returning id`.execute(tx);
  const ids = rows.map((row) => row.id);
  await lockDomains(tx, workspace, 'shared');
  await applyDomainDeltas(
    tx,
    workspace,
    sql`select c.domain, (state = 0)::int as valid, (state = 1)::int as invalid, (state = 2)::int as duplicate,
               (state = 0 and s.id is not null)::int as valid_suppressed, (state = 1 and s.id is not null)::int as invalid_suppressed,
               (state = 2 and s.id is not null)::int as duplicate_suppressed
        from contacts c
        left join suppressions s on s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
        where c.id = any(${ids}::bigint[])`,
    { isImport: true },
  );
}

async function changeList(tx: TenantTx, keys: Key[], sign: 1 | -1): Promise<void> {
  const given = sql`unnest(${keys.map((k) => k.local)}::text[], ${keys.map((k) => k.domain)}::text[]) as given (local, domain)`;
  await lockDomains(tx, workspace, 'exclusive');
  const { rows } =
    sign === 1
      ? await sql<Key>`insert into suppressions (workspace_id, local, domain, reason)
          select ${workspace}::bigint, local, domain, 'manual' from ${given} on conflict do nothing returning local, domain`.execute(
          tx,
        )
      : await sql<Key>`delete from suppressions s using ${given}
          where s.workspace_id = ${workspace} and s.local = given.local and s.domain = given.domain
          returning s.local, s.domain`.execute(tx);
  await adjustForAddresses(tx, workspace, rows, sign);
}

async function changeDomain(tx: TenantTx, domain: string, does: 'block' | 'unblock'): Promise<void> {
  await lockDomains(tx, workspace, 'exclusive');
  const changed =
    does === 'block'
      ? await sql`insert into domain_suppressions (workspace_id, domain, reason)
          values (${workspace}, ${domain}, 'manual') on conflict do nothing`.execute(tx)
      : await sql`delete from domain_suppressions where workspace_id = ${workspace} and domain = ${domain}`.execute(
          tx,
        );
  if (changed.numAffectedRows === 0n) return;
  if (does === 'unblock') return unblockDomain(tx, workspace, domain);
  const affected = await blockDomain(tx, workspace, domain);
  const { rows } = await sql<{ there: number }>`select count(*) as there from contacts
    where workspace_id = ${workspace} and (domain = ${domain} or domain like ${`%.${domain}`})`.execute(tx);
  expect(affected).toBe(rows[0]?.there);
  expect((await affectedCounts(tx, workspace, [domain, 'none.uk'])).get(domain)).toBe(affected);
}

async function happen(what: Happening): Promise<void> {
  const run = (work: (tx: TenantTx) => Promise<void>) => db.asTenant(workspace, work);
  switch (what.does) {
    case 'import':
      return run((tx) => importKeys(tx, what.keys, what.state));
    case 'add':
      await call('POST', '/api/emails', {
        email: `${what.key.local}@${what.key.domain}`,
        checkSuppressions: false,
      });
      return;
    case 'removeNewest': {
      const { body } = await http.call(stubCaller(workspace), 'GET', '/api/emails?limit=1');
      if (body.emails[0]) expect((await call('DELETE', `/api/emails/${body.emails[0].id}`)).status).toBe(200);
      return;
    }
    case 'removeMany': {
      const filter = { status: what.status, domain: what.domain };
      const { count } = (await call('POST', '/api/emails/count', { filter })).body;
      expect((await call('DELETE', '/api/emails/bulk', { filter })).body.removed).toBe(count);
      return;
    }
    case 'restore': {
      const { rows } = await db.asTenant(workspace, (tx) =>
        sql<{
          id: number;
        }>`select id from removals where workspace_id = ${workspace} order by id desc offset ${what.back} limit 1`.execute(
          tx,
        ),
      );
      if (rows[0])
        expect([200, 409]).toContain((await call('POST', `/api/removals/${rows[0].id}/restore`)).status);
      return;
    }
    case 'clean': {
      const previewed = (await call('POST', '/api/emails/clean?preview=true')).body;
      const { reasons: __, isEstimate, ...preview } = previewed;
      expect(isEstimate).toBe(false);
      const { removalId: _, ...counts } = (await call('POST', '/api/emails/clean')).body;
      expect({ ...counts, removalId: null }).toEqual(preview);
      return;
    }
    case 'suppress':
      return run((tx) => changeList(tx, what.keys, 1));
    case 'lift':
      return run((tx) => changeList(tx, what.keys, -1));
    default:
      return run((tx) => changeDomain(tx, what.domain, what.does));
  }
}

const books = () => db.asTenant(workspace, (tx) => checkBooks(tx, workspace));

it('the rollups agree with the contacts, whatever happens one after the other', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 20 }), async (happenings) => {
      workspace += 1;
      for (const what of happenings) {
        await happen(what);
        expect(await books()).toEqual([]);
      }
    }),
    { numRuns: 40 },
  );
});

it('the rollups agree with the contacts, whatever happens at once', { timeout: 120_000 }, async () => {
  const atOnce = happening.filter((what) => !['clean', 'removeMany'].includes(what.does));
  await fc.assert(
    fc.asyncProperty(fc.array(atOnce, { minLength: 6, maxLength: 16 }), async (happenings) => {
      workspace += 1;
      await happen({
        does: 'import',
        keys: locals.flatMap((local) => domains.map((domain) => ({ local, domain }))),
        state: 0,
      });
      // Somebody may remove a contact that another has just removed. That call answers 404, and
      // nothing else may fail.
      const ends = await Promise.allSettled(happenings.map((what) => happen(what)));
      for (const [place, end] of ends.entries()) {
        if (end.status === 'rejected' && happenings[place]?.does !== 'removeNewest') throw end.reason;
      }
      expect(await books()).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
