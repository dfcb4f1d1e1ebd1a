import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';

/** What people may do only so often. The limits for API keys are tested beside their code. */

const people = { LIMIT_IMPORTS: '3', LIMIT_IMPORTS_AT_ONCE: '2', LIMIT_VERIFICATIONS: '4' };

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp(people);
  test.tasks.startWork();
});
afterAll(() => test.close());
beforeEach(async () => {
  owner = await signUp(test.app);
});

function expectRefused(answer: LightMyRequestResponse, words: RegExp): void {
  expect(answer.statusCode, answer.body).toBe(429);
  const body = answer.json();
  expect(body).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(words) });
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(body.message).toMatch(new RegExp(`\\b${seconds} seconds?\\b`));
}

const json = async (url: string, who = owner) =>
  (await test.app.inject({ url, headers: { cookie: who.cookie } })).json();

const importContacts = (who = owner) => importCsv(test.app, who.cookie, 'email\njo@acme.co.uk\n');
function importList(who = owner) {
  const { payload, headers } = formOf([['file', 'email\njo@acme.co.uk\n', 'list.csv']]);
  return test.app.inject({
    method: 'POST',
    url: '/api/suppressions/import',
    headers: { ...headers, cookie: who.cookie },
    payload,
  });
}
const asTenant = (work: ReturnType<typeof sql>) =>
  test.database.asTenant(owner.workspaceId, (tx) => work.execute(tx));

describe.each([
  { what: 'imports', start: importContacts, list: '/api/imports', table: 'imports' },
  {
    what: 'list imports',
    start: importList,
    list: '/api/suppressions/imports',
    table: 'suppression_batches',
  },
])('$what', ({ what, start, list, table }) => {
  it('are begun so often a minute by one person, and then no record is made', async () => {
    for (const _ of [1, 2, 3]) expect((await start()).statusCode).toBe(200);
    expectRefused(await start(), new RegExp(`begun 3 ${what} within a minute.*Begin the next in`));
    expect((await json(list)).totalCount).toBe(3);
    const colleague = await signUpMember(test.app, test.database, {
      workspaceId: owner.workspaceId,
      role: 'editor',
    });
    expect((await start(colleague)).statusCode).toBe(200);
  });

  it('are let through again when the minute is over', async () => {
    for (const _ of [1, 2, 3]) await start();
    expect((await start()).statusCode).toBe(429);
    await asTenant(
      sql`update ${sql.table(table)} set created_at = created_at - interval '61 seconds'
          where workspace_id = ${owner.workspaceId}`,
    );
    expect((await start()).statusCode).toBe(200);
  });

  it('are counted each when many begin at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => start()));
    const begun = answers.filter(({ statusCode }) => statusCode !== 429);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.length).toBeLessThanOrEqual(3);
    expect((await json(list)).totalCount).toBe(begun.length);
  });

  it('are under way only so many at once in a workspace', async () => {
    const stranger = await signUp(test.app);
    await asTenant(
      table === 'imports'
        ? sql`insert into imports (workspace_id, file_name, status, options, lease_until)
            select ${owner.workspaceId}::bigint, 'list.csv', 'processing', '{}', now() + interval '1 hour' from generate_series(1, 2)`
        : sql`insert into suppression_batches (workspace_id, source, file_name, reason)
            select ${owner.workspaceId}::bigint, 'file', 'list.csv', 'imported' from generate_series(1, 2)`,
    );
    expectRefused(await start(), new RegExp(`has 2 ${what} under way.*Try again in 10 seconds`));
    expect((await start(stranger)).statusCode).toBe(200);
  });
});

