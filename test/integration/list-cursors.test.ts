// Tests of: audience
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/**
 * Every list ordered by id can be walked by cursor. The contacts' own cursor is tested beside its
 * code.
 */

let test: TestApp;
let owner: SignedIn;
let stranger: SignedIn;

/** More entries than a suppression list may have for exact searches. */
const manyEntries = 60_000;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
  stranger = await signUp(test.app);
  for (const { workspaceId } of [owner, stranger]) {
    await test.database.asTenant(workspaceId, async (tx) => {
      await sql`insert into imports (workspace_id, file_name, status, options)
        select ${workspaceId}::bigint, 'list.csv', case when n % 5 = 0 then 'checked' else 'failed' end, '{}'
        from generate_series(1, 40) n`.execute(tx);
      await sql`insert into tasks (workspace_id, kind, title, status, input, user_name, actor)
        select ${workspaceId}::bigint, 'contacts.clean', 'Clean', case when n % 3 = 0 then 'failed' else 'completed' end, '{}', 'Priya', 'a@b.uk'
        from generate_series(1, 40) n`.execute(tx);
      await sql`insert into suppression_batches (workspace_id, source, file_name, file_size, reason, status, lines, added,
          already_there, invalid, domains, hashes, recognised)
        select ${workspaceId}::bigint, case when n % 4 = 0 then 'contacts' else 'file' end, 'list.csv', 1, 'imported', 'completed',
          0, 0, 0, 0, 0, 0, 0 from generate_series(1, 40) n`.execute(tx);
      await sql`insert into domain_suppressions (workspace_id, domain, reason)
        select ${workspaceId}::bigint, 'firm' || n || case when n % 2 = 0 then '.co.uk' else '.org.uk' end, 'manual'
        from generate_series(1, 40) n`.execute(tx);
      await sql`insert into suppression_counts values (${workspaceId}, 'domain', 'manual', 40)`.execute(tx);
    });
  }
  await test.database.asTenant(owner.workspaceId, async (tx) => {
    await sql`insert into suppressions (workspace_id, local, domain, reason)
      select ${owner.workspaceId}::bigint, case when n % 1000 = 0 then 'seldom' when n % 10 = 0 then 'often' else 'p' end || n,
        'acme.co.uk', case when n % 4 = 0 then 'bounced' else 'manual' end
      from generate_series(1, ${manyEntries}::int) n`.execute(tx);
    await sql`insert into suppression_counts
      select ${owner.workspaceId}::bigint, 'email', reason, count(*) from suppressions group by reason`.execute(
      tx,
    );
  });
});
afterAll(() => test.close());

const ask = (path: string, query: object, who = owner) =>
  test.app.inject({
    url: `${path}?${new URLSearchParams(query as Record<string, string>)}`,
    headers: { cookie: who.cookie },
  });

interface Page {
  items: { id: number }[];
  totalCount: number;
  nextCursor: string | null;
}

/** All ids on the pages of a list, and the totals that the pages name. */
async function walk(path: string, query: object, limit: number) {
  const ids: number[] = [];
  const totals = new Set<number>();
  let cursor: string | null = null;
  do {
    const answer = await ask(path, { ...query, limit: String(limit), ...(cursor ? { cursor } : {}) });
    expect(answer.statusCode, answer.body).toBe(200);
    const page: Page = answer.json();
    expect(page.items.length).toBeGreaterThan(0);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ id }) => id));
    totals.add(page.totalCount);
    cursor = page.nextCursor;
  } while (cursor);
  return { ids, totals: [...totals] };
}

const newestFirst = (ids: number[]) => ids.toSorted((a, b) => b - a);

describe.each([
  ['/api/imports', {}, 32],
  ['/api/tasks', {}, 40],
  ['/api/tasks', { open: 'false' }, 40],
  ['/api/suppressions/imports', {}, 30],
  ['/api/suppressions/domains', {}, 40],
  ['/api/suppressions/domains', { reason: 'manual' }, 40],
  ['/api/suppressions/domains', { search: '.org' }, 20],
])('%s %j', (path, query, count) => {
  it.each([1, 7, 100])('gives each item once, newest first, in pages of %i', async (limit) => {
    const { ids, totals } = await walk(path, query, limit);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toEqual(newestFirst(ids));
    expect(ids).toHaveLength(count);
    expect(totals).toEqual([count]);
  });

  it('refuses a cursor of another workspace or list, and a page beside it', async () => {
    const { nextCursor: cursor } = (await ask(path, { ...query, limit: '5' })).json<Page>();
    const own = { ...query, cursor: cursor ?? '' };
    for (const answer of [
      await ask(path, own, stranger),
      await ask(path, { ...query, cursor: 'nonsense' }),
      await ask(path === '/api/imports' ? '/api/tasks' : '/api/imports', { cursor: cursor ?? '' }),
      await ask(path, { ...own, page: '2' }),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().message).toMatch(/does not belong to this list|either a cursor or a page/);
    }
    expect((await ask(path, own)).statusCode).toBe(200);
  });
});

describe('a long list of suppressed addresses', () => {
  const idsOf = async (local: string, reason?: string) => {
    const { rows } = await test.database.asTenant(owner.workspaceId, (tx) =>
      sql<{
        id: number;
      }>`select id from suppressions where local like ${local} and ${reason ?? ''}::text in ('', reason)`.execute(
        tx,
      ),
    );
    return newestFirst(rows.map(({ id }) => id));
  };

  it.each([
    ['all of a reason', { reason: 'bounced' }, '%', 'bounced', 200],
    ['what a frequent text finds', { search: 'often' }, 'often%', undefined, 200],
    ['what a rare text finds', { search: 'seldom' }, 'seldom%', undefined, 7],
    ['what both find', { search: 'often', reason: 'bounced' }, 'often%', 'bounced', 90],
  ])('walks %s', async (_what, query, like, reason, limit) => {
    const { ids } = await walk('/api/suppressions/emails', query, limit);
    expect(ids).toEqual(await idsOf(like, reason));
    expect(ids.length).toBeGreaterThan(50);
  });
});
