// Tests of: tasks
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import { openDatabase } from '#platform/server/database.ts';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { formOf } from '#test/support/app.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// Kills the whole product in the middle of large removals. Each must continue where it was, and the
// books must agree.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const contacts = 200_000;
const foreign = contacts / 2;
let dataDir: string;
let product: Product;
let cookie: string;
let workspaceId: number;
/** The import that brought the contacts. */
let brought: number;

beforeAll(async () => {
  dataDir = makeDataDir();
  product = await startProduct(dataDir);
});
beforeEach(async () => {
  ({ cookie, workspaceId } = await signUpAt(product.url));
  const allow = (...allowedDomains: string[]) =>
    fetch(`${product.url}/api/settings`, {
      method: 'PATCH',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ emailValidation: { allowedDomains } }),
    });
  // Under another default, so that a clean finds what nobody has chosen to let in.
  await allow('.uk', '.de');
  const imported = await bring('large.csv');
  expect(imported).toMatchObject({ imported: contacts });
  brought = imported.id;
  await allow('.uk');
});
afterAll(async () => {
  await product.stop();
  removeDataDir(dataDir);
});

/** Imports the same addresses each time. */
async function bring(fileName: string, { options }: { options?: object } = {}): Promise<{ id: number }> {
  const lines = Array.from({ length: contacts }, (_, n) =>
    n % 2 === 0 ? `person${n}@firma${n % 400}.de` : `person${n}@shop${n % 3000}.co.uk`,
  );
  const form = formOf([
    ...(options ? [['options', JSON.stringify(options)] as [string, string]] : []),
    ['file', `email\n${lines.join('\n')}\n`, fileName],
  ]);
  const answer = await fetch(`${product.url}/api/emails/import`, {
    method: 'POST',
    headers: { ...form.headers, cookie },
    body: form.payload,
  });
  return (await answer.json()) as { id: number };
}

