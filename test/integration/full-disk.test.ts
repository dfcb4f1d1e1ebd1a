// Tests of: imports, tasks
import { lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { removalsLock } from '#features/bin/server/locks.ts';
import { uploadKey } from '#features/imports/server/runner.ts';
import { openDiskSpace } from '#platform/server/disk/disk-space.ts';
import { createLogger } from '#platform/server/logging.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, testPassword } from '#test/support/sign-in.ts';

// What people can do while the disk is full, and whether what they are told comes true. The disk's
// size is a figure here; test/integration/small-disk.test.ts fills a real one.

vi.setConfig({ testTimeout: 240_000 });

const total = 1e9;
let freeBytes = total;
const disk = openDiskSpace({
  log: createLogger('silent'),
  measure: async () => ({ freeBytes, totalBytes: total }),
  elsewhereMs: 200,
});
let product: TestApp;
let person: SignedIn;

const fill = async () => {
  freeBytes = 0;
  await disk.look();
};
const makeRoom = async () => {
  freeBytes = total;
  await vi.waitFor(async () => {
    await disk.look();
    expect(disk.isFull).toBe(false);
  });
};

beforeAll(async () => {
  disk.watch('/data');
  product = await openTestApp({}, { disk });
});
beforeEach(async () => {
  person = await signUp(product.app);
});
afterAll(() => product.close());

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  product.app.inject({ method, url, headers: { cookie: person.cookie }, ...(payload ? { payload } : {}) });
const contacts = async (): Promise<number> => (await call('GET', '/api/emails')).json().totalCount;
const imports = async () => (await call('GET', '/api/imports')).json().items;
const tasks = async () => (await call('GET', '/api/tasks')).json().items;

/** Holds whoever writes search text, as imports and removals do, until it is let go. */
async function holdUp() {
  const holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin; lock table contact_search_recent in share mode');
  const letGo = () => holder.query('rollback');
  const heldUp = () =>
    vi.waitFor(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where not granted and relation = 'contact_search_recent'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rows.length).toBeGreaterThan(0);
    }, 90_000);
  return { letGo, heldUp };
}

const fullSentence = {
  code: 'insufficient_storage',
  message: 'The disk is full. Nothing was changed. Reading goes on; try again when there is room.',
};

describe('while the disk is full', () => {
  beforeEach(async () => {
    await importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\nbob@acme.co.uk\n');
    await fill();
    return makeRoom;
  });

  it.each([
    '/api/emails?search=ann',
    '/api/imports',
    '/api/suppressions/emails',
    '/api/tasks',
    '/api/settings',
    '/api/auth/user',
  ])('reading goes on: %s', async (url) => {
    expect((await call('GET', url)).statusCode).toBe(200);
  });

  it.each<['POST' | 'PATCH' | 'DELETE', string, object]>([
    ['POST', '/api/emails', { email: 'cat@acme.co.uk' }],
    ['DELETE', '/api/emails/bulk', { filter: {} }],
    ['PATCH', '/api/settings', { export: { maxRecordsPerFile: 5 } }],
    ['POST', '/api/suppressions/email/manual', { email: 'ann@acme.co.uk' }],
    ['POST', '/api/emails/clean', { duplicates: true }],
  ])('what would write is refused, with when to come back: %s %s', async (method, url, body) => {
    const answer = await call(method, url, body);
    expect([answer.statusCode, answer.json()]).toEqual([507, fullSentence]);
    expect(answer.headers['retry-after']).toBe('60');
    expect(await contacts()).toBe(2);
  });

  it('a file is refused before it is kept, and never imported by itself later', async () => {
    const answer = await importCsv(product.app, person.cookie, 'email\ncat@acme.co.uk\n');
    expect([answer.statusCode, answer.json()]).toEqual([507, fullSentence]);
    await makeRoom();
    await product.imports.look();
    expect(await imports()).toHaveLength(1);
    expect(await contacts()).toBe(2);
  });

  it('people sign in and out, count, export and judge an address', async () => {
    const signedIn = await call('POST', '/api/auth/sign-in/email', {
      email: person.email,
      password: testPassword,
    });
    expect(signedIn.statusCode).toBe(200);
    expect((await call('POST', '/api/emails/count', { filter: {} })).json()).toEqual({ count: 2 });
    const file = await call('POST', '/api/emails/export', { filter: {} });
    expect([file.statusCode, file.body.includes('ann@acme.co.uk')]).toEqual([200, true]);
    expect((await call('POST', '/api/verify', { email: 'ann@acme.co.uk' })).statusCode).toBe(200);
    expect((await call('POST', '/api/account/sessions/end-others')).statusCode).toBe(200);
  });

  it('it is ready, says that the disk is full, and the metrics do too', async () => {
    const ready = await call('GET', '/api/ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ok', disk: 'full' }]);
    await makeRoom();
    expect((await call('GET', '/api/ready')).json()).toEqual({ status: 'ok', disk: 'ok' });
  });

  it('without a database it says why, and that it comes back by itself', async () => {
    disk.databaseWaits = true;
    try {
      const health = await call('GET', '/api/health');
      expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok', disk: 'full' }]);
    } finally {
      disk.databaseWaits = false;
    }
  });

  it('a write works again as soon as there is room, however often it was tried', async () => {
    for (let tries = 0; tries < 5; tries++)
      expect((await call('POST', '/api/emails', { email: 'cat@acme.co.uk' })).statusCode).toBe(507);
    await makeRoom();
    expect((await call('POST', '/api/emails', { email: 'cat@acme.co.uk' })).statusCode).toBe(201);
  });
});

