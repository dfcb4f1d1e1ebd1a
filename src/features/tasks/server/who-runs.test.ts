import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTasks, type Tasks } from './index.ts';

// Which process runs a task. Each test controls all processes that exist.

let made: TestDatabase;
let db: Database;
let owner: Database;
const open: Tasks[] = [];
let work: (workspaceId: number, name: string) => Promise<void> = async () => {};

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 1 });
});
/** Some tests leave tasks that nobody runs. */
beforeEach(() => sql`delete from tasks`.execute(owner.system));
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});
afterAll(async () => {
  await db.close();
  await owner.close();
  await made.drop();
});

/** The feature as one process composes it. */
function aProcess(leavesWorkToOthers = false): Tasks {
  const one = createTasks({ db, log: createLogger('silent'), leavesWorkToOthers });
  for (const kind of ['test.one', 'test.other']) {
    one.define({
      kind,
      input: z.strictObject({ name: z.string().optional() }),
      title: () => 'Count',
      run: async ({ workspaceId, input }) => {
        await work(workspaceId, input.name ?? '');
        return {};
      },
      summary: () => 'Counted.',
    });
  }
  open.push(one);
  return one;
}

const by = { userId: '7', name: 'Priya Shah' };

it('takes turns between workspaces, and one kind leaves room for another', async () => {
  const order: string[] = [];
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  work = async (workspaceId, name) => {
    order.push(`${workspaceId}${name}`);
    await mayGoOn;
  };
  // It starts tasks, but no longer runs any.
  const stopped = aProcess();
  await stopped.stop();
  const ids: [number, number][] = [];
  for (const workspace of [11, 11, 11, 12, 12, 13])
    ids.push([workspace, (await stopped.start(workspace, 'test.one', {}, by)).id]);
  ids.push([14, (await stopped.start(14, 'test.other', { name: ' other' }, by)).id]);
  const worker = aProcess();
  worker.startWork();
  await vi.waitFor(() => expect(order).toHaveLength(4), 30_000);
  // It looks for more every second, and takes none while these run.
  await sleep(2_500);
  expect(order.sort()).toEqual(['11', '12', '13', '14 other']);
  goOn();
  for (const [workspace, id] of ids) await worker.finished(workspace, id);
  expect(order).toHaveLength(7);
});

it('is a process that only serves the web when no worker takes the task', async () => {
  work = async () => {};
  const web = aProcess(true);
  web.startWork();
  const { id } = await web.start(1, 'test.one', {}, by);
  const { rows } = await db.asTenant(1, (tx) =>
    sql<{ status: string }>`select status from tasks where id = ${id}`.execute(tx),
  );
  expect(rows[0]?.status).toBe('waiting');
  expect(await web.finished(1, id)).toMatchObject({ status: 'completed' });
});

it('waits for no task any more when the caller has hung up, wherever it runs', async () => {
  const web = aProcess(true);
  // Nobody here runs it.
  await web.stop();
  const task = await web.start(1, 'test.one', {}, by);
  let ended: unknown;
  const app = Fastify().get('/', async (request, reply) => {
    await web.answer({ request, reply }, 1, task).catch((error: unknown) => {
      ended = error;
    });
  });
  try {
    const url = await app.listen({ port: 0 });
    const caller = new AbortController();
    const call = fetch(url, { signal: caller.signal }).catch(() => 'hung up');
    await sleep(300);
    expect(ended).toBeUndefined();
    caller.abort();
    expect(await call).toBe('hung up');
    await vi.waitFor(() => expect(ended).toMatchObject({ message: 'This was called off.' }), 5_000);
  } finally {
    await app.close();
  }
});
