import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { audienceOf } from '#features/audience/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { previewSet } from './preview-set.ts';
import type { Asked } from './set-fields.ts';

// The preview looks at some thousands of contacts, however many are chosen. Every fourth of
// 120,000 contacts lives in York and has a name alone. They were imported in the order of their
// domains, and the contacts of one domain have what others lack.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const all = 120_000;
let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  person = await signUp(app.app, { name: 'Hannah Pine' });
  const lines = Array.from({ length: all }, (_, n) => {
    const domain = n % 5 === 0 ? 'megashop.co.uk' : `shop${n % 900}.co.uk`;
    return `person.${n}@${domain}`;
  });
  const answer = await importCsv(app.app, person.cookie, `email\n${lines.join('\n')}\n`);
  expect(answer.json()).toMatchObject({ imported: all });
  const { workspaceId } = person;
  const nth = sql`split_part(local, '.', 2)::int`;
  await sql`
    update contacts set name = 'Jane Smith', attributes = coalesce(attributes, '{}') || '{"town": "York"}'
    where workspace_id = ${workspaceId} and ${nth} % 4 = 0`.execute(app.owner.system);
  await sql`
    update contacts set attributes = coalesce(attributes, '{}') || '{"kind": "shop"}'
    where workspace_id = ${workspaceId} and ${nth} % 5 = 0`.execute(app.owner.system);
  await sql`vacuum analyze contacts`.execute(app.owner.system);
});
afterAll(() => app.close());

/** Contacts that this connection has read so far. */
async function readSoFar(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
    where relname = 'contacts'`.execute(tx);
  return rows[0]?.read ?? 0;
}

/** The preview, and how many contacts it read. */
async function preview(asked: Asked) {
  let read = Number.NaN;
  const counting = {
    asTenant: <T>(workspaceId: number, work: (tx: TenantTx) => Promise<T>) =>
      app.database.asTenant(workspaceId, async (tx) => {
        const before = await readSoFar(tx);
        const done = await work(tx);
        read = (await readSoFar(tx)) - before;
        return done;
      }),
  } as Database;
  const found = await previewSet({ db: counting, audience: audienceOf([]) }, person.workspaceId, asked);
  return { ...found, read };
}

const near = (expected: number) => ({
  asymmetricMatch: (value: number) => Math.abs(value - expected) <= Math.max(expected * 0.08, 200),
});

it.each<[string, Asked, { contacts: unknown; filled: unknown; contactsIsEstimate?: boolean }]>([
  ['all', { filter: {}, set: { attributes: { town: 'Leeds' } } }, { contacts: all, filled: near(all / 4) }],
  ['all who have it', { filter: {}, set: { attributes: { town: 'York' } } }, { contacts: all, filled: 0 }],
  ['cleared', { filter: {}, set: { attributes: { kind: null } } }, { contacts: all, filled: near(all / 5) }],
  [
    'a status',
    { filter: { status: 'active' }, set: { attributes: { town: 'Leeds' } } },
    { contacts: all, filled: near(all / 4) },
  ],
  [
    'a common term',
    { filter: { search: 'person' }, set: { attributes: { town: 'Leeds' } } },
    { contacts: near(all), contactsIsEstimate: true, filled: near(all / 4) },
  ],
  [
    'names alone',
    { filter: {}, splitNames: true },
    { contacts: near(all / 4), contactsIsEstimate: true, filled: 0 },
  ],
])('estimates %s from a sample', async (_, asked, expected) => {
  const found = await preview(asked);
  expect(found).toMatchObject({ contactsIsEstimate: false, ...expected });
  expect(found.filledIsEstimate).toBe(asked.splitNames === undefined);
  expect(found.read).toBeLessThan(all / 3);
});

it('counts some ten thousand one by one', async () => {
  const filter = { domain: 'megashop.co.uk' };
  const found = await preview({ filter, set: { attributes: { town: 'Leeds' } } });
  expect(found).toMatchObject({
    contacts: all / 5,
    contactsIsEstimate: false,
    filled: all / 20,
    filledIsEstimate: false,
  });
});

it('estimates as well in a workspace whose ids lie far apart', async () => {
  const later = await signUp(app.app, { name: 'Later' });
  await sql`
    insert into contacts (workspace_id, id, local, domain, state, attributes)
    overriding system value
    select ${later.workspaceId}, 900000000 + n * (case when n < 30000 then 1 else 40 end), 'p' || n, 'acme.co.uk', 0,
           case when n < 30000 then '{"town": "York"}'::jsonb else '{}'::jsonb end
    from generate_series(1, 60000) n`.execute(app.owner.system);
  await sql`
    insert into contact_counts (workspace_id, active, suppressed, invalid, duplicate, domains)
    values (${later.workspaceId}, 60000, 0, 0, 0, 1)
    on conflict (workspace_id) do update set active = 60000`.execute(app.owner.system);
  const audience = audienceOf([]);
  const found = await previewSet({ db: app.database, audience }, later.workspaceId, {
    filter: {},
    set: { attributes: { town: 'Leeds' } },
  });
  expect(found.contacts).toBe(60_000);
  // Half have it, although they lie in a fortieth of the ids.
  expect(found.filled / 60_000).toBeGreaterThan(0.35);
  expect(found.filled / 60_000).toBeLessThan(0.65);
});
