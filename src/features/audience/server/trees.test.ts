import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJudge, ukClass } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { contactsWithSuppression } from '#features/contacts/server/status-queries.ts';
import { checkBooks } from '#features/rollups/server/check-books.ts';
import { blockDomain } from '#features/rollups/server/index.ts';
import { applyDomainDeltas, lockDomains } from '#features/rollups/server/rollup-queries.ts';
import { verificationConditions } from '#features/verification/server/index.ts';
import { type Database, type Fragment, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import {
  hasTrigram,
  isCounted,
  isRankedSort,
  type Leads,
  type PageRequest,
  type Plan,
} from '../rules/plan.ts';
import { storedDomain, storedSource, storedTerm } from '../rules/stored-text.ts';
import { everybody, groupOf, type Leaf, type Node, readTree, type Tree } from '../rules/tree.ts';
import { openAudience } from './audience.ts';
import { gatherConditions } from './condition.ts';
import { type Ask, readFigures } from './figures.ts';
import { indexRecentBlocks } from './index-blocks.ts';
import { ownConditions } from './own-conditions.ts';
import { carryOut, findPage } from './pages.ts';
import { rankingFor } from './ranked-queries.ts';
import { countFound } from './search-queries.ts';
import { matches, matchesAlone, type Sought, seek } from './sought.ts';
import { allBy, conditionFor, countAll, plainConditionFor } from './whole.ts';

/*
 * A tree means the same to PostgreSQL, through every plan that can find it, as to a plain reading
 * over the same contacts. There are few contacts, so each plan is forced on trees for which
 * `choosePlan` would pick another.
 */

const workspace = 1;
const conditions = gatherConditions([...ownConditions, ...verificationConditions]);
const audience = openAudience(() => conditions);
let made: TestDatabase;
let db: Database;
const asTenant = <T>(work: (tx: TenantTx) => Promise<T>) => db.asTenant(workspace, work);

interface Verdict {
  verdict: string;
  reasons: string[];
  risk: number;
  kind: string | null;
  uk: string | null;
}

interface Contact {
  id: number;
  local: string;
  domain: string;
  state: number;
  source: string | null;
  importId: number | null;
  addedAt: string;
  isSuppressed: boolean;
  verdict: Verdict | null;
}

const long = 'x'.repeat(300);
const locals = [
  'ann',
  "o'hara",
  'a%b',
  'a_b',
  'back\\slash',
  '\\%',
  'emoji🏫x',
  'müller',
  'tom.smith',
  'tom-smith',
  'qzqz',
  `${long}end`,
  'info',
];
const domains = [
  'acme.co.uk',
  'blocked.uk',
  'xn--mller-kva.de',
  'kent.sch.uk',
  '',
  'gmail.com',
  'leeds.nhs.uk',
];
const sources = [null, 'web', "trade'fair", '100%', 'a_b', 'back\\slash', '🏫', 's'.repeat(1000), ' '];
const verdicts: (Verdict | null)[] = [
  null,
  { verdict: 'valid', reasons: [], risk: 0, kind: 'corporate', uk: 'uk' },
  { verdict: 'risky', reasons: ['role'], risk: 30, kind: 'role', uk: null },
  { verdict: 'risky', reasons: ['disposable', 'role'], risk: 60, kind: null, uk: 'global' },
  { verdict: 'invalid', reasons: ['syntax'], risk: 100, kind: null, uk: null },
];
/** Around midnight in London, in winter, in summer and when the clocks change. */
const moments = [
  '2026-02-28T23:59:59Z',
  '2026-03-01T00:00:00Z',
  '2026-03-29T00:30:00Z',
  '2026-06-30T22:59:59Z',
  '2026-06-30T23:00:00Z',
];

const contacts: Contact[] = Array.from({ length: 120 }, (_, n) => {
  const domain = domains[n % domains.length] as string;
  return {
    id: 0,
    local: `${locals[n % locals.length]}${n % 7 === 6 ? '' : n}`,
    domain,
    state: domain === '' ? 1 : n % 7 === 6 ? 2 : 0,
    source: sources[n % sources.length] as string | null,
    importId: n % 3 === 0 ? null : 1 + Math.floor(n / 60),
    addedAt: moments[Math.floor((n * moments.length) / 120)] as string,
    isSuppressed: domain === 'blocked.uk' || n % 11 === 5,
    verdict: verdicts[(n * 7) % verdicts.length] as Verdict | null,
  };
});

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  await asTenant(async (tx) => {
    const profiles = new Map<Verdict, number>();
    for (const one of verdicts) {
      if (!one) continue;
      const count = contacts.filter(({ verdict }) => verdict === one).length;
      const { rows } = await sql<{ id: number }>`
        insert into verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk, contacts)
        values (${workspace}, ${one.verdict}, ${one.reasons}::text[], ${one.risk}, ${one.kind}, ${one.uk}, ${count})
        returning id`.execute(tx);
      profiles.set(one, rows[0]?.id as number);
    }
    for (const one of contacts) {
      const { rows } = await sql<{ id: number }>`
        insert into contacts (workspace_id, local, domain, state, source, import_id, created_at)
        values (${workspace}, ${one.local}, ${one.domain}, ${one.state}, ${one.source}, ${one.importId}, ${one.addedAt})
        returning id`.execute(tx);
      one.id = rows[0]?.id as number;
      if (one.verdict) {
        await sql`insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
          values (${workspace}, ${one.id}, ${profiles.get(one.verdict) ?? 0}, now())`.execute(tx);
      }
      if (one.isSuppressed && one.domain !== 'blocked.uk') {
        await sql`insert into suppressions (workspace_id, local, domain, reason)
          values (${workspace}, ${one.local}, ${one.domain}, 'manual') on conflict do nothing`.execute(tx);
      }
    }
    await sql`insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select workspace_id, min(id), max(id), string_agg(local || '@' || domain, E'\n')
      from contacts group by workspace_id, id / 16`.execute(tx);
    await sql`insert into imports (workspace_id, file_name, status, options, first_contact_id, last_contact_id)
      select ${workspace}::bigint, 'file', 'completed', '{}', min(id), max(id) from contacts
      where import_id is not null group by import_id order by import_id`.execute(tx);
    await lockDomains(tx, workspace, 'shared');
    await applyDomainDeltas(
      tx,
      workspace,
      sql`select c.domain, count(*) filter (where state = 0) as valid, count(*) filter (where state = 1) as invalid,
            count(*) filter (where state = 2) as duplicate,
            count(*) filter (where state = 0 and s.id is not null) as valid_suppressed,
            count(*) filter (where state = 1 and s.id is not null) as invalid_suppressed,
            count(*) filter (where state = 2 and s.id is not null) as duplicate_suppressed
          from contacts c
          left join suppressions s on s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
          group by c.domain`,
    );
  });
  await asTenant(async (tx) => {
    await sql`insert into domain_suppressions (workspace_id, domain, reason)
      values (${workspace}, 'blocked.uk', 'manual')`.execute(tx);
    await blockDomain(tx, workspace, 'blocked.uk');
  });
  // A contact that shares the address of a suppressed contact is suppressed too.
  const listed = new Set(contacts.filter((one) => one.isSuppressed).map(addressOf));
  for (const one of contacts) one.isSuppressed = listed.has(addressOf(one));
  await indexRecentBlocks(db);
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

const addressOf = ({ local, domain }: Contact) => `${local}@${domain}`;
const londonDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

/** Plain readings of the conditions. */
const readings: Record<string, (contact: Contact, value: never) => boolean> = {
  search: (one, text: string) => addressOf(one).includes(storedTerm(text, domainToASCII) ?? '?'),
  domain: (one, text: string) => one.domain === storedDomain(text, domainToASCII),
  status: (one, status: string) => statusOf(one) === status,
  source: (one, source: string) => one.source === storedSource(source),
  import: (one, importId: number) => one.importId === importId,
  added: (one, { from = '0', to = '9' }: { from?: string; to?: string }) => {
    const day = londonDay.format(new Date(one.addedAt));
    return day >= from && day <= to;
  },
  ids: (one, ids: number[]) => ids.includes(one.id),
  verdict: (one, verdict: string) => one.verdict?.verdict === verdict,
  reason: (one, reason: string) => one.verdict?.reasons.includes(reason) === true,
  kind: (one, kind: string) => (one.verdict ? one.verdict.kind : kindByAddress(one)) === kind,
  uk: (one, uk: string) => ukClass(one.domain) === uk,
  risk: ({ verdict }, { from = 0, to = 100 }: { from?: number; to?: number }) =>
    verdict !== null && verdict.risk >= from && verdict.risk <= to,
};

const judge = createJudge({ idna });

/** The kind of a contact that was never verified. What is stored as invalid has none. */
function kindByAddress({ state, local, domain }: Contact): string | null {
  if (state === 1) return null;
  // Nobody can have an address directly at kent.sch.uk. It is stored here all the same.
  const { kind } = judge(`jane.smith@a.${domain}`);
  return kind === 'corporate' && /^info\d*$/.test(local) ? 'role' : kind;
}

function statusOf({ isSuppressed, state }: Contact): string {
  if (isSuppressed) return 'suppressed';
  return ['active', 'invalid', 'duplicate'][state] as string;
}

function reads(node: Node, contact: Contact): boolean {
  const group = groupOf(node);
  if (!group) {
    const { condition, value } = node as Leaf;
    return readings[condition]?.(contact, value as never) === true;
  }
  const results = group.nodes.map((one) => reads(one, contact));
  if (group.kind === 'all') return results.every(Boolean);
  return results.some(Boolean) === (group.kind === 'any');
}

const inBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const rankOf = ({ verdict }: Contact, sort: 'verdict' | 'risk'): number => {
  if (!verdict) return 0;
  const severity = ['valid', 'unknown', 'risky', 'invalid'].indexOf(verdict.verdict);
  return sort === 'verdict' ? severity * 1000 + verdict.risk : verdict.risk * 10 + severity;
};
/** Those without a verdict last, and the newest first among equals, in either direction. */
const sortedByRank = (found: Contact[], sort: 'verdict' | 'risk', order: 'asc' | 'desc'): number[] =>
  found
    .toSorted((one, other) => {
      if (!one.verdict || !other.verdict)
        return Number(!one.verdict) - Number(!other.verdict) || other.id - one.id;
      const difference = rankOf(one, sort) - rankOf(other, sort);
      return (order === 'asc' ? difference : -difference) || other.id - one.id;
    })
    .map(({ id }) => id);

const sorted = (found: Contact[], { sort, order }: Pick<PageRequest, 'sort' | 'order'>): number[] => {
  if (isRankedSort(sort)) return sortedByRank(found, sort, order);
  const inOrder = found.toSorted(
    (one, other) =>
      (sort === 'address' && (inBytes(one.domain, other.domain) || inBytes(one.local, other.local))) ||
      one.id - other.id,
  );
  return (order === 'asc' ? inOrder : inOrder.reverse()).map(({ id }) => id);
};

const day = fc.constantFrom(
  '0001-01-01',
  '2026-02-28',
  '2026-03-01',
  '2026-03-29',
  '2026-06-30',
  '2026-07-01',
  '9999-12-31',
);
const leafOf = (condition: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Leaf> =>
  value.map((one) => ({ condition, value: one }));
const odd = fc.constantFrom(
  "'",
  '%',
  '_',
  '\\',
  '\\\\',
  '%%',
  '🏫',
  '\0a',
  '\ud800',
  long,
  'ü@MÜLLER',
  ' Ann ',
  '@',
  '.',
);
const piece = fc
  .tuple(fc.nat(119), fc.nat(400), fc.integer({ min: 1, max: 20 }))
  .map(([index, start, length]) => addressOf(contacts[index] as Contact).slice(start, start + length))
  .filter((text) => text.trim() !== '');
/** `{from}`, `{to}` or both. */
const rangeOf = (end: fc.Arbitrary<unknown>) =>
  fc.oneof(fc.record({ from: end }), fc.record({ to: end }), fc.record({ from: end, to: end }));
const leaf = fc.oneof(
  leafOf('search', fc.oneof(piece, odd)),
  leafOf('domain', fc.oneof(fc.constantFrom(...domains.filter(Boolean), 'Müller.DE', 'nowhere.uk'), odd)),
  leafOf('status', fc.constantFrom('active', 'suppressed', 'invalid', 'duplicate')),
  leafOf('source', fc.oneof(fc.constantFrom(...sources.filter((one) => one !== null)), odd)),
  leafOf('import', fc.constantFrom(1, 2, 99)),
  leafOf('added', rangeOf(day)),
  leafOf(
    'ids',
    fc.array(
      fc.nat(150).map((n) => n + 1),
      { minLength: 1, maxLength: 40 },
    ),
  ),
  leafOf('verdict', fc.constantFrom('valid', 'risky', 'invalid', 'unknown')),
  leafOf('reason', fc.constantFrom('role', 'disposable', 'syntax', 'null_mx')),
  leafOf('kind', fc.constantFrom('role', 'corporate', 'nhs', 'free', 'academic')),
  leafOf('uk', fc.constantFrom('uk', 'global', 'not_uk', 'likely_uk')),
  leafOf('risk', rangeOf(fc.constantFrom(0, 29, 30, 60, 100))),
);
const groupsOf = (node: fc.Arbitrary<Node>, most: number): fc.Arbitrary<Tree> =>
  fc
    .tuple(fc.constantFrom('all', 'all', 'any', 'none'), fc.array(node, { minLength: 1, maxLength: most }))
    .map(([kind, nodes]) => ({ version: 1, [kind as string]: nodes }) as unknown as Tree);
const { node } = fc.letrec<{ node: Node; group: Node }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('group')),
  group: groupsOf(tie('node'), 3).map(({ version: _, ...group }) => group as Node),
}));
const tree = fc.oneof(groupsOf(node, 4), groupsOf(leaf, 4), groupsOf(leaf, 1), fc.constant(everybody));

