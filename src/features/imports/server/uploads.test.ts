import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { importSlotsLock } from './locks.ts';

// Files that arrive slowly.

vi.setConfig({ testTimeout: 180_000 });

let product: TestApp;
let person: SignedIn;
let port: number;
const slow: { socket: Socket; drip: NodeJS.Timeout }[] = [];

beforeAll(async () => {
  product = await openTestApp();
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = product.app.server.address() as { port: number });
});
beforeEach(async () => {
  person = await signUp(product.app);
});
afterEach(() => {
  for (const { socket, drip } of slow.splice(0)) {
    clearInterval(drip);
    socket.destroy();
  }
});
afterAll(() => product.close());

/**
 * Sends a file a few bytes at a time, without an end. Answers what comes back before the connection
 * is closed.
 */
function trickle(
  fields: [string, string][],
  to: { port: number; cookie: string; path?: string } = { port, cookie: person.cookie },
): Promise<string> {
  const { payload, headers } = formOf([...fields, ['file', 'email\njo@acme.co.uk\n', 'slow.csv']]);
  const text = payload.toString();
  const socket = connect(to.port, '127.0.0.1').on('error', () => undefined);
  socket.write(
    `POST ${to.path ?? '/api/emails/import'} HTTP/1.1\r\nHost: 127.0.0.1:${to.port}\r\nCookie: ${to.cookie}\r\n` +
      `Content-Type: ${headers['content-type']}\r\nContent-Length: ${text.length + 1_000_000}\r\n\r\n` +
      text.slice(0, text.lastIndexOf('\r\n--')),
  );
  slow.push({ socket, drip: setInterval(() => socket.writable && socket.write('x'), 100) });
  let back = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    back += piece;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(back)));
}

interface Record {
  id: number;
  status: string;
  lease: string | null;
  leaseUntil: Date | null;
}

async function records(): Promise<Record[]> {
  const { rows } = await sql<Record>`
    select id, status, lease, lease_until as "leaseUntil" from imports
    where workspace_id = ${person.workspaceId} order by id`.execute(product.owner.system);
  return rows;
}

it('keep no import waiting whose file is here', async () => {
  for (let count = 0; count < 5; count++) void trickle([['options', '{}']]);
  await vi.waitFor(async () => expect(await records()).toHaveLength(5), 60_000);
  const quick = importCsv(product.app, person.cookie, 'email\nsam@leeds.co.uk\n');
  const first = await Promise.race([quick.then((answer) => answer.json()), sleep(60_000, 'kept waiting')]);
  expect(first).toMatchObject({ imported: 1 });
  const open = (await records()).filter(({ status }) => status === 'uploading');
  expect(open).toHaveLength(5);
});

it.each([
  ['whose options came first', [['options', '{}']]],
  ['whose options are still to come', []],
] as [string, [string, string][]][])('are held while they arrive, %s', async (_, fields) => {
  const before = (await records()).length;
  void trickle(fields);
  const last = async () => (await records()).slice(before)[0];
  await vi.waitFor(async () => expect(await last()).toBeDefined(), 60_000);
  const id = (await last())?.id;
  // As if they had been arriving for as long as a lease lasts.
  await sql`update imports set lease_until = now() + interval '3 seconds' where id = ${id}`.execute(
    product.owner.system,
  );
  await sleep(4_000);
  await product.imports.look();
  const { status, leaseUntil } = (await last()) as Record;
  expect(status).toBe('uploading');
  expect(leaseUntil?.getTime()).toBeGreaterThan(Date.now());
});

