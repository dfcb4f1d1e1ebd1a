import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Records whose file is gone, as after a restore of the database without the files beside it.

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp({ LIMIT_IMPORTS_AT_ONCE: '1' });
});
beforeEach(async () => {
  person = await signUp(product.app);
});
afterAll(() => product.close());

/** A checked file, as if it had been chosen so many days ago. Returns its import and its path. */
async function check(days: number): Promise<{ id: number; path: string }> {
  const { id } = (
    await importCsv(product.app, person.cookie, 'email\njo@acme.co.uk\n', { dryRun: true })
  ).json();
  await sql`update imports set created_at = now() - make_interval(days => ${days}::int) where id = ${id}`.execute(
    product.owner.system,
  );
  const path = join(product.dataDir, 'files', 'imports', String(person.workspaceId), `${id}.csv`);
  expect(existsSync(path)).toBe(true);
  return { id, path };
}

const letWait = (id: number) =>
  sql`update imports set status = 'processing' where id = ${id}`.execute(product.owner.system);

async function record(id: number): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select status, error, error_code, file_key, lease from imports where id = ${id}`.execute(
    product.owner.system,
  );
  return rows[0];
}

it('ends an import that waits for a file that is gone, so that others may begin', async () => {
  const { id, path } = await check(2);
  rmSync(path);
  await letWait(id);
  await product.imports.look();
  expect(await record(id)).toMatchObject({ status: 'processing', lease: null });
  expect((await importCsv(product.app, person.cookie, 'email\nkim@acme.co.uk\n')).statusCode).toBe(429);

  expect(await product.imports.endLost(person.workspaceId)).toBe(1);
  expect(await record(id)).toMatchObject({
    status: 'failed',
    error: 'The file is not there any more. Nothing was imported; choose it again.',
    file_key: null,
    lease: null,
  });
  const next = await importCsv(product.app, person.cookie, 'email\nkim@acme.co.uk\n');
  expect(next.json()).toMatchObject({ imported: 1 });
  expect(await product.imports.endLost(person.workspaceId)).toBe(0);
});

it('deletes a file that was only tried and is gone', async () => {
  const { id, path } = await check(2);
  rmSync(path);
  expect(await product.imports.endLost(person.workspaceId)).toBe(1);
  expect(await record(id)).toBeUndefined();
});

it('leaves alone what has its file, what is young and what another run holds', async () => {
  const there = await check(2);
  const young = await check(0);
  rmSync(young.path);
  const held = await check(2);
  rmSync(held.path);
  await letWait(held.id);
  await sql`
    update imports set lease = gen_random_uuid(), lease_until = now() + interval '1 minute' where id = ${held.id}`.execute(
    product.owner.system,
  );
  expect(await product.imports.endLost(person.workspaceId)).toBe(0);
  expect(await record(there.id)).toMatchObject({ status: 'checked' });
  expect(await record(young.id)).toMatchObject({ status: 'checked' });
  expect(await record(held.id)).toMatchObject({ status: 'processing' });
});
