import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#platform/shared/errors.ts';
import { diskFull } from './disk/out-of-room.ts';
import { drain } from './draining.ts';
import { createHttp } from './http.ts';
import type { Log } from './logging.ts';

interface Line {
  level: string;
  text: string;
  err: unknown;
}
let lines: Line[];
let urls: unknown[];
let http: ReturnType<typeof createHttp>;

/** A log that keeps what it is told. */
function keepingLog(): Log {
  const at = (level: string) => (given: { err?: unknown; url?: string }, text: string) => {
    lines.push({ level, text, err: given.err });
    urls.push(given.url);
  };
  const log = { level: 'info', silent() {}, trace() {}, debug() {}, child: () => log };
  for (const level of ['info', 'warn', 'error', 'fatal']) Object.assign(log, { [level]: at(level) });
  return log as unknown as Log;
}

beforeEach(() => {
  lines = [];
  urls = [];
  http = createHttp({ authenticate: async () => null, log: keepingLog(), trustedOrigins: [] });
});
afterEach(() => http.app.close());

/** What is logged for a call that throws this. */
async function loggedFor(error: unknown): Promise<Line[]> {
  http.app.get('/x', async () => {
    throw error;
  });
  await http.app.inject('/x?address=ann');
  return lines;
}

describe('the log of calls', () => {
  it('has the path of a call, without secrets of mailed links and what somebody searched for', async () => {
    http.app.get('/api/campaigns/:id/links/:token', async () => {
      throw new Error('away');
    });
    await http.app.inject('/api/campaigns/15/links/fxK2jQ9?search=jo@acme.co.uk');
    expect(urls).toEqual(['/api/campaigns/15/links/:token']);
  });

  it('says nothing of probes of a process that is about to stop, and still refuses them', async () => {
    http.app.get('/api/ready', async () => ({ status: 'ok' }));
    await http.app.listen({ port: 0, host: '127.0.0.1' });
    await drain(http.app, { noticeMs: 0, patienceMs: 0 });
    for (let probes = 0; probes < 5; probes++)
      expect((await http.app.inject('/api/ready?deep=1')).statusCode).toBe(503);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it.each([
    ['for lack of room', diskFull()],
    ['for lack of a connection', new AppError('unavailable', 'Too many downloads. Try again.')],
    ['because time is over', new AppError('timeout', 'The import took too long.')],
  ])('has one line without a stack for what we refuse %s', async (_name, error) => {
    expect(await loggedFor(error)).toEqual([
      { level: 'warn', text: `call refused: ${error.message}`, err: undefined },
    ]);
  });

  it.each([
    ['a fault of ours', new TypeError('x is undefined')],
    ['one that has words', new AppError('internal', 'Something went wrong.')],
    ['a database that is away', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a disk that is full', Object.assign(new Error('write'), { code: 'ENOSPC' })],
    ['a refusal with a cause', new AppError('unavailable', 'Not now.', { cause: new Error('inside') })],
  ])('has all of %s', async (_name, error) => {
    expect(await loggedFor(error)).toEqual([{ level: 'error', text: 'call failed', err: error }]);
  });

  it('has nothing of what the caller did wrong', async () => {
    expect(await loggedFor(new AppError('not_found', 'There is nothing at this address.'))).toEqual([]);
  });
});
