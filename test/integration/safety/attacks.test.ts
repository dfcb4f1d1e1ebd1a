import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttp } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { bookPrints } from '#test/support/book-prints.ts';
import { ownRows } from '#test/support/own-rows.ts';
import { allEndpoints, missingSample, nameOf, requestOf, sampleOf } from '#test/support/sample-calls.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/**
 * Attacks that bypass the calls' own rules. `docs/security.md` lists them all with the tests that
 * try them.
 */

let test: TestApp;
let me: SignedIn;
let port: number;

beforeAll(async () => {
  test = await openTestApp();
  test.tasks.startWork();
  me = await signUp(test.app);
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as { port: number }).port;
});
afterAll(() => test?.close());

/** Sends raw bytes and returns what came back until the connection closed. */
function sendBytes(to: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(to, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

describe('a call from another site', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example:3000' },
    { 'sec-fetch-site': 'cross-site' },
  ];

  it('changes nothing, whichever call it is', async () => {
    const rows = ownRows(test, me, 'millbank');
    // Mail programs call the links of an email from wherever they are.
    const own = allEndpoints().filter(({ definition }) => !definition.forStrangers);
    for (const endpoint of own.filter(({ definition }) => definition.method !== 'GET')) {
      expect(missingSample(endpoint)).toBeUndefined();
      const request = requestOf(
        endpoint.definition,
        (await sampleOf(endpoint.definition).make?.(rows, me, test)) ?? {},
      );
      const before = await bookPrints(test);
      for (const headers of foreign) {
        const answer = await test.app.inject({
          ...request,
          headers: { ...request.headers, ...headers, host: 'localhost:3000', cookie: me.cookie },
        });
        expect([nameOf(endpoint.definition), headers, answer.statusCode, answer.json().code]).toEqual([
          nameOf(endpoint.definition),
          headers,
          403,
          'csrf',
        ]);
      }
      expect(await bookPrints(test)).toEqual(before);
    }
  }, 120_000);

  it.each(['sign-in/email', 'sign-up/email', 'sign-out'])('is refused by %s too', async (path) => {
    for (const headers of foreign) {
      const answer = await test.app.inject({
        method: 'POST',
        url: `/api/auth/${path}`,
        headers: { ...headers, host: 'localhost:3000', cookie: me.cookie },
        payload: { email: me.email, password: 'x', name: 'x' },
      });
      expect([headers, answer.statusCode]).toEqual([headers, 403]);
    }
  });
});

it.each(['/api/health', '/api/docs', '/api/auth/user', '/nothing'])(
  'what %s answers may not be framed, sniffed or run as a script of elsewhere',
  async (url) => {
    const { headers } = await test.app.inject({ url });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBeDefined();
    expect(headers['x-powered-by']).toBeUndefined();
  },
);

