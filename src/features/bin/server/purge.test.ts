import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import { type Database, openDatabase, type TenantTx } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';
import { holdRemovals, purgeBin } from './index.ts';
import { markRestoring } from './removal-queries.ts';
import { restoreTask } from './restores.ts';

let made: TestDatabase;
let db: Database;
let workspace = 700;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});
beforeEach(() => {
  workspace += 1;
});

const asTenant = <Result>(work: (tx: TenantTx) => Promise<Result>) => db.asTenant(workspace, work);

/** Removals of one contact each, so many days ago. */
const remove = (count: number, days: number) =>
  asTenant((tx) =>
    sql`
      with m as (
        insert into removals (workspace_id, kind, contacts, created_at)
        select ${workspace}, 'delete', 1, now() - make_interval(days => ${days}) from generate_series(1, ${count}::int)
        returning id
      )
      insert into removed_contacts (workspace_id, removal_id, id, local, domain, state, created_at)
      select ${workspace}, id, id, 'p' || id, 'acme.co.uk', 0, now() from m`.execute(tx),
  );
const left = async (): Promise<number> => {
  const { rows } = await asTenant((tx) =>
    sql<{ count: number }>`select count(*) from removed_contacts where workspace_id = ${workspace}`.execute(
      tx,
    ),
  );
  return rows[0]?.count ?? 0;
};

const areRestoring = async (): Promise<boolean[]> => {
  const { rows } = await asTenant((tx) =>
    sql<{ isRestoring: boolean }>`
      select is_restoring as "isRestoring" from removals where workspace_id = ${workspace} order by id`.execute(
      tx,
    ),
  );
  return rows.map(({ isRestoring }) => isRestoring);
};

it('empties as many removals as are over, and no other', async () => {
  await remove(2500, 31);
  await remove(3, 29);
  expect(await purgeBin(db, workspace, 30)).toBe(2500);
  expect(await left()).toBe(3);
  expect(await purgeBin(db, workspace, 30)).toBe(0);
});

it('waits for nobody while nothing is over', async () => {
  await remove(3, 29);
  await asTenant(async (tx) => {
    await holdRemovals(tx, workspace);
    expect(await inBackground(() => purgeBin(db, workspace, 30))).toBe(0);
  });
});

it('leaves what somebody began to restore while it waited', async () => {
  await remove(1, 31);
  const purging = await asTenant(async (tx) => {
    await holdRemovals(tx, workspace);
    await sql`update removals set is_restoring = true where workspace_id = ${workspace}`.execute(tx);
    const begun = inBackground(() => purgeBin(db, workspace, 30));
    await expect.poll(() => waitingForLocks({ database: db })).toBe(1);
    return { begun };
  });
  expect(await purging.begun).toBe(0);
  expect(await left()).toBe(1);
});

it('frees what a task left marked as being restored, and leaves what one is restoring', async () => {
  await remove(2, 31);
  await remove(1, 29);
  await asTenant(async (tx) => {
    await sql`update removals set is_restoring = true where workspace_id = ${workspace}`.execute(tx);
    await sql`
      insert into tasks (workspace_id, kind, title, input, status, user_name, actor)
      select ${workspace}, 'contacts.restore', 'Bring back 1 contact', jsonb_build_object('removalId', id, 'count', 1),
             case id when min(id) over () then 'running' else 'completed' end, 'Ann', 'ann@acme.co.uk'
      from removals where workspace_id = ${workspace}`.execute(tx);
  });
  expect(await purgeBin(db, workspace, 30)).toBe(1);
  expect(await areRestoring()).toEqual([true, false, false]);
});

it('leaves what is being restored marked when the end of an earlier restore runs twice', async () => {
  await remove(1, 1);
  const { rows } = await asTenant((tx) =>
    sql<{ id: number }>`select id from removals where workspace_id = ${workspace}`.execute(tx),
  );
  const removalId = rows[0]?.id as number;
  const begin = (taskId: number) => asTenant((tx) => markRestoring(tx, workspace, removalId, taskId));
  const verdicts = { forget: async () => {}, hold: async () => {}, judge: async () => {} };
  const end = (taskId: number, isDone = false) =>
    restoreTask({ db, companions: { verdicts, followers: () => [] } }).broken?.(
      {
        ...{ workspaceId: workspace, taskId, userId: null, actor: 'ann@acme.co.uk' },
        input: { removalId, count: 1 },
        state: { restored: 0, looked: 0, isDone },
        progress: () => undefined,
        checkpoint: async () => undefined,
        signal: new AbortController().signal,
      },
      { status: 'cancelled', message: '' },
    );
  const lines = async () =>
    (await asTenant((tx) => sql`select from audit_log where workspace_id = ${workspace}`.execute(tx))).rows
      .length;
  // All is done and told when somebody cancels it.
  await end(1, true);
  expect(await lines()).toBe(0);
  await begin(1);
  await end(1);
  expect([await areRestoring(), await lines()]).toEqual([[false], 1]);
  await begin(2);
  await end(1);
  expect(await areRestoring()).toEqual([true]);
  await end(2);
  expect(await areRestoring()).toEqual([false]);
});