it('a kept file is not read again while the workspace has as much under way as it may', async () => {
  const dry = await importCsv(test.app, owner.cookie, 'email\njo@acme.co.uk\n', { dryRun: true });
  await asTenant(
    sql`insert into imports (workspace_id, file_name, status, options, lease_until)
      select ${owner.workspaceId}::bigint, 'list.csv', 'processing', '{}', now() + interval '1 hour' from generate_series(1, 2)`,
  );
  const url = `/api/imports/${dry.json().id}`;
  for (const path of ['check', 'run']) {
    const answer = await test.app.inject({
      method: 'POST',
      url: `${url}/${path}`,
      headers: { cookie: owner.cookie },
      payload: {},
    });
    expectRefused(answer, /under way/);
  }
  await asTenant(
    sql`update imports set lease_until = now() where file_name = 'list.csv' and created_by is null`,
  );
  const run = await test.app.inject({
    method: 'POST',
    url: `${url}/run`,
    headers: { cookie: owner.cookie },
    payload: {},
  });
  expect(run.json()).toMatchObject({ imported: 1 });
});

it('single addresses are verified so many at once by one person', async () => {
  const verify = (who: SignedIn) =>
    test.app.inject({
      method: 'POST',
      url: '/api/verify',
      headers: { cookie: who.cookie },
      payload: { email: 'jo@acme.co.uk' },
    });
  for (const _ of [1, 2]) expect((await verify(owner)).statusCode).toBe(200);
  expectRefused(await verify(owner), /Too many addresses.*Try again in/);
  expect((await verify(await signUp(test.app))).statusCode).toBe(200);
});

it('single addresses are counted for all processes of a database together, each use once', async () => {
  const others = [await test.again(), await test.again()];
  const verify = (app: TestApp['app']) =>
    app.inject({
      method: 'POST',
      url: '/api/verify',
      headers: { cookie: owner.cookie },
      payload: { email: 'jo@acme.co.uk' },
    });
  const apps = [test.app, ...others.map(({ app }) => app)];
  const answers = await Promise.all([...apps, ...apps, ...apps].map(verify));
  const through = answers.filter(({ statusCode }) => statusCode === 200);
  expect(through).toHaveLength(2);
  for (const answer of answers.filter((one) => !through.includes(one))) {
    expectRefused(answer, /Too many addresses.*Try again in/);
  }
  const later = await test.again();
  expectRefused(await verify(later.app), /Too many addresses/);
  // The minute is over. What was given back is available again, and no more.
  await asTenant(sql`update verification_uses set full_at = now() - interval '1 hour'`);
  const fresh = await test.again();
  for (const status of [200, 200, 429]) expect((await verify(fresh.app)).statusCode).toBe(status);
});

