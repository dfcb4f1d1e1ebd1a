import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answersCall, type Database, openDatabase, type TenantOptions } from '#platform/server/database.ts';
import { createHttp } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';
import { access, endpoint } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { stubCaller } from '#test/support/stub-caller.ts';
import { createIdempotency } from './idempotency.ts';

// One call that saves one view. Each test decides what goes wrong after that.

const saveOnce = endpoint({
  method: 'POST',
  path: '/api/test-work',
  access: access.member('editor'),
  summary: 'Saves a view.',
  tag: 'Test',
  body: z.object({ name: z.string() }),
  response: z.union([z.object({ id: z.number() }), z.object({ taskId: z.number() })]),
});

const workspaceId = 1;
let made: TestDatabase;
let db: Database;
let web: FastifyInstance;
let handler: (name: string) => Promise<unknown>;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  web = aProcess();
});
afterAll(async () => {
  await web.close();
  await db.close();
  await made.drop();
});

/** The server as one process has it. Each process can fail in its own way. */
function aProcess(idempotency = createIdempotency(db)): FastifyInstance {
  const { app, router } = createHttp({
    log: createLogger('silent'),
    trustedOrigins: [],
    authenticate: async () => stubCaller(workspaceId),
    idempotency,
  });
  router.handle(saveOnce, async ({ body }) => handler(body.name) as never);
  return app;
}
let key = 0;
beforeEach(() => {
  key += 1;
});
async function send(app = web) {
  const { statusCode, headers, body } = await app.inject({
    method: 'POST',
    url: saveOnce.path,
    headers: { 'idempotency-key': `key-${key}` },
    payload: { name: `View ${key}` },
  });
  return { status: statusCode, replayed: headers['idempotent-replayed'], body: JSON.parse(body) };
}