describe('the name of a file', () => {
  const names = [
    '../../../../etc/passwd.csv',
    '..\\..\\windows\\system.csv',
    '/etc/cron.d/evil.csv',
    'a\0b.csv',
    'x%0d%0aSet-Cookie: a=b.csv',
    `${'long'.repeat(125)}.csv`,
    '; filename=evil.html; .csv',
    '\u202egpj.csv',
  ];
  const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String);

  it.each(names)('%j stays a name', async (fileName) => {
    const passwords = readFileSync('/etc/passwd', 'utf8');
    const imported = await importCsv(test.app, me.cookie, 'email\nnonsense\n', { fileName });
    expect(imported.statusCode, imported.body).toBe(200);
    const { payload, headers } = formOf([['file', 'nonsense\n', fileName]]);
    const list = await test.app.inject({
      method: 'POST',
      url: '/api/suppressions/import',
      headers: { ...headers, cookie: me.cookie },
      payload,
    });
    expect(list.statusCode, list.body).toBe(200);
    for (const url of [
      `/api/imports/${imported.json().id}/receipt`,
      `/api/suppressions/imports/${list.json().id}/receipt`,
    ]) {
      const answer = await test.app.inject({ url, headers: { cookie: me.cookie } });
      expect(answer.statusCode).toBe(200);
      const disposition = String(answer.headers['content-disposition']);
      expect(disposition).toMatch(/^attachment; filename="[\w .-]+"; filename\*=UTF-8''[\w%.~!'()*-]+$/);
      expect(decodeURIComponent(disposition.split("''")[1] ?? '')).not.toMatch(/[\\/\u0000-\u001f]/);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(filesIn(test.dataDir).filter((path) => /evil|passwd|system|\.\./.test(path))).toEqual([]);
    expect(readFileSync('/etc/passwd', 'utf8')).toBe(passwords);
  });

  it.each([
    '/assets/../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//etc/passwd',
  ])('in the address %s leads to no file', async (url) => {
    const answer = await sendBytes(
      port,
      `GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toMatch(/email-manager"|root:/);
  });
});

describe('a request that is none', () => {
  const line = 'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\n';

  it.each([
    [
      'two lengths of different kinds',
      `${line}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${line}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['an obscured encoding', `${line}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a chunk that is no number', `${line}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
    ['a line break in a header', `${line}X-A: a\rX-B: b\r\n\r\n`],
  ])('with %s is refused, and the connection closed', async (_what, bytes) => {
    const answer = await sendBytes(port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('with headers without end is refused', async () => {
    const many = Array.from({ length: 5000 }, (_, n) => `X-${n}: ${n}`).join('\r\n');
    expect(await sendBytes(port, `${line}${many}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('whose head never ends is cut off, also when there are many', async () => {
    const log = createLogger('silent');
    const slow = createHttp({ authenticate: async () => null, log, trustedOrigins: [], headTimeoutMs: 300 });
    slow.app.get('/quick', async () => ({ done: true }));
    await slow.app.listen({ host: '127.0.0.1', port: 0 });
    const { port: at } = slow.app.server.address() as { port: number };
    // Without a limit these would wait for a minute and a half.
    const half = Array.from({ length: 50 }, () =>
      sendBytes(at, 'GET /quick HTTP/1.1\r\nHost: localhost\r\n'),
    );
    const whole = 'GET /quick HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await sendBytes(at, whole)).toContain('{"done":true}');
    for (const answer of await Promise.all(half)) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
    await slow.app.close();
  });

  it('whose body comes too slowly is cut off', async () => {
    const log = createLogger('silent');
    const slow = createHttp({ authenticate: async () => null, log, trustedOrigins: [], bodyTimeoutMs: 200 });
    slow.app.post('/slow', async () => ({ done: true }));
    await slow.app.listen({ host: '127.0.0.1', port: 0 });
    const address = slow.app.server.address() as { port: number };
    const head =
      'POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ';
    const whole = await sendBytes(address.port, `${head}2\r\nConnection: close\r\n\r\n{}`);
    expect(whole).toContain('{"done":true}');
    // Without a limit this would wait for ever.
    expect(await sendBytes(address.port, `${head}1000\r\n\r\n{"a":`)).not.toContain('done');
    await slow.app.close();
  });

  it('whose body may be large has time to send it', async () => {
    const log = createLogger('silent');
    const patient = createHttp({
      authenticate: async () => null,
      log,
      trustedOrigins: [],
      bodyTimeoutMs: 100,
    });
    patient.app.post('/large', { bodyLimit: 1024 * 1_048_576 }, async () => ({ done: true }));
    const url = await patient.app.listen({ host: '127.0.0.1', port: 0 });
    const slowly = async function* () {
      yield '{"a":';
      // Three times as long as a body of one megabyte may take.
      await setTimeout(300);
      yield '1}';
    };
    const answer = await fetch(`${url}/large`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Readable.toWeb(Readable.from(slowly())) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(await answer.json()).toEqual({ done: true });
    await patient.app.close();
  });
});