it('sign-ups and sign-ins are limited as configured', async () => {
  const strict = await openTestApp({ LIMIT_SIGN_INS: '2', LIMIT_SIGN_UPS: '3' }, { rateLimits: {} });
  try {
    const call = (path: string, email: string) =>
      strict.app.inject({
        method: 'POST',
        url: `/api/auth/${path}/email`,
        payload: { email, password: testPassword, name: 'Priya Shah' },
      });
    for (const n of [1, 2, 3]) expect((await call('sign-up', `p${n}@gmail.com`)).statusCode).toBe(200);
    expectLimited(await call('sign-up', 'p4@gmail.com'));
    for (const n of [1, 2]) expect((await call('sign-in', `p${n}@gmail.com`)).statusCode).toBe(200);
    expectLimited(await call('sign-in', 'p3@gmail.com'));
  } finally {
    await strict.close();
  }

  function expectLimited(answer: LightMyRequestResponse): void {
    expect(answer.statusCode).toBe(429);
    expect(answer.json().message).toMatch(/Please wait .* and try again/);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
});

describe('a form that trickles in', () => {
  const parts = (fields: Parameters<typeof formOf>[0]) => {
    const { payload, headers } = formOf(fields);
    return { head: headers['content-type'], text: payload.toString() };
  };

  /**
   * Sends the beginning of a form and then nothing. Returns what came back until the server closed
   * the connection.
   */
  async function sendSlowly(path: string, { head, text }: { head: string; text: string }): Promise<string> {
    if (!test.app.server.listening) await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    let back = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      back += piece;
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${owner.cookie}\r\n` +
        `Content-Type: ${head}\r\nContent-Length: ${text.length + 100_000}\r\n\r\n${text}`,
    );
    const drip = setInterval(() => socket.writable && socket.write('x'), 100);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()).on('error', () => undefined));
    clearInterval(drip);
    return back;
  }

  beforeEach(async () => {
    const answer = await test.app.inject({
      method: 'PATCH',
      url: '/api/settings',
      headers: { cookie: owner.cookie },
      payload: { import: { timeoutSeconds: 1 } },
    });
    expect(answer.statusCode).toBe(200);
  });

  /** The form without its end, so that the file is still arriving. */
  const open = (fields: Parameters<typeof formOf>[0]) => {
    const { head, text } = parts(fields);
    return { head, text: text.slice(0, text.lastIndexOf('\r\n--')) };
  };
  const filesOf = (folder: string) => {
    const path = join(test.dataDir, 'files', folder, String(owner.workspaceId));
    return existsSync(path) ? readdirSync(path) : [];
  };

  it('with a suppression list is ended in words, and nothing is kept', async () => {
    const back = await sendSlowly(
      '/api/suppressions/import',
      open([['file', 'jo@acme.co.uk\n', 'list.csv']]),
    );
    expect(back).toMatch(/^HTTP\/1\.1 504 /);
    expect(back).toContain('The list took longer to arrive than the 1 second allowed. Nothing was imported');
    expect(back.toLowerCase()).toContain('connection: close');
    const { items } = await json('/api/suppressions/imports');
    expect(items).toMatchObject([{ status: 'failed', error: expect.stringContaining('took longer') }]);
    expect((await json('/api/suppressions/emails')).totalCount).toBe(0);
    expect(filesOf('suppressions')).toEqual([]);
  });

  it.each([
    ['before its file', open([['reason', 'imported']])],
    ['in the middle of a name', { head: 'multipart/form-data; boundary=b', text: '--b\r\ncontent-disp' }],
  ])('%s is ended too', async (_when, form) => {
    expect(await sendSlowly('/api/suppressions/import', form)).toMatch(/^HTTP\/1\.1 504 /);
    expect(await sendSlowly('/api/emails/import', form)).toMatch(/^HTTP\/1\.1 504 /);
  });

  it.each([
    ['its options first', [['options', '{}']]],
    ['its file first', []],
  ] as [string, [string, string][]][])('with an import, %s, is ended in words', async (_order, first) => {
    const back = await sendSlowly(
      '/api/emails/import',
      open([...first, ['file', 'email\njo@a.uk\n', 'l.csv']]),
    );
    expect(back).toMatch(/^HTTP\/1\.1 504 /);
    expect(back).toContain('The file took longer to arrive than the 1 second allowed. Nothing was imported');
    const { items } = await json('/api/imports');
    expect(items).toMatchObject([{ status: 'failed', error: expect.stringContaining('took longer') }]);
    expect((await json('/api/emails')).totalCount).toBe(0);
    expect(filesOf('imports')).toEqual([]);
  });
});

it('an import whose form cannot be read to its end is over, and not taken up later', async () => {
  const { payload, headers } = formOf([
    ['file', 'email\njo@acme.co.uk\n', 'list.csv'],
    ['options', 'not JSON'],
  ]);
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/emails/import',
    headers: { ...headers, cookie: owner.cookie },
    payload,
  });
  expect(answer.statusCode).toBe(400);
  const { items } = await json('/api/imports');
  expect(items).toMatchObject([{ status: 'failed', error: 'options: this is not JSON.' }]);
  await asTenant(sql`update imports set lease_until = now() - interval '1 minute'`);
  await test.imports.look();
  expect((await json('/api/imports')).items[0].status).toBe('failed');
  expect((await json('/api/emails')).totalCount).toBe(0);
});
