import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import { showTest } from './ab-test/decide-tests.ts';
import { selectDomainFigures } from './domain-queries.ts';
import { countRecipients, selectReasons } from './recipient-queries.ts';

let test: TestApp;
beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

/** A mailing to nine people of a workspace: three sent, four refused, two left out. */
async function mailing(): Promise<{ workspaceId: number; id: number }> {
  const { workspaceId } = await signUp(test.app);
  const { system } = test.owner;
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, name, from_name, from_address, subject, html, text, tracks_opens,
      tracks_clicks, left_out)
    values (${workspaceId}, 'campaign', 'News', 'A', 'a@shop.co.uk', 'News', '', '', true, true, '{"suppressed": 2}')
    returning id`.execute(system);
  const id = rows[0]?.id ?? 0;
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, reason, test_group)
    select ${workspaceId}, ${id}, n, 'p' || n, 'shop.co.uk',
      case when n < 3 then 'sent' when n < 7 then 'failed' else 'left_out' end,
      case when n < 3 then null when n < 6 then 'no_such_user' when n = 6 then 'policy' else 'suppressed' end, 1 + n % 2
    from generate_series(0, 8) n`.execute(system);
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, status, total, sent, failed, test_group)
    values (${workspaceId}, ${id}, 0, 6, 'done', 4, 2, 2, 1), (${workspaceId}, ${id}, 1, 6, 'done', 3, 1, 2, 2)`.execute(
    system,
  );
  return { workspaceId, id };
}

/** A database that begins its first transaction once it is told to, and says when that is over. */
function lateDatabase(db: Database): { late: Database; goOn: () => Promise<void> } {
  const begins = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const late: Database = {
    ...db,
    async asTenant(...call: Parameters<Database['asTenant']>) {
      await begins.promise;
      return db.asTenant(...call).finally(over.resolve) as never;
    },
  };
  const goOn = async () => {
    begins.resolve();
    await over.promise;
  };
  return { late, goOn };
}

it('reasons are told of those who were not sent anything, and of those who are left out', async () => {
  const { workspaceId, id } = await mailing();
  expect(await test.database.asTenant(workspaceId, (tx) => selectReasons(tx, workspaceId, id))).toEqual([
    { state: 'failed', reason: 'no_such_user', people: 3 },
    { state: 'left_out', reason: 'suppressed', people: 2 },
    { state: 'failed', reason: 'policy', people: 1 },
  ]);
});

it('domains come with those of most recipients first, and all others together last', async () => {
  const { workspaceId, id } = await mailing();
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state)
    select ${workspaceId}, ${id}, 100 + n, 'p', 'firm' || n || '.co.uk', 'sent' from generate_series(1, 20) n`.execute(
    test.owner.system,
  );
  const found = await test.database.asTenant(workspaceId, (tx) =>
    selectDomainFigures(tx, workspaceId, id, { most: 2, sets: {} }),
  );
  expect(found.map(({ domain, domains, recipients }) => [domain, domains, recipients])).toEqual([
    ['shop.co.uk', 1, 7],
    ['firm1.co.uk', 1, 1],
    [null, 19, 19],
  ]);
});

it('what is looked for is counted up to a limit', async () => {
  const { workspaceId, id } = await mailing();
  const filter = {
    state: 'failed' as const,
    search: null,
    among: sql`select n as send_id from generate_series(2, 8) n`,
  };
  const counted = (most?: number) =>
    test.database.asTenant(workspaceId, (tx) => countRecipients(tx, workspaceId, id, filter, most));
  expect(await counted()).toBe(4);
  expect(await counted(3)).toBe(3);
});

it('a large A/B test is shown as it was last counted, and counted anew in the background', async () => {
  const { workspaceId, id } = await mailing();
  const { system } = test.owner;
  await sql`
    insert into mailing_tests (workspace_id, mailing_id, share, decide_by, hours)
    values (${workspaceId}, ${id}, 100, 'clicks', 4)`.execute(system);
  await sql`
    insert into mailing_variants (workspace_id, mailing_id, number, subject, preheader, from_name, from_address)
    select ${workspaceId}, ${id}, n, 'News', '', 'A', 'a@shop.co.uk' from generate_series(1, 2) n`.execute(
    system,
  );
  const open = (sendId: number) =>
    sql`
      insert into tracked_sends (workspace_id, mailing_id, send_id, opened_at, human_opened_at)
      values (${workspaceId}, ${id}, ${sendId}, now(), now())`.execute(system);
  await open(0);
  const parts = { db: test.database, log: createLogger('silent') };
  const opened = async (few: number, db = parts.db) => {
    const shown = await test.database.asTenant(workspaceId, (tx) =>
      showTest({ ...parts, db }, tx, workspaceId, id, few),
    );
    return shown?.variants.map((variant) => variant.opened);
  };
  expect(await opened(7)).toEqual([1, 0]);
  // Nothing is known of a larger one at first. One who asks then gets to count only later.
  const { late, goOn } = lateDatabase(test.database);
  expect(await opened(6, late)).toEqual([0, 0]);
  await vi.waitFor(async () => expect(await opened(6)).toEqual([1, 0]));
  await open(1);
  await goOn();
  const { rows } = await sql`
    select claimed_until from mailing_tests where workspace_id = ${workspaceId}`.execute(system);
  expect(rows).toEqual([{ claimed_until: null }]);
  expect(await opened(6)).toEqual([1, 0]);
  expect(await opened(7)).toEqual([1, 1]);
  await sql`update mailing_tests set counted_at = now() - interval '1 minute'`.execute(system);
  await vi.waitFor(async () => expect(await opened(6)).toEqual([1, 1]));
});
