import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { importOptions, readingVersion, storedReading } from '../contract.ts';
import { leases } from './life-queries.ts';

// Which process runs an import, and what a process leaves alone. Imports are held up where they
// write their search text.

vi.setConfig({ testTimeout: 240_000 });

let product: TestApp;
let person: SignedIn;
let holder: pg.Client;

beforeAll(async () => {
  product = await openTestApp();
  holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
});
beforeEach(async () => {
  person = await signUp(product.app);
});
afterAll(async () => {
  await holder.end();
  await product.close();
});

const holdUp = () => holder.query('begin; lock table contact_search_recent in share mode');
const letGo = () => holder.query('rollback');
async function heldUp(): Promise<number> {
  const { rows } = await holder.query(
    `select from pg_locks
     where not granted and relation = 'contact_search_recent'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

/** Sends a file and does not wait for the outcome. */
async function send(app: TestApp['app'], address: string): Promise<number> {
  const answer = await importCsv(app, person.cookie, `email\n${address}\n`, {
    options: {},
    headers: { prefer: 'respond-async' },
  });
  expect(answer.statusCode).toBe(202);
  return answer.json().id;
}

async function record(id: number): Promise<Record<string, unknown>> {
  const { rows } = await sql<Record<string, unknown>>`select * from imports where id = ${id}`.execute(
    product.owner.system,
  );
  return rows[0] as Record<string, unknown>;
}

async function contacts(): Promise<string[]> {
  const { rows } = await sql<{ local: string }>`
    select local from contacts where workspace_id = ${person.workspaceId} order by local`.execute(
    product.owner.system,
  );
  return rows.map(({ local }) => local);
}

it('a process that stops begins nothing that waits, and the next one does all of it', async () => {
  const stopping = await product.again();
  await holdUp();
  const begun = [await send(stopping.app, 'ann@acme.co.uk'), await send(stopping.app, 'bob@acme.co.uk')];
  await vi.waitFor(async () => expect(await heldUp()).toBe(2), 90_000);
  const waits = await send(stopping.app, 'cat@acme.co.uk');
  await stopping.imports.stop();
  await letGo();
  expect(await contacts()).toEqual([]);
  for (const id of [...begun, waits])
    expect(await record(id)).toMatchObject({ status: 'processing', lease: null });
  expect(await record(waits)).toMatchObject({ attempts: 0, started_at: null });

  await product.imports.look();
  await vi.waitFor(async () => expect(await contacts()).toEqual(['ann', 'bob', 'cat']), 90_000);
  for (const id of [...begun, waits])
    await vi.waitFor(async () => expect(await record(id)).toMatchObject({ status: 'completed' }), 60_000);
});

it('an import outlives any number of processes that stop cleanly', async () => {
  await holdUp();
  let stopping = await product.again();
  const id = await send(stopping.app, 'eve@acme.co.uk');
  // More than the runs that may die.
  for (let stops = 0; stops < 6; stops++) {
    if (stops > 0) stopping = await product.again();
    await stopping.imports.look();
    await vi.waitFor(async () => expect(await heldUp()).toBe(1), 90_000);
    await stopping.imports.stop();
    expect(await record(id)).toMatchObject({ status: 'processing', lease: null, attempts: 0 });
  }
  await letGo();
  await product.imports.look();
  await vi.waitFor(async () => expect(await contacts()).toEqual(['eve']), 90_000);
});

it('a run whose import another has taken writes nothing any more', async () => {
  await holdUp();
  const id = await send(product.app, 'jo@acme.co.uk');
  await vi.waitFor(async () => expect(await heldUp()).toBe(1), 90_000);
  const another = '11111111-1111-1111-1111-111111111111';
  await sql`update imports set lease = ${another}::uuid where id = ${id}`.execute(product.owner.system);
  await letGo();
  const { progress } = await record(id);
  // Longer than two heartbeats.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(await contacts()).toEqual([]);
  expect(await record(id)).toMatchObject({ status: 'processing', lease: another, error: null, progress });

  await sql`update imports set lease_until = now() where id = ${id}`.execute(product.owner.system);
  await product.imports.look();
  await vi.waitFor(async () => expect(await contacts()).toEqual(['jo']), 90_000);
});

it('a process that stops while an import writes its end keeps the receipt', async () => {
  const { system } = product.owner;
  // The commit waits for a lock that this test has.
  await sql`
    create function wait_at_commit() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(4711); return null; end'`.execute(system);
  await sql`
    create constraint trigger slow_end after update on imports deferrable initially deferred
    for each row when (new.status = 'completed') execute function wait_at_commit()`.execute(system);
  await holder.query('select pg_advisory_lock(4711)');
  try {
    const stopping = await product.again();
    const id = await send(stopping.app, 'kim@acme.co.uk');
    await vi.waitFor(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`,
      );
      expect(rows).toHaveLength(1);
    }, 90_000);
    const stopped = stopping.imports.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await holder.query('select pg_advisory_unlock(4711)');
    await stopped;
    await vi.waitFor(async () => expect(await record(id)).toMatchObject({ status: 'completed' }), 30_000);
    const receipt = await product.app.inject({
      url: `/api/imports/${id}/receipt`,
      headers: { cookie: person.cookie },
    });
    expect(receipt.statusCode).toBe(200);
  } finally {
    await holder.query('select pg_advisory_unlock_all()');
    await sql`drop trigger slow_end on imports`.execute(system);
  }
});

it('a run whose end is written is not taken for one that another has', async () => {
  const { id } = (await importCsv(product.app, person.cookie, 'email\njo@acme.co.uk\n')).json();
  const stands = (lease: string | null) =>
    product.database.asTenant(person.workspaceId, (tx) =>
      leases.standing(tx, { workspaceId: person.workspaceId, id, lease: lease ?? randomUUID() }),
    );
  expect(await stands(null)).toBe('ended');
  const [mine, another] = [randomUUID(), randomUUID()];
  await sql`update imports set status = 'processing', lease = ${mine}::uuid, lease_until = now() where id = ${id}`.execute(
    product.owner.system,
  );
  expect(await stands(mine)).toBe('held');
  expect(await stands(another)).toBe('lost');
  await sql`update imports set status = 'completed', lease = null where id = ${id}`.execute(
    product.owner.system,
  );
  expect(await stands(mine)).toBe('ended');
  await sql`delete from imports where id = ${id}`.execute(product.owner.system);
  expect(await stands(mine)).toBe('lost');
});

const rule = { index: 1, values: { yes: 'unsubscribed' }, mail: [] };

it.each<[string, 'options' | 'reading', object]>([
  ['an option', 'options', { skipRoles: true }],
  ['a UK policy', 'options', { ukPolicy: 'ireland_too' }],
  ['a choice', 'reading', { skipRows: 3 }],
  ['a target of a column', 'reading', { columns: ['email', 'phone'] }],
  ['a way to take several addresses', 'reading', { addresses: 'last' }],
  ['a detail of the dialect', 'reading', { dialect: { comment: '#' } }],
  ['a detail of an opt-out column', 'reading', { doNotMail: [{ ...rule, until: '2027-01-01' }] }],
  ['a reason to opt out', 'reading', { doNotMail: [{ ...rule, values: { yes: 'moved' } }] }],
  ['a way to name a sheet', 'reading', { sheet: { place: 2 } }],
  ['the same choices, read in another way', 'reading', { readBy: readingVersion + 1 }],
])('an import with %s of a newer version is left as it was', async (_, column, newer) => {
  const checked = await importCsv(product.app, person.cookie, 'email\njo@acme.co.uk\n', { dryRun: true });
  const { id } = checked.json();
  const { [column]: known } = await record(id);
  const { rows } = await sql<Record<string, unknown>>`
    update imports set status = 'processing', ${sql.ref(column)} = ${sql.ref(column)} || ${JSON.stringify(newer)}::jsonb
    where id = ${id} returning *`.execute(product.owner.system);
  await product.imports.look();
  expect(await record(id)).toEqual(rows[0]);
  expect(await contacts()).toEqual([]);
  await sql`update imports set ${sql.ref(column)} = ${JSON.stringify(known)}::jsonb where id = ${id}`.execute(
    product.owner.system,
  );
  // This process looks again at imports it left only after a minute. Another process has not looked
  // yet.
  const newerProcess = await product.again();
  await newerProcess.imports.look();
  await vi.waitFor(async () => expect(await contacts()).toEqual(['jo']), 90_000);
});

it('an import says which version its choices were made for, and an older one is read as well', async () => {
  const { id } = (
    await importCsv(product.app, person.cookie, 'email\njo@acme.co.uk\n', { dryRun: true })
  ).json();
  expect(await record(id)).toMatchObject({ reading: { readBy: readingVersion } });
  const stored = JSON.parse(JSON.stringify((await record(id)).reading));
  // As the product was before it stored the version: it refuses what it does not know.
  const { readBy: _, ...before } = storedReading.shape;
  expect(z.strictObject(before).safeParse(stored).success).toBe(false);
  await sql`update imports set status = 'processing', reading = '{}' where id = ${id}`.execute(
    product.owner.system,
  );
  await product.imports.look();
  await vi.waitFor(async () => expect(await contacts()).toEqual(['jo']), 90_000);
});

it('a file that a newer version has checked is left to it, also when it is read again', async () => {
  const csv = 'email\njo@acme.co.uk\n';
  const { id } = (await importCsv(product.app, person.cookie, csv, { dryRun: true })).json();
  const readBy = readingVersion + 1;
  await sql`update imports set reading = ${JSON.stringify({ readBy })}::jsonb where id = ${id}`.execute(
    product.owner.system,
  );
  const again = product.app.inject({
    method: 'POST',
    url: `/api/imports/${id}/check`,
    headers: { cookie: person.cookie },
    payload: {},
  });
  await vi.waitFor(async () => expect(await record(id)).toMatchObject({ status: 'checking' }), 30_000);
  await product.imports.look();
  expect(await record(id)).toMatchObject({ status: 'checking', reading: { readBy }, lease: null });
  // The newer process comes.
  await sql`update imports set reading = '{}' where id = ${id}`.execute(product.owner.system);
  await (await product.again()).imports.look();
  expect((await again).statusCode).toBe(200);
});

it('nothing stored for an import may hold a field that is passed over', () => {
  const open: string[] = [];
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties, additionalProperties } = schema as Record<string, unknown>;
    if (properties && additionalProperties !== false) open.push(path);
    for (const [key, inner] of Object.entries(schema)) visit(inner, `${path}.${key}`);
  };
  visit(z.toJSONSchema(importOptions, { io: 'input' }), 'options');
  visit(z.toJSONSchema(storedReading, { io: 'input' }), 'reading');
  expect(open).toEqual([]);
});

it('a second dry run that fails leaves the file checked as it was', async () => {
  const csv = 'email,work\njo@acme.co.uk,\n';
  const { id } = (await importCsv(product.app, person.cookie, csv, { dryRun: true })).json();
  const failed = await product.app.inject({
    method: 'POST',
    url: `/api/imports/${id}/check`,
    headers: { cookie: person.cookie },
    payload: { reading: { columns: ['skip', 'skip'] } },
  });
  expect(failed.json()).toMatchObject({ code: 'no_email_column' });
  expect(await record(id)).toMatchObject({
    status: 'checked',
    reading: { readBy: readingVersion },
    checked_as: null,
    lease: null,
  });
});