const save = (name: string, options?: TenantOptions<{ id: number }>): Promise<{ id: number }> =>
  db.asTenant(
    workspaceId,
    async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into activities (workspace_id, action, details, status, icon, icon_color)
        values (${workspaceId}, 'Test', ${name}, 'completed', 'star', 'primary') returning id`.execute(tx);
      return { id: rows[0]?.id ?? 0 };
    },
    options,
  );

async function timesDone(): Promise<number> {
  const { rows } = await db.asTenant(workspaceId, (tx) =>
    sql<{ done: number }>`select count(*)::int as done from activities
      where workspace_id = ${workspaceId} and details = ${`View ${key}`}`.execute(tx),
  );
  return rows[0]?.done ?? 0;
}

/** Less than a day later, but late enough that the process at work must have died. */
const later = () =>
  db.asTenant(workspaceId, (tx) =>
    sql`update idempotency_keys set created_at = created_at - interval '16 minutes'
        where workspace_id = ${workspaceId} and key = ${`key-${key}`}`.execute(tx),
  );

const lost = { code: 'conflict', message: expect.stringContaining('It was not repeated') };

describe('a call with an idempotency key that fails after its work was committed', () => {
  it('is not repeated when the failure says nothing of the work', async () => {
    handler = async (name) => {
      await save(name);
      throw new Error('a broken wire');
    };
    expect((await send()).status).toBe(500);
    handler = save;
    expect(await send()).toMatchObject({ status: 409, replayed: 'true', body: lost });
    expect(await timesDone()).toBe(1);
  });

  it('is answered the same failure again when that stays true', async () => {
    handler = async (name) => {
      await save(name);
      throw new AppError('gone', 'The task was cancelled.');
    };
    const first = await send();
    expect(first).toMatchObject({ status: 410, body: { message: 'The task was cancelled.' } });
    handler = save;
    expect(await send()).toEqual({ ...first, replayed: 'true' });
    expect(await timesDone()).toBe(1);
  });

  it('is not repeated when its answer cannot be written', async () => {
    handler = async (name) => {
      await save(name);
      return { id: 'no number' };
    };
    expect((await send()).status).toBe(500);
    handler = save;
    expect(await send()).toMatchObject({ status: 409, body: lost });
    expect(await timesDone()).toBe(1);
  });

  it('has done nothing when the transaction is what answers, and the answer cannot be written', async () => {
    handler = (name) => save(name, { answer: () => ({ body: { id: 'no number' } }) });
    expect((await send()).status).toBe(500);
    expect(await timesDone()).toBe(0);
    handler = (name) => save(name, answersCall);
    expect(await send()).toMatchObject({ status: 200, replayed: undefined });
    expect(await timesDone()).toBe(1);
  });
});

describe('a call with an idempotency key whose process dies', () => {
  /** Makes the call in a process that gets no further than `work`. */
  async function dyingIn(work: (name: string) => Promise<unknown>): Promise<void> {
    let reached = false;
    handler = async (name) => {
      await work(name);
      reached = true;
      return new Promise(() => undefined);
    };
    void send(aProcess()).catch(() => undefined);
    await vi.waitFor(() => expect(reached).toBe(true), 10_000);
    handler = save;
  }

  it('after the commit is never repeated', async () => {
    await dyingIn((name) => save(name));
    for (let times = 0; times < 2; times += 1) {
      expect(await send()).toMatchObject({
        status: 409,
        body: { code: 'conflict', message: expect.stringContaining('It is not repeated') },
      });
      await later();
    }
    expect(await timesDone()).toBe(1);
  });

  it('after the commit is answered what the transaction kept', async () => {
    await dyingIn((name) => save(name, answersCall));
    expect(await send()).toMatchObject({ status: 200, replayed: 'true', body: { id: expect.any(Number) } });
    expect(await timesDone()).toBe(1);
  });

  it('while the task that it began is at work is answered the task', async () => {
    await dyingIn((name) =>
      save(name, { answer: ({ id }) => ({ status: 202, body: { taskId: id }, isInterim: true }) }),
    );
    expect(await send()).toMatchObject({ status: 202, body: { taskId: expect.any(Number) } });
    expect(await timesDone()).toBe(1);
  });

  it('before the commit is done by whoever comes a quarter of an hour later', async () => {
    await dyingIn(async () => undefined);
    expect(await send()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('at work') },
    });
    await later();
    expect((await send()).status).toBe(200);
    expect(await timesDone()).toBe(1);
  });
});

describe('a call with an idempotency key whose failure cannot be written down at once', () => {
  const full = () => new Error('could not extend file: No space left on device');
  /** A process that finds no room for the first writes of how its calls failed. */
  function withoutRoom(times: number): { app: FastifyInstance; writes: () => number } {
    const real = createIdempotency(db);
    let writes = 0;
    const fail: typeof real.fail = (...given) => {
      writes += 1;
      return writes > times ? real.fail(...given) : Promise.reject(full());
    };
    return { app: aProcess({ ...real, fail }), writes: () => writes };
  }

  it('may be sent again when there is room, if it changed nothing', async () => {
    const { app, writes } = withoutRoom(2);
    handler = () => Promise.reject(new AppError('insufficient_storage', 'Full.', { cause: full() }));
    expect((await send(app)).status).toBe(507);
    handler = (name) => save(name, answersCall);
    await vi.waitFor(async () => expect(await send(app)).toMatchObject({ status: 200 }), 20_000);
    expect(writes()).toBe(3);
    expect(await timesDone()).toBe(1);
  });

  it('is answered its failure when there is room, if that stays true', async () => {
    const { app } = withoutRoom(1);
    handler = async (name) => {
      await save(name);
      throw new AppError('gone', 'The task was cancelled.');
    };
    const first = await send(app);
    expect(first.status).toBe(410);
    await vi.waitFor(async () => expect(await send(app)).toEqual({ ...first, replayed: 'true' }), 20_000);
    expect(await timesDone()).toBe(1);
  });
});

describe('a call with an idempotency key', () => {
  it('that failed before it changed anything may be sent again', async () => {
    handler = async (name) => {
      await db.asTenant(workspaceId, (tx) => sql`select 1`.execute(tx));
      await save(name, { isAside: true });
      throw new AppError('rate_limited', 'Too many.');
    };
    expect((await send()).status).toBe(429);
    handler = save;
    expect((await send()).status).toBe(200);
    expect(await timesDone()).toBe(2);
  });

  it('is done once when it is sent again while it is at work', async () => {
    let begun = false;
    let goOn = () => {};
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    handler = async (name) => {
      begun = true;
      await mayGoOn;
      return save(name, answersCall);
    };
    const first = send();
    await vi.waitFor(() => expect(begun).toBe(true), 10_000);
    expect(await send(aProcess())).toMatchObject({ status: 409, body: { code: 'conflict' } });
    goOn();
    expect((await first).status).toBe(200);
    expect(await send()).toMatchObject({ status: 200, replayed: 'true' });
    expect(await timesDone()).toBe(1);
  });

  it('is answered what it was answered, also where that came after the work', async () => {
    handler = async (name) => {
      await save(name, { answer: ({ id }) => ({ status: 202, body: { taskId: id }, isInterim: true }) });
      return { id: 7 };
    };
    const first = await send();
    expect(first).toMatchObject({ status: 200, body: { id: 7 } });
    expect(await send()).toEqual({ ...first, replayed: 'true' });
  });
});
