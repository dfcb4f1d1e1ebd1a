import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';
import { showTest } from './ab-test/decide-tests.ts';
import { selectDomainFigures } from './domain-queries.ts';
import type { MailingContent } from './mailing-queries.ts';
import { beginPart, claimPart, endPart, type PartRow } from './part-queries.ts';
import { countRecipients, releaseUncertain, selectReasons } from './recipient-queries.ts';
import { selectDue } from './send-queries.ts';

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
  await vi.waitFor(async () => expect(await opened(6)).toEqual([1, 0]), 20_000);
  await open(1);
  await goOn();
  const { rows } = await sql`
    select claimed_until from mailing_tests where workspace_id = ${workspaceId}`.execute(system);
  expect(rows).toEqual([{ claimed_until: null }]);
  expect(await opened(6)).toEqual([1, 0]);
  expect(await opened(7)).toEqual([1, 1]);
  await sql`update mailing_tests set counted_at = now() - interval '1 minute'`.execute(system);
  await vi.waitFor(async () => expect(await opened(6)).toEqual([1, 1]), 20_000);
});

describe('an uncertain message that is sent again', () => {
  /** A mailing under way: one is uncertain, one is with a server, and a run holds the part. */
  async function underWay() {
    const { workspaceId } = await signUp(test.app);
    const { system } = test.owner;
    const { rows } = await sql<{ id: number }>`
      insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
        tracks_clicks, started_at)
      values (${workspaceId}, 'campaign', 'sending', 'News', 'A', 'a@shop.co.uk', 'News', '', '', false, false, now())
      returning id`.execute(system);
    const mailingId = rows[0]?.id ?? 0;
    await sql`
      insert into sends (workspace_id, mailing_id, id, local, domain, state, attempts)
      values (${workspaceId}, ${mailingId}, 1, 'p1', 'shop.co.uk', 'uncertain', 1),
        (${workspaceId}, ${mailingId}, 2, 'p2', 'shop.co.uk', 'handed', 1)`.execute(system);
    const lease = randomUUID();
    const { rows: parts } = await sql<{ id: number }>`
      insert into send_parts (workspace_id, mailing_id, first_send, last_send, total, uncertain, lease, lease_until)
      values (${workspaceId}, ${mailingId}, 1, 2, 2, 1, ${lease}, clock_timestamp() + interval '1 hour')
      returning id`.execute(system);
    const run = { workspaceId, id: parts[0]?.id ?? 0, lease };
    const of = { mailingId, firstSend: 1, lastSend: 2, testGroup: null, variant: null };
    return { workspaceId, mailingId, run, part: { ...run, ...of, attempts: 1, cancelRequested: false } };
  }
  afterEach(() =>
    sql`update mailings set status = 'completed' where status = 'sending'`.execute(test.owner.system),
  );

  type UnderWay = Awaited<ReturnType<typeof underWay>>;
  const inWorkspace = <T>({ workspaceId }: UnderWay, work: (tx: TenantTx) => Promise<T>) =>
    test.database.asTenant(workspaceId, work);
  const release = (mailing: UnderWay) =>
    inWorkspace(mailing, (tx) => releaseUncertain(tx, mailing.workspaceId, mailing.mailingId, 1));
  const end = (mailing: UnderWay) => inWorkspace(mailing, (tx) => endPart(tx, mailing.run, mailing.part));
  const answer = ({ mailingId }: UnderWay) =>
    sql`update sends set state = 'sent' where mailing_id = ${mailingId} and state = 'handed'`.execute(
      test.owner.system,
    );
  const claim = (lease: string) =>
    claimPart(test.database.system, lease, 'campaign', { parts: [], workspaces: [] });
  const states = async ({ mailingId }: UnderWay) => {
    const { rows } = await sql<{ state: string }>`
      select state from sends where mailing_id = ${mailingId} order by id`.execute(test.owner.system);
    return rows.map(({ state }) => state);
  };

  it('leaves its part to the run that holds it, and goes out by the next', async () => {
    const mailing = await underWay();
    const { workspaceId, run } = mailing;
    expect(await release(mailing)).toBe(1);
    expect(await claim(randomUUID())).toBeNull();
    expect(await states(mailing)).toEqual(['deferred', 'handed']);
    await answer(mailing);
    expect(await end(mailing)).toEqual({ isDone: false });
    const next = { ...run, lease: randomUUID() };
    expect(await claim(next.lease)).toEqual({ workspaceId, id: run.id });
    const due = await inWorkspace(mailing, async (tx) => {
      const part = (await beginPart(tx, next, 'campaign')) as PartRow;
      return selectDue(tx, part, { subject: '', preheader: '', html: '', text: '' } as MailingContent);
    });
    expect(due.map(({ id }) => id)).toEqual([1]);
    expect(await states(mailing)).toEqual(['deferred', 'sent']);
  });

  it('is not forgotten by the run that ends meanwhile', async () => {
    const mailing = await underWay();
    const { workspaceId, mailingId, run } = mailing;
    await answer(mailing);
    const ended = await inWorkspace(mailing, async (tx) => {
      await releaseUncertain(tx, workspaceId, mailingId, 1);
      const ending = inBackground(() => end(mailing));
      await vi.waitFor(async () => expect(await waitingForLocks(test)).toBe(1), { timeout: 30_000 });
      return { ending };
    });
    expect(await ended.ending).toEqual({ isDone: false });
    expect(await claim(randomUUID())).toEqual({ workspaceId, id: run.id });
  });
});
