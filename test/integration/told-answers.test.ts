import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHttp } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';
import { access, endpoint, errorBody, raw } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { takeUntold } from '#test/support/answers.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { allEndpoints } from '#test/support/sample-calls.ts';
import { createTestHttp, stubCaller } from '#test/support/stub-caller.ts';

/** What the API document says of the calls' answers, and what they are. */

const question = {
  method: 'GET',
  access: access.member('viewer'),
  summary: 'A test.',
  tag: 'Test',
} as const;
const asks = (path: string) => endpoint({ ...question, path, response: z.object({ ok: z.boolean() }) });

describe('an answer that the document does not tell of', () => {
  const file = endpoint({ ...question, path: '/file', response: raw('text/csv') });
  const listed = endpoint({
    ...question,
    path: '/listed',
    response: z.object({ ok: z.boolean() }),
    fails: ['gone'],
  });
  const http = createTestHttp((router) => {
    const fail = (path: string, error: Error) => router.handle(asks(path), async () => Promise.reject(error));
    fail('/gone', new AppError('gone', 'Too late.'));
    fail('/forbidden', new AppError('forbidden', 'Not you.'));
    fail('/broken', new Error('a fault of ours'));
    router.handle(listed, async () => Promise.reject(new AppError('gone', 'Too late.')));
    router.handle(file, async ({ reply }) => reply.type('text/html').send('<p>'));
    router.handle(asks('/shape'), async ({ reply }) => reply.code(403).send({ error: 'no' }) as never);
    router.handle(asks('/status'), async ({ reply }) => reply.code(204).send() as never);
  });

  it.each([
    ['/gone', ['GET /gone answered 410, which /gone does not list']],
    ['/file', ['GET /file answered 200 as “text/html”, and lists text/csv']],
    ['/shape', [expect.stringContaining('failed with a body of another shape')]],
    ['/status', ['GET /status answered 204, which /status does not list']],
    ['/forbidden', []],
    ['/listed', []],
    ['/broken', []],
  ])('is found: %s', async (path, complaints) => {
    await (await http).call(stubCaller(1), 'GET', path);
    expect(takeUntold()).toEqual(complaints);
  });
});

describe('a path', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await openTestApp();
  });
  afterAll(() => test.close());

  const byPath = Map.groupBy(allEndpoints(), ({ definition }) => definition.path);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

  it('answers 405 to each method that the document does not list, with those that it does', async () => {
    expect(byPath.size).toBeGreaterThan(100);
    for (const [path, calls] of byPath) {
      const own: string[] = calls.map(({ definition }) => definition.method);
      if (own.includes('GET')) own.push('HEAD');
      for (const method of methods.filter((one) => !own.includes(one))) {
        const url = path.replace(/:\w+/g, '1');
        // biome-ignore lint/suspicious/noExplicitAny: the types of `inject` know no TRACE
        const answer = await test.app.inject({ method: method as any, url });
        expect([method, path, answer.statusCode]).toEqual([method, path, 405]);
        expect(String(answer.headers.allow).split(', ')).toEqual(own.toSorted());
        if (method !== 'HEAD') expect(answer.json().code).toBe('method_not_allowed');
      }
    }
  }, 120_000);

  it('that is not there is 404 for each method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await test.app.inject({ method, url: '/api/nothing' });
      expect([method, answer.statusCode, answer.json().code]).toEqual([method, 404, 'not_found']);
    }
  });
});

describe('a call that reaches no route', () => {
  const slow = createHttp({
    authenticate: async () => null,
    log: createLogger('silent'),
    trustedOrigins: [],
    headTimeoutMs: 300,
    bodyTimeoutMs: 300,
  }).app;
  slow.post('/call', async () => ({ done: true }));
  let port: number;
  beforeAll(async () => {
    await slow.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = slow.server.address() as { port: number });
  });
  afterAll(() => slow.close());

  function send(bytes: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });
  }

  const line = 'POST /call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

  it.each([
    ['a head that never ends', line, 408, 'too_slow'],
    ['a body that never ends', `${line}Content-Length: 100\r\n\r\n{"a":`, 408, 'too_slow'],
    ['a head that is too large', `${line}X-A: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'head_too_large'],
    ['something else than HTTP', 'EHLO localhost\r\n\r\n', 400, 'bad_request'],
    ['a length that is none', `${line}Content-Length: many\r\n\r\n`, 400, 'bad_request'],
    [
      'an address that cannot be read',
      'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'bad_request',
    ],
  ])('%s is answered in the usual shape', async (_what, bytes, status, code) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/json');
    expect(errorBody.strict().parse(JSON.parse(body))).toMatchObject({ code });
  });

  it('is answered as usual when it expects what nobody knows', async () => {
    const bytes = `${line}Expect: the-unexpected\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    expect(await send(bytes)).toContain('{"done":true}');
  });
});
