import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTasks, type Tasks } from './index.ts';

// Tasks that a process leaves as they are: it does not understand them, they were cancelled, or it
// is stopping.

let made: TestDatabase;
let db: Database;
let owner: Database;
const open: Tasks[] = [];
const ran: unknown[] = [];
const said: string[] = [];
let work = async (): Promise<void> => {};
const log = pino({ level: 'warn' }, { write: (line: string) => said.push(line) });

const known = z.strictObject({ to: z.number() });

/** The feature as one process composes it. */
function aProcess(kinds: Record<string, z.ZodType<object>> = { 'test.count': known }): Tasks {
  const one = createTasks({ db, log: log as never, leavesWorkToOthers: false });
  for (const [kind, input] of Object.entries(kinds)) {
    one.define({
      kind,
      input,
      title: () => 'Count',
      run: async (context) => {
        ran.push(context.input);
        await work();
        return {};
      },
    });
  }
  open.push(one);
  return one;
}

/** A task as another process wrote it. */
async function stored(input: object, { kind = 'test.count', minutes = 0 } = {}): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into tasks (workspace_id, kind, title, input, user_name, actor, created_at)
    values (1, ${kind}, 'Count', ${JSON.stringify(input)}, '', '', now() - make_interval(mins => ${minutes}::int))
    returning id`.execute(owner.system);
  return rows[0]?.id as number;
}

const record = async (id: number) =>
  (await sql<Record<string, unknown>>`select * from tasks where id = ${id}`.execute(owner.system)).rows[0];

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 1 });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
  await sql`delete from tasks`.execute(owner.system);
  ran.length = 0;
  said.length = 0;
  work = async () => {};
});
afterAll(async () => {
  await db.close();
  await owner.close();
  await made.drop();
});

describe('a task of a newer version', () => {
  it('is put back as it was, said in the log once, and run by a process that understands it', async () => {
    const id = await stored({ to: 3, butNot: 2 });
    const before = await record(id);
    const old = aProcess();
    old.startWork();
    await vi.waitFor(() => expect(said).toHaveLength(1), 10_000);
    expect(said[0]).toContain('its input (test.count) is of a newer version');
    // The same process runs what it understands, and looks for more.
    await old.finished(1, await stored({ to: 1 }));
    await vi.waitFor(async () => expect(await record(id)).toEqual(before), 10_000);
    expect(said).toHaveLength(1);

    const newer = aProcess({ 'test.count': z.strictObject({ to: z.number(), butNot: z.number() }) });
    newer.startWork();
    expect(await newer.finished(1, id)).toMatchObject({ status: 'completed' });
    expect(ran).toEqual([{ to: 1 }, { to: 3, butNot: 2 }]);
  });

  it.each([
    ['whose input it does not understand', 'test.count'],
    ['of a kind that it does not know', 'test.unheard-of'],
  ])('%s is shown as waiting for it after ten minutes', async (_, kind) => {
    const id = await stored({ to: 3, butNot: 2 }, { kind, minutes: 11 });
    const young = await stored({ to: 3, butNot: 2 }, { kind, minutes: 9 });
    const process = aProcess();
    process.startWork();
    const overseen = async () => {
      const { items } = await process.oversight.list(['waiting'], { skip: 0, take: 9 });
      return items.map((item) => [item.id, item.phase]);
    };
    await vi.waitFor(
      async () =>
        expect(await overseen()).toEqual([
          [young, null],
          [id, 'Waiting for a newer version'],
        ]),
      10_000,
    );
    expect(ran).toEqual([]);
  });
});

describe('what is queued', () => {
  it('never runs when it was cancelled, also after a run that was broken off', async () => {
    const starter = aProcess();
    await starter.stop();
    const fresh = await stored({ to: 1 });
    const begun = await stored({ to: 2 });
    await sql`update tasks set started_at = now() where id = ${begun}`.execute(owner.system);
    for (const id of [fresh, begun]) await starter.oversight.cancel(1, id, async () => {});
    const worker = aProcess();
    worker.startWork();
    for (const id of [fresh, begun])
      expect(await worker.finished(1, id)).toMatchObject({ status: 'cancelled' });
    expect(ran).toEqual([]);
  });

  it('waits for another process when its own stops', async () => {
    const atWork: (() => void)[] = [];
    work = () => new Promise((resolve) => atWork.push(resolve));
    for (const to of [1, 2]) await stored({ to });
    const waiting = [await stored({ to: 3 }), await stored({ to: 4 })];
    const stopping = aProcess();
    stopping.startWork();
    // At most two tasks of one workspace run at once.
    await vi.waitFor(() => expect(atWork).toHaveLength(2), 10_000);
    const stopped = stopping.stop();
    for (const finish of atWork) finish();
    await stopped;
    expect(ran).toEqual([{ to: 1 }, { to: 2 }]);
    for (const id of waiting)
      expect(await record(id)).toMatchObject({ status: 'waiting', lease: null, attempts: 0 });
  });
});
