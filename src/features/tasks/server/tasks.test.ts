import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { access, endpoint } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { createTestHttp, stubCaller, type TestHttp } from '#test/support/stub-caller.ts';
import { orTask } from '../contract.ts';
import { createTasks, type TaskContext, type Tasks } from './index.ts';

let made: TestDatabase;
let db: Database;
let owner: Database;
let http: TestHttp;
let tasks: Tasks;
const open: Tasks[] = [];

type Work = (context: TaskContext<Record<string, unknown>>) => Promise<Record<string, unknown>>;
/** What a task of each kind does. Each test sets its own. */
const works = new Map<string, Work>();
const broken = vi.fn(async (context: TaskContext<unknown>) => ({ doneBefore: context.state?.done ?? 0 }));

/** The feature as one process composes it. */
function aProcess(options: { leavesWorkToOthers?: boolean } = {}): Tasks {
  const made = createTasks({ db, log: createLogger('silent'), leavesWorkToOthers: false, ...options });
  for (const kind of ['test.one', 'test.other']) {
    made.define<Record<string, unknown>>({
      kind,
      input: z.record(z.string(), z.unknown()),
      title: (input) => `Count to ${input.to ?? 'ten'}`,
      run: (context) => works.get(String(context.input.work))?.(context) ?? Promise.resolve({}),
      broken,
      summary: (result) => `Counted to ${result.counted ?? result.doneBefore}.`,
      link: (result) => (result.counted ? `/counted/${result.counted}` : null),
    });
  }
  open.push(made);
  return made;
}

const startCounting = endpoint({
  method: 'POST',
  path: '/api/test/count',
  access: access.member('editor'),
  summary: '',
  tag: '',
  body: z.object({ work: z.string() }),
  ...orTask(z.object({ counted: z.number() })),
});

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  owner = openDatabase({ url: made.ownerUrl, maxConnections: 2 });
  tasks = aProcess();
  http = await createTestHttp((router) => {
    tasks.register(router);
    router.handle(startCounting, async (call) => {
      const task = await tasks.start(call.workspaceId, 'test.one', call.body, call.caller);
      return (await tasks.answer(call, call.workspaceId, task)) as { counted: number };
    });
  });
});
afterEach(() => {
  broken.mockClear();
  works.clear();
});
afterAll(async () => {
  await http.app.close();
  for (const one of open) await one.stop();
  await db.close();
  await owner.close();
  await made.drop();
});

const by = { userId: '7', name: 'Priya Shah', email: 'priya@acme.co.uk' };
const start = (workspaceId: number, input: Record<string, unknown>, kind = 'test.one', on = tasks) =>
  on.start(workspaceId, kind, input, by);
const get = (workspaceId: number, path: string) =>
  http.call(stubCaller(workspaceId, 'viewer'), 'GET', `/api/tasks${path}`);
const cancel = (workspaceId: number, id: number, role: 'viewer' | 'editor' = 'editor') =>
  http.call(stubCaller(workspaceId, role), 'POST', `/api/tasks/${id}/cancel`);

/** Something that happens once and can be waited for. */
function moment(): { happen: () => void; happened: Promise<void> } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
}

/** As if the process that runs a task had been killed: its lease has run out. */
const fallSilent = (id: number) =>
  sql`update tasks set lease_until = now() - interval '1 second' where id = ${id}`.execute(owner.system);

