import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runNightly } from '#platform/server/nightly.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let people: SignedIn[];

beforeAll(async () => {
  test = await openTestApp();
  people = [await signUp(test.app), await signUp(test.app), await signUp(test.app)];
});
beforeEach(async () => {
  await sql`delete from activities where action = 'Long ago'`.execute(test.owner.system);
  for (const { workspaceId } of people) await addOldActivity(workspaceId);
});
afterAll(() => test?.close());

const addOldActivity = (workspaceId: number) =>
  test.database.asTenant(workspaceId, (tx) =>
    sql`
      insert into activities (workspace_id, action, details, status, icon, icon_color, actor, created_at)
      values (${workspaceId}, 'Long ago', '', 'completed', 'settings', 'primary', 'jo@acme.co.uk',
              now() - interval '10 years')`.execute(tx),
  );
const oldActivities = async (workspaceId: number): Promise<number> =>
  test.database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from activities
      where workspace_id = ${workspaceId} and action = 'Long ago'`.execute(tx);
    return rows[0]?.n ?? 0;
  });

it('goes on with the other workspaces when one fails, and fails at its end', async () => {
  const broken = people[0]?.workspaceId ?? 0;
  await sql`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'this workspace is broken'; end $$`.execute(test.owner.system);
  await sql`
    create trigger refuse before delete on activities for each row
    when (old.workspace_id = ${sql.lit(broken)}) execute function refuse()`.execute(test.owner.system);
  await expect(test.nightly()).rejects.toThrow('failed 1 times');
  expect(await Promise.all(people.map(({ workspaceId }) => oldActivities(workspaceId)))).toEqual([1, 0, 0]);
  await sql`drop function refuse cascade`.execute(test.owner.system);
});

it('goes on after the workspace it reached last, where a night is too short for all', async () => {
  const reached: number[] = [];
  const night = async (workspacesPerNight: number) => {
    const over = new AbortController();
    let rest = workspacesPerNight;
    const work = {
      name: 'test.work',
      run: async (workspaceId: number) => {
        reached.push(workspaceId);
        if (--rest === 0) over.abort(new Error('the night is over'));
      },
    };
    await runNightly(
      {
        works: [work],
        workspaces: async () => [31, 11, 21],
        db: test.database.system,
        log: { error: () => undefined, warn: () => undefined } as never,
      },
      over.signal,
    ).catch((error: Error) => expect(error.message).toBe('the night is over'));
  };
  await sql`delete from nightly_place`.execute(test.owner.system);
  await night(2);
  expect(reached).toEqual([11, 21]);
  await night(2);
  expect(reached).toEqual([11, 21, 31, 11]);
  await night(9);
  expect(reached.slice(4)).toEqual([21, 31, 11]);
});