/** The plans that can find a page of it. */
function plansFor(leads: Leads, { sort }: PageRequest, matching: number): Plan[] {
  const walked = { total: matching, isEstimate: true, isFromEnd: false };
  const counted = { total: matching, isEstimate: false, isFromEnd: false };
  const byAddress = sort === 'address';
  if (isRankedSort(sort)) return rankedPlansFor(leads, matching);
  const plans: (Plan | false)[] = [
    { kind: 'gather', total: null },
    byAddress ? { kind: 'walk by address', ...walked } : { kind: 'walk by id', ...walked },
    !byAddress && leads.hasLists && { kind: 'walk by list', ...(isCounted(leads) ? counted : walked) },
    !byAddress && leads.domain !== null && { kind: 'walk by domain', ...walked },
    leads.term !== null && { kind: byAddress ? 'common by address' : 'blocks' },
    leads.term !== null && hasTrigram(leads.term) && { kind: 'index of few' },
    leads.term !== null && hasTrigram(leads.term) && { kind: byAddress ? 'index by address' : 'index' },
  ];
  return plans.filter((plan) => plan !== false);
}

function rankedPlansFor(leads: Leads, matching: number): Plan[] {
  const plans: (Plan | false)[] = [
    { kind: 'gather', total: null },
    { kind: 'walk by rank', total: matching, isEstimate: false },
    leads.term !== null && { kind: 'common by rank' },
    leads.term !== null && hasTrigram(leads.term) && { kind: 'index of few' },
    leads.term !== null && hasTrigram(leads.term) && { kind: 'index by address' },
  ];
  return plans.filter((plan) => plan !== false);
}