describe('when the disk fills up meanwhile', () => {
  beforeEach(() => makeRoom);

  it('an import ends with nothing imported, and stays so when there is room again', async () => {
    const { letGo, heldUp } = await holdUp();
    const answer = importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\n');
    await heldUp();
    await fill();
    await letGo();
    expect([(await answer).statusCode, (await answer).json()]).toEqual([507, fullSentence]);
    expect(await imports()).toMatchObject([{ status: 'failed', error: fullSentence.message }]);
    await makeRoom();
    await product.imports.look();
    expect(await imports()).toMatchObject([{ status: 'failed' }]);
    expect(await contacts()).toBe(0);
    expect((await importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\n')).json().imported).toBe(1);
  });

  it('a file that waits for its turn is told to wait, and is imported by itself later', async () => {
    // Two slots of this workspace are taken by imports that another process holds.
    await sql`
      insert into imports (workspace_id, file_name, file_size, status, options, lease, lease_until, file_key)
      select ${person.workspaceId}, 'other.csv', 1, 'processing', '{}', gen_random_uuid(), now() + interval '1 hour', 'other'
      from generate_series(1, 2)`.execute(product.owner.system);
    const answer = importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\n');
    await vi.waitFor(async () =>
      expect(await imports()).toContainEqual(
        expect.objectContaining({ fileName: 'list.csv', status: 'processing' }),
      ),
    );
    await fill();
    const { message, code } = (await answer).json();
    expect([(await answer).statusCode, code]).toEqual([507, 'insufficient_storage']);
    const [id] = (await imports())
      .filter(({ fileName }: { fileName: string }) => fileName === 'list.csv')
      .map((one: { id: number }) => one.id);
    expect(message).toBe(
      `The disk is full. The file is here, and import ${id} goes on by itself when there is room. Do not send the file again.`,
    );
    await sql`delete from imports where file_name = 'other.csv'`.execute(product.owner.system);
    await product.imports.look();
    expect(await contacts()).toBe(0);
    await makeRoom();
    await vi.waitFor(async () => expect(await contacts()).toBe(1), 60_000);
  });

  it('a removal waits where it is, says so, and goes on by itself', async () => {
    const list = Array.from({ length: 5_500 }, (_, n) => `p${n}@shop${n % 50}.co.uk`).join('\n');
    await importCsv(product.app, person.cookie, `email\n${list}\n`);
    const { letGo, heldUp } = await holdUp();
    const removal = call('DELETE', '/api/emails/bulk', { filter: {} });
    await Promise.race([
      heldUp(),
      removal.then(({ body }) => Promise.reject(new Error(`it was not held up: ${body}`))),
    ]);
    // The index of the search may have been held up before it.
    await vi.waitFor(async () => expect(await tasks()).toMatchObject([{ status: 'running' }]), 60_000);
    await fill();
    await letGo();
    const answer = await removal;
    expect([answer.statusCode, answer.json().message]).toEqual([
      507,
      expect.stringMatching(
        /^The disk is full\. This waits, and goes on by itself when there is room: task \d+/,
      ),
    ]);
    await makeRoom();
    await vi.waitFor(async () => expect(await contacts()).toBe(0), 60_000);
  });

  it('a call that is sent again with its key is told of the task it began, and begins no other', async () => {
    const list = Array.from({ length: 5_500 }, (_, n) => `p${n}@shop${n % 50}.co.uk`).join('\n');
    await importCsv(product.app, person.cookie, `email\n${list}\n`);
    // Whoever changes many contacts waits for this lock.
    const holder = new pg.Client({ connectionString: product.ownerUrl });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('select pg_advisory_lock($1::int, $2::int)', [
      removalsLock.number,
      person.workspaceId,
    ]);
    const send = (notes: string, key: string) =>
      product.app.inject({
        method: 'POST',
        url: '/api/field-changes',
        headers: { cookie: person.cookie, 'idempotency-key': key },
        payload: { filter: {}, set: { notes } },
      });
    const first = send('Met in York', 'one');
    await vi.waitFor(async () => expect(await tasks()).toMatchObject([{ status: 'running' }]), 60_000);
    await fill();
    expect([(await first).statusCode, (await first).json().code]).toEqual([507, 'insufficient_storage']);
    const [{ id }] = await tasks();
    expect((await first).json().message).toContain(`task ${id}, under Tasks. It need not be begun again.`);
    const toldOfTask = async () => {
      const again = await send('Met in York', 'one');
      expect([again.statusCode, again.json()]).toEqual([202, { taskId: id }]);
      expect(again.headers['idempotent-replayed']).toBe('true');
    };
    await toldOfTask();
    const another = await send('Met in Leeds', 'one');
    expect([another.statusCode, another.json().code]).toEqual([422, 'idempotency_mismatch']);
    const unknown = await send('Met in Leeds', 'two');
    expect([unknown.statusCode, unknown.json()]).toEqual([507, fullSentence]);
    expect(await tasks()).toHaveLength(1);

    await holder.query('select pg_advisory_unlock_all()');
    await makeRoom();
    await toldOfTask();
    await vi.waitFor(async () => expect(await tasks()).toMatchObject([{ status: 'completed' }]), 60_000);
    await toldOfTask();
    expect((await tasks()).map((one: { result: object }) => one.result)).toEqual([
      expect.objectContaining({ changed: 5_500 }),
    ]);
    // What was refused was not begun, and its key is free.
    const begun = await send('Met in Leeds', 'two');
    expect([begun.statusCode, begun.json().changed]).toEqual([200, 5_500]);
    expect(await tasks()).toHaveLength(2);
  });

  it('an upload that finds no room leaves a failed record and no file, and the disk counts as full', async () => {
    const first = await importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\n');
    const key = uploadKey({ workspaceId: person.workspaceId, id: first.json().id + 1 });
    const path = join(product.dataDir, 'files', key);
    // Whoever writes to this device finds no room.
    symlinkSync('/dev/full', path);
    const answer = await importCsv(product.app, person.cookie, 'email\nbob@acme.co.uk\n');
    expect([answer.statusCode, answer.json().message]).toEqual([
      507,
      'The disk is full. Nothing was imported; free some space and try again.',
    ]);
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
    expect((await imports())[0]).toMatchObject({ status: 'failed', error: answer.json().message });
    await vi.waitFor(() => expect(disk.isFull).toBe(true));
  });

  describe('and the database finds no room', () => {
    const inDatabase = (text: string) => sql.raw(text).execute(product.owner.system);
    beforeEach(async () => {
      await inDatabase(`
        create or replace function find_no_room() returns trigger language plpgsql as $$
        begin
          raise 'could not extend file "base/16384/2610": No space left on device' using errcode = '53100';
        end $$;
        create trigger find_no_room before insert on contacts
          for each row when (new.local = 'room') execute function find_no_room()`);
      return () => inDatabase('drop trigger find_no_room on contacts');
    });

    it.each([
      ['one contact', () => call('POST', '/api/emails', { email: 'room@acme.co.uk' })],
      ['an import', () => importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\nroom@acme.co.uk\n')],
    ])('%s: nothing is changed, reading goes on, and it works when there is room', async (_name, write) => {
      const answer = await write();
      expect([answer.statusCode, answer.json()]).toEqual([
        507,
        {
          code: 'insufficient_storage',
          message: 'The disk is full. Nothing was changed; free some space and try again.',
        },
      ]);
      expect(await contacts()).toBe(0);
      await vi.waitFor(() => expect(disk.isFull).toBe(true));
      expect(await contacts()).toBe(0);
      await inDatabase(`alter table contacts disable trigger find_no_room`);
      await makeRoom();
      expect(await contacts()).toBe(0);
      expect((await write()).statusCode).toBeLessThan(300);
      expect(await contacts()).toBeGreaterThan(0);
    });
  });
});