async function make(path: string, body: object): Promise<{ id: number }> {
  const answer = await fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as { id: number };
}

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${product.url}${path}`, { headers: { cookie } });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

async function begin(method: string, path: string, body?: object): Promise<number> {
  const answer = await fetch(`${product.url}${path}`, {
    method,
    headers: { cookie, prefer: 'respond-async', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { taskId: number }).taskId;
}

async function until(id: number, reached: (task: Task) => boolean): Promise<Task> {
  for (;;) {
    const task = await get<Task>(`/api/tasks/${id}`);
    if (reached(task)) return task;
    await sleep(15);
  }
}

const isOver = ({ status }: Task) => status !== 'waiting' && status !== 'running';

/** Kills node in the middle of the task, and restarts the product on the same data. */
async function killAfter(id: number, done: number): Promise<Task> {
  const seen = await until(id, (task) => task.done >= done || isOver(task));
  product.child.kill('SIGKILL');
  await new Promise((resolve) =>
    product.child.exitCode === null && product.child.signalCode === null
      ? product.child.once('exit', resolve)
      : resolve(null),
  );
  product = await startProduct(dataDir);
  return seen;
}

async function books(): Promise<unknown> {
  const running = await findRunningPostgres(dataDir);
  const db = openDatabase({ url: running?.ownerUrl ?? '', maxConnections: 1 });
  try {
    return await db.asTenant(workspaceId, async (tx) => {
      const differences = await checkBooks(tx, workspaceId);
      const { rows } = await sql<{ twice: number }>`
        select count(*) as twice from removed_contacts r
        join contacts c on c.workspace_id = r.workspace_id and c.id = r.id
        where r.workspace_id = ${workspaceId}`.execute(tx);
      return { differences, twice: rows[0]?.twice };
    });
  } finally {
    await db.close();
  }
}
async function townsAndKept(): Promise<unknown> {
  const running = await findRunningPostgres(dataDir);
  const db = openDatabase({ url: running?.ownerUrl ?? '', maxConnections: 1 });
  try {
    return await db.asTenant(workspaceId, async (tx) => {
      const { rows } = await sql`
        select (select count(*) from contacts
                where workspace_id = ${workspaceId} and attributes ->> 'town' = 'York') as towns,
               (select count(*) from changed_contacts where workspace_id = ${workspaceId}) as kept`.execute(
        tx,
      );
      return rows[0];
    });
  } finally {
    await db.close();
  }
}
/** How many memberships stand, and how many a removal keeps. */
async function members(): Promise<unknown> {
  const running = await findRunningPostgres(dataDir);
  const db = openDatabase({ url: running?.ownerUrl ?? '', maxConnections: 1 });
  try {
    return await db.asTenant(workspaceId, async (tx) => {
      const { rows } = await sql`
        select (select count(*) from list_members where workspace_id = ${workspaceId}) as stand,
               (select count(*) from removed_memberships
                where workspace_id = ${workspaceId} and change_id <> 0) as kept`.execute(tx);
      return rows[0];
    });
  } finally {
    await db.close();
  }
}
const agree = { differences: [], twice: 0 };
const total = async () => (await get<{ totalEmails: number }>('/api/stats')).totalEmails;

describe('work killed in the middle', () => {
  // What was brought back is as if it had never been changed, also for the undo of its import.
  it('a clean removes each contact once, what it removed comes back, and its import is undone', async () => {
    const id = await begin('POST', '/api/emails/clean');
    expect(isOver(await killAfter(id, 20_000))).toBe(false);
    const ended = await until(id, isOver);
    expect(ended).toMatchObject({ status: 'completed', result: { removed: foreign, nonUk: foreign } });
    expect(await total()).toBe(contacts - foreign);
    expect(await books()).toEqual(agree);

    const restoring = await begin('POST', `/api/removals/${ended.result?.removalId}/restore`);
    expect(isOver(await killAfter(restoring, 20_000))).toBe(false);
    expect(await until(restoring, isOver)).toMatchObject({
      status: 'completed',
      result: { restored: foreign },
    });
    expect(await total()).toBe(contacts);
    expect(await books()).toEqual(agree);

    const undoing = await begin('POST', `/api/imports/${brought}/undo`);
    expect(isOver(await killAfter(undoing, 40_000))).toBe(false);
    expect(await until(undoing, isOver)).toMatchObject({
      status: 'completed',
      result: { removed: contacts },
    });
    expect(await total()).toBe(0);
    expect(await books()).toEqual(agree);
  });

  it('setting a field goes on by itself, and so does its undo, which leaves no trace', async () => {
    const body = { filter: {}, set: { attributes: { town: 'York' } } };
    const setting = await begin('POST', '/api/field-changes', body);
    expect(isOver(await killAfter(setting, 20_000))).toBe(false);
    const set = await until(setting, isOver);
    expect(set).toMatchObject({ status: 'completed', result: { changed: contacts, leftOut: 0 } });
    expect(await townsAndKept()).toEqual({ towns: contacts, kept: contacts });
    const undoing = await begin('POST', `/api/field-changes/${set.result?.changeId}/undo`);
    expect(isOver(await killAfter(undoing, 20_000))).toBe(false);
    const undone = await until(undoing, isOver);
    expect(undone).toMatchObject({ status: 'completed', result: { undone: contacts, leftAsIs: 0 } });
    expect(await townsAndKept()).toEqual({ towns: 0, kept: 0 });
  });

  it('taking contacts off the list of an undone import goes on by itself', async () => {
    const list = await make('/api/lists', { name: 'Fair' });
    const { id: importId } = await bring('again.csv', { options: { listId: list.id, filterNonUk: false } });
    const onList = async () => (await get<{ contactCount: number }>(`/api/lists/${list.id}`)).contactCount;
    expect(await onList()).toBe(contacts);
    const id = await begin('POST', `/api/imports/${importId}/undo`);
    for (;;) {
      const task = await get<Task>(`/api/tasks/${id}`);
      if ((await onList()) < contacts) break;
      expect(task.error).toBeNull();
      await sleep(15);
    }
    expect(isOver(await killAfter(id, 0))).toBe(false);
    const takenOut = [{ kind: 'list', id: list.id, name: 'Fair', contacts }];
    expect(await until(id, isOver)).toMatchObject({ status: 'completed', result: { removed: 0, takenOut } });
    expect(await onList()).toBe(0);
    expect(await members()).toEqual({ stand: 0, kept: contacts });
    expect(await total()).toBe(contacts);
  });
});