const tried = new Set<string>();

async function comparePages(
  tx: TenantTx,
  sought: Sought,
  found: Contact[],
  page: PageRequest,
): Promise<void> {
  const all = sorted(found, page);
  const expected = all.slice(page.offset, page.offset + page.limit);
  const chosen = await findPage(tx, sought, page);
  expect(chosen.ids, 'the plan that is chosen').toEqual(expected);
  // A few contacts are never estimated.
  expect(chosen.total).toBe(all.length);
  for (const plan of plansFor(sought.leads, page, all.length)) {
    const ask: Ask = { tx, sought, page, known: await readFigures(tx, sought) };
    const { ids } = await carryOut(ask, plan);
    expect(ids, plan.kind).toEqual(expected);
    tried.add(plan.kind);
  }
  const after = contacts.find(({ id }) => id === expected[0]);
  if (!after) return;
  const place = await audience.placeOf(tx, workspace, after, page);
  const rest = all.slice(page.offset + 1, page.offset + 1 + page.limit);
  for (const plan of plansFor(sought.leads, page, all.length)) {
    const next = { ...sought, after: place };
    const ask: Ask = { tx, sought: next, page: { ...page, offset: 0 }, known: await readFigures(tx, next) };
    expect((await carryOut(ask, plan)).ids, `${plan.kind}, after a place`).toEqual(rest);
  }
}