it('are cut off after the longest time there is, whatever the settings allow, and hold no slot', async () => {
  const hasty = await openTestApp({ LIMIT_IMPORTS_AT_ONCE: '3' }, { longestUploadSeconds: 1 });
  try {
    const someone = await signUp(hasty.app);
    await hasty.app.listen({ port: 0, host: '127.0.0.1' });
    const to = hasty.app.server.address() as { port: number };
    const recordsOf = async () => {
      const { rows } = await sql<Record & { error: string | null }>`
        select id, status, lease, error from imports where workspace_id = ${someone.workspaceId}
        order by id`.execute(hasty.owner.system);
      return rows;
    };
    const answers = Array.from({ length: 3 }, () => trickle([['options', '{}']], { ...to, ...someone }));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 504 /);
      // More time in the settings would change nothing.
      expect(answer).toContain(
        'The file took longer to arrive than the 1 second allowed. Nothing was imported; split the file.',
      );
    }
    expect(await recordsOf()).toMatchObject(
      Array.from({ length: 3 }, () => ({
        status: 'failed',
        lease: null,
        error: expect.stringContaining('split'),
      })),
    );
    // There is room for three at once, and no staging tables are lent.
    const { rows } = await sql`
      select 1 from pg_locks where locktype = 'advisory' and classid = ${importSlotsLock.number}
        and database = (select oid from pg_database where datname = current_database())`.execute(
      hasty.owner.system,
    );
    expect(rows).toEqual([]);
    const answer = await importCsv(hasty.app, someone.cookie, 'email\nsam@leeds.co.uk\n');
    expect(answer.json()).toMatchObject({ imported: 1 });
    const list = trickle([], { ...to, ...someone, path: '/api/suppressions/import' });
    expect(await list).toContain('Nothing was imported; split the list.');
  } finally {
    for (const { socket } of slow) socket.destroy();
    await hasty.close();
  }
});

it('are marked as cut off when their sender goes away', async () => {
  const before = (await records()).length;
  void trickle([['options', '{}']]);
  const status = async () => (await records())[before]?.status;
  await vi.waitFor(async () => expect(await status()).toBe('uploading'), 60_000);
  slow[0]?.socket.destroy();
  await vi.waitFor(async () => expect(await status()).toBe('failed'), 60_000);
});

it.each([
  ['and the options first', [['options', '{}']]],
  ['and no options', []],
] as [string, [string, string][]][])('with two files are refused, %s', async (_, fields) => {
  const before = (await records()).length;
  const { payload, headers } = formOf([
    ...fields,
    ['file', 'email\nann@acme.co.uk\n', 'one.csv'],
    ['file', 'email\nbob@acme.co.uk\n', 'two.csv'],
  ]);
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/emails/import',
    headers: { ...headers, cookie: person.cookie },
    payload,
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().message).toContain('more than one file');
  expect((await records()).slice(before)).toMatchObject([{ status: 'failed' }]);
});

it('with a field after the file that cannot be read are refused, and nothing is imported', async () => {
  const before = (await records()).length;
  const { payload, headers } = formOf([
    ['options', '{}'],
    ['file', 'email\ncat@acme.co.uk\n', 'cat.csv'],
    ['reading', 'not JSON'],
  ]);
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/emails/import',
    headers: { ...headers, cookie: person.cookie },
    payload,
  });
  expect(answer.statusCode).toBe(400);
  await product.imports.look();
  expect((await records()).slice(before)).toMatchObject([{ status: 'failed' }]);
});

it.each([
  ['TRUE', 400],
  ['yes', 400],
  ['1', 200],
  ['true', 200],
])('whose dry run is called for with %s are answered %i', async (dryRun, status) => {
  const before = (await records()).length;
  const { payload, headers } = formOf([
    ['options', '{}'],
    ['file', `email\ndry-${dryRun}@acme.co.uk\n`, 'dry.csv'],
    ['dryRun', dryRun],
  ]);
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/emails/import',
    headers: { ...headers, cookie: person.cookie },
    payload,
  });
  expect(answer.statusCode).toBe(status);
  const record = (await records()).slice(before);
  expect(record).toMatchObject([{ status: status === 200 ? 'checked' : 'failed' }]);
});

it('cut off after the file import nothing: a dry run may have been called for', async () => {
  const before = (await records()).length;
  const { payload, headers } = formOf([
    ['options', '{}'],
    ['file', 'email\neve@acme.co.uk\n', 'eve.csv'],
    ['dryRun', 'true'],
  ]);
  const text = payload.toString();
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(
    `POST /api/emails/import HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${person.cookie}\r\n` +
      `Content-Type: ${headers['content-type']}\r\nContent-Length: ${text.length}\r\n\r\n` +
      text.slice(0, text.lastIndexOf('ue\r\n')),
  );
  await vi.waitFor(async () => expect((await records()).slice(before)).toHaveLength(1), 60_000);
  await sleep(300);
  socket.destroy();
  await vi.waitFor(async () => expect((await records())[before]).toMatchObject({ status: 'failed' }), 60_000);
});