describe('a task', () => {
  it('is run, tells how far it is, and keeps its result', async () => {
    const half = moment();
    const goOn = moment();
    works.set('count', async ({ progress, actor, userId }) => {
      progress(5, 10, 'counting');
      half.happen();
      await goOn.happened;
      progress(10, 10, 'counting');
      return { counted: 10, actor, userId, odd: 'a\0b\ud800' };
    });
    const { id, status } = await start(1, { work: 'count', to: '10' });
    expect(status).toBe('waiting');
    await half.happened;
    expect((await get(1, `/${id}`)).body).toMatchObject({
      title: 'Count to 10',
      status: 'running',
      done: 5,
      total: 10,
      phase: 'counting',
      startedBy: 'Priya Shah',
      finishedAt: null,
    });
    expect((await get(1, '?open=true')).body).toMatchObject({ items: [{ id, done: 5 }], totalCount: 1 });
    goOn.happen();
    expect(await tasks.finished(1, id)).toMatchObject({
      status: 'completed',
      done: 10,
      result: { counted: 10, actor: 'priya@acme.co.uk', userId: '7', odd: 'ab\ufffd' },
      link: '/counted/10',
      summary: 'Counted to 10.',
    });
    expect((await get(1, '?open=true')).body.totalCount).toBe(0);
    expect((await get(1, '?open=false')).body.items[0]).toMatchObject({ id, status: 'completed' });
  });

  it('is another workspace’s business only there', async () => {
    const { id } = await start(1, {});
    await tasks.finished(1, id);
    expect((await get(2, `/${id}`)).status).toBe(404);
    expect((await get(2, `/${id}/events`)).status).toBe(404);
    expect((await cancel(2, id)).status).toBe(404);
    expect((await get(2, '')).body.totalCount).toBe(0);
  });

  it('that fails keeps the sentence, and what was done before', async () => {
    works.set('fail', async ({ checkpoint }) => {
      await db.asTenant(1, (tx) => checkpoint(tx, { done: 3 }));
      throw new AppError('insufficient_storage', 'The disk is full.');
    });
    const { id } = await start(1, { work: 'fail' });
    expect(await tasks.finished(1, id)).toMatchObject({
      status: 'failed',
      error: 'The disk is full.',
      result: { doneBefore: 3 },
      summary: 'Counted to 3.',
    });
    expect(broken).toHaveBeenCalledOnce();
  });

  it('that meets a fault of ours says nothing of its inside', async () => {
    works.set('fault', async () => {
      throw new TypeError('x is undefined');
    });
    const { id } = await start(1, { work: 'fault' });
    const { error } = await tasks.finished(1, id);
    expect(error).toMatch(/something went wrong/i);
    expect(error).not.toContain('undefined');
  });

  it('that lost a deadlock is run again', async () => {
    let runs = 0;
    works.set('deadlock', async () => {
      runs++;
      if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      return { counted: runs };
    });
    const on = aProcess();
    on.startWork();
    const { id } = await start(1, { work: 'deadlock' }, 'test.one', on);
    expect(await on.finished(1, id)).toMatchObject({ status: 'completed', result: { counted: 2 } });
  });
});