async function idsBy(tx: TenantTx, from: Fragment, condition: Fragment): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select c.id from ${from} where ${condition} order by c.id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function compareSets(tx: TenantTx, sought: Sought, found: Contact[]): Promise<void> {
  const ids = sorted(found, { sort: 'createdAt', order: 'asc' });
  const alone = sql`contacts c`;
  expect(await countAll(tx, sought)).toBe(ids.length);
  expect(await idsBy(tx, contactsWithSuppression, matches(sought))).toEqual(ids);
  expect(await idsBy(tx, contactsWithSuppression, await conditionFor(tx, sought))).toEqual(ids);
  expect(await idsBy(tx, alone, matchesAlone(sought))).toEqual(ids);
  expect(await idsBy(tx, alone, await plainConditionFor(tx, sought))).toEqual(ids);
  expect(await countFound(tx, allBy({ kind: 'read' }, sought))).toBe(ids.length);
  const { term } = sought.leads;
  if (term !== null && hasTrigram(term)) {
    expect(await countFound(tx, allBy({ kind: 'trigrams' }, sought))).toBe(ids.length);
  }
}

const page = fc.record<PageRequest>({
  sort: fc.constantFrom('createdAt', 'address', 'verdict', 'risk'),
  order: fc.constantFrom('asc', 'desc'),
  offset: fc.constantFrom(0, 0, 3, 50),
  limit: fc.constantFrom(1, 5, 200),
});

it('finds by every plan what a plain reading finds', { timeout: 600_000 }, async () => {
  expect(await asTenant((tx) => checkBooks(tx, workspace))).toEqual([]);
  await fc.assert(
    fc.asyncProperty(tree, page, async (asked, wanted) => {
      const read = readTree(JSON.parse(JSON.stringify(asked)), conditions);
      fc.pre(read.tree !== undefined);
      const meant = read.tree as Tree;
      const found = contacts.filter((one) => reads(meant, one));
      await asTenant(async (tx) => {
        const { sort } = wanted;
        const ranking = isRankedSort(sort)
          ? await rankingFor(tx, workspace, conditions, { sort, order: wanted.order })
          : null;
        const sought = { ...(await seek(tx, workspace, meant, conditions)), ranking };
        await compareSets(tx, sought, found);
        await comparePages(tx, sought, found, wanted);
      });
    }),
    { numRuns: 220 },
  );
  expect([...tried].sort()).toEqual([
    'blocks',
    'common by address',
    'common by rank',
    'gather',
    'index',
    'index by address',
    'index of few',
    'walk by address',
    'walk by domain',
    'walk by id',
    'walk by list',
    'walk by rank',
  ]);
});