describe('a task whose process died', () => {
  it('goes on from its last checkpoint in another', async () => {
    const stuck = moment();
    const seen: unknown[] = [];
    works.set('die', async ({ checkpoint, state }) => {
      seen.push(state);
      if (state) return { counted: 2 };
      await db.asTenant(1, (tx) => checkpoint(tx, { done: 1 }));
      stuck.happen();
      await new Promise(() => {});
      return {};
    });
    // Never stopped properly: it hangs, as a frozen process does.
    const frozen = aProcess();
    open.splice(open.indexOf(frozen), 1);
    const { id } = await start(1, { work: 'die' }, 'test.one', frozen);
    await stuck.happened;
    await fallSilent(id);
    const other = aProcess();
    other.startWork();
    expect(await other.finished(1, id)).toMatchObject({ status: 'completed', result: { counted: 2 } });
    expect(seen).toEqual([null, { done: 1 }]);
  });

  it('cannot write any more when it comes back after all', async () => {
    const stuck = moment();
    const wake = moment();
    let outcome: unknown;
    works.set('late', async ({ checkpoint, state }) => {
      if (state) return { counted: 2 };
      await db.asTenant(1, (tx) => checkpoint(tx, { done: 1 }));
      stuck.happen();
      await wake.happened;
      outcome = await db
        .asTenant(1, async (tx) => {
          await sql`insert into activities (workspace_id, action, details, status, icon, icon_color)
            values (1, 'Late', 'twice', 'completed', 'x', 'primary')`.execute(tx);
          await checkpoint(tx, { done: 99 });
        })
        .catch((error: unknown) => error);
      return { counted: 99 };
    });
    const late = aProcess();
    const { id } = await start(1, { work: 'late' }, 'test.one', late);
    await stuck.happened;
    await fallSilent(id);
    const other = aProcess();
    other.startWork();
    await other.finished(1, id);
    wake.happen();
    await vi.waitFor(() => expect(String(outcome)).toContain('lost'));
    await late.stop();
    expect((await get(1, `/${id}`)).body).toMatchObject({ status: 'completed', result: { counted: 2 } });
    const { rows } = await sql`select from activities where action = 'Late'`.execute(owner.system);
    expect(rows).toHaveLength(0);
  });

  it('again and again is given up', async () => {
    const { id } = await db.asTenant(1, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into tasks (workspace_id, kind, title, input, user_name, actor, status, attempts, lease_until, started_at)
        values (1, 'test.one', 'Doomed', '{}', '', '', 'running', 5, now() - interval '1 s', now()) returning id`.execute(
        tx,
      );
      return rows[0] as { id: number };
    });
    tasks.startWork();
    expect(await tasks.finished(1, id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('again and again'),
    });
  });

  it.each(['failed', 'cancelled'] as const)(
    'between its clean-up and its end has %s all the same, and its clean-up knows what it did',
    async (status) => {
      const run = vi.fn<Work>(async ({ checkpoint, taskId }) => {
        await db.asTenant(1, (tx) => checkpoint(tx, { done: 3 }));
        if (status === 'failed') throw new AppError('insufficient_storage', 'The disk is full.');
        await cancel(1, taskId);
        await db.asTenant(1, (tx) => checkpoint(tx, { done: 4 }));
        return {};
      });
      works.set('die late', run);
      const dead = moment();
      broken.mockImplementationOnce(async ({ checkpoint }) => {
        await db.asTenant(1, (tx) => checkpoint(tx, { done: 7 }));
        dead.happen();
        return new Promise(() => {});
      });
      const frozen = aProcess();
      open.splice(open.indexOf(frozen), 1);
      const { id } = await start(1, { work: 'die late' }, 'test.one', frozen);
      await dead.happened;
      await fallSilent(id);
      const other = aProcess();
      other.startWork();
      expect(await other.finished(1, id)).toMatchObject({
        status,
        result: { doneBefore: 7 },
        error: status === 'failed' ? 'The disk is full.' : null,
      });
      expect([run.mock.calls.length, broken.mock.calls.length]).toEqual([1, 2]);
    },
  );

  it('is given back when its process stops in good order', async () => {
    const begun = moment();
    works.set('stop', async ({ signal, state, checkpoint }) => {
      if (state) return { counted: 2 };
      await db.asTenant(1, (tx) => checkpoint(tx, { done: 1 }));
      begun.happen();
      await sleep(60_000, undefined, { signal });
      return {};
    });
    const stopping = aProcess();
    const { id } = await start(1, { work: 'stop' }, 'test.one', stopping);
    await begun.happened;
    await stopping.stop();
    const other = aProcess();
    other.startWork();
    expect(await other.finished(1, id)).toMatchObject({ status: 'completed', result: { counted: 2 } });
    expect(broken).not.toHaveBeenCalled();
  });
});

describe('cancelling', () => {
  it('stops the work at its next checkpoint and keeps what was done', async () => {
    const begun = moment();
    const cancelled = moment();
    let after: unknown;
    works.set('cancel', async ({ checkpoint }) => {
      await db.asTenant(1, (tx) => checkpoint(tx, { done: 4 }));
      begun.happen();
      await cancelled.happened;
      after = await db.asTenant(1, (tx) => checkpoint(tx, { done: 5 })).catch((error: unknown) => error);
      throw after;
    });
    const { id } = await start(1, { work: 'cancel' });
    await begun.happened;
    expect((await cancel(1, id, 'viewer')).status).toBe(403);
    expect((await cancel(1, id)).status).toBe(200);
    cancelled.happen();
    expect(await tasks.finished(1, id)).toMatchObject({
      status: 'cancelled',
      result: { doneBefore: 4 },
      error: null,
    });
    expect(String(after)).toContain('cancelled');
    const again = await cancel(1, id);
    expect(again.status).toBe(409);
    expect(again.body.message).toMatch(/ended already/);
  });

  it('cleans up after a task that never began', async () => {
    const begun: ReturnType<typeof moment>[] = [];
    works.set('busy', async ({ signal }) => {
      begun.pop()?.happen();
      await sleep(60_000, undefined, { signal });
      return {};
    });
    // Two of a workspace run at once.
    const running = [];
    for (const _ of [1, 2]) {
      const one = moment();
      begun.push(one);
      running.push(await start(3, { work: 'busy' }));
      await one.happened;
    }
    const { id } = await start(3, { work: 'busy' });
    expect((await cancel(3, id)).body).toMatchObject({ status: 'cancelled' });
    expect(broken).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ taskId: id, state: null }),
      expect.objectContaining({ status: 'cancelled' }),
    );
    for (const one of running) await cancel(3, one.id);
    for (const one of running) await tasks.finished(3, one.id);
  });

  it('cleans up again at night where that failed or the process died, until it is done', async () => {
    // Two of a workspace run at once, and these never end.
    for (const _ of [1, 2])
      await sql`
        insert into tasks (workspace_id, kind, title, input, user_name, actor, status, started_at, lease, lease_until)
        values (4, 'test.busy', '', '{}', '', '', 'running', now(), gen_random_uuid(), now() + interval '1 day')`.execute(
        owner.system,
      );
    const { id } = await start(4, {});
    broken.mockRejectedValueOnce(new Error('the disk is full'));
    expect(await cancel(4, id)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect((await get(4, `/${id}`)).body).toMatchObject({ status: 'cancelled', result: null });
    broken.mockRejectedValueOnce(new Error('the disk is full'));
    for (const _ of [1, 2, 3]) await tasks.cleanUp(4);
    expect(broken).toHaveBeenCalledTimes(3);
    expect((await get(4, `/${id}`)).body).toMatchObject({ status: 'cancelled', result: { doneBefore: 0 } });
  });

  it('reaches a task that another process runs', async () => {
    const begun = moment();
    works.set('elsewhere', async ({ signal }) => {
      begun.happen();
      await sleep(60_000, undefined, { signal });
      return {};
    });
    const elsewhere = aProcess();
    const { id } = await start(1, { work: 'elsewhere' }, 'test.one', elsewhere);
    await begun.happened;
    await cancel(1, id);
    expect(await tasks.finished(1, id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('many tasks', () => {
  it('are forgotten 30 days after their end', async () => {
    const old = await start(1, {});
    const recent = await start(1, {});
    for (const { id } of [old, recent]) await tasks.finished(1, id);
    await sql`update tasks set finished_at = now() - interval '31 days' where id = ${old.id}`.execute(
      owner.system,
    );
    await tasks.tidy();
    expect((await get(1, `/${old.id}`)).status).toBe(404);
    expect((await get(1, `/${recent.id}`)).status).toBe(200);
  });
});

describe('a call that starts a task', () => {
  const call = (work: string, prefer?: string) =>
    http.app.inject({
      method: 'POST',
      url: '/api/test/count',
      headers: {
        'x-test-caller': JSON.stringify(stubCaller(1)),
        'content-type': 'application/json',
        ...(prefer ? { prefer } : {}),
      },
      payload: JSON.stringify({ work }),
    });

  // Makes the caller known.
  beforeEach(() => http.call(stubCaller(1), 'GET', '/api/tasks'));

  it('answers the result when it is there', async () => {
    works.set('answer', async () => ({ counted: 12 }));
    const answer = await call('answer');
    expect([answer.statusCode, answer.json()]).toEqual([200, { counted: 12 }]);
  });

  it('answers at once where that is preferred, with events to follow', async () => {
    const goOn = moment();
    works.set('async', async ({ progress }) => {
      progress(1, 2);
      await goOn.happened;
      return { counted: 2 };
    });
    const answer = await call('async', 'wait=1, respond-async');
    expect(answer.statusCode).toBe(202);
    expect(answer.headers['preference-applied']).toBe('respond-async');
    const { taskId } = answer.json();
    const events = await http.app.inject({
      url: `/api/tasks/${taskId}/events`,
      headers: { 'x-test-caller': JSON.stringify(stubCaller(1)) },
      payloadAsStream: true,
    });
    let text = '';
    for await (const piece of events.stream()) {
      text += String(piece);
      if (text.includes('"done":1')) goOn.happen();
    }
    expect(text).toMatch(/event: progress\ndata: .*"done":1,"total":2/);
    expect(text).toMatch(/event: done\ndata: .*"status":"completed"[^\n]*"counted":2/);
  });

  it('answers what it failed of', async () => {
    works.set('refuse', async () => {
      throw new AppError('gone', 'That is not there any more.');
    });
    const answer = await call('refuse');
    expect(answer.statusCode).toBe(410);
    expect(answer.json().message).toBe('That is not there any more.');
  });
});
