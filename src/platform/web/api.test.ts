import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';
import { ApiError, addressOf, call, words } from './api.ts';
import { fileNameIn } from './transfer.ts';

const list = endpoint({
  method: 'GET',
  path: '/api/things/:id/parts',
  access: access.user,
  summary: 'Parts of a thing.',
  tag: 'Things',
  params: z.object({ id: z.coerce.number() }),
  response: z.array(z.string()),
});

describe('the address of a call', () => {
  it('fills in the path and leaves out what is absent', () => {
    const query = {
      search: 'a&b=ü',
      page: 2,
      flag: false,
      none: undefined,
      nothing: null,
      status: ['x', 'y'],
    };
    expect(addressOf(list, { params: { id: 'a/b' }, query })).toBe(
      '/api/things/a%2Fb/parts?search=a%26b%3D%C3%BC&page=2&flag=false&status=x&status=y',
    );
    expect(addressOf(list, { params: { id: 7 } })).toBe('/api/things/7/parts');
  });
});

describe('a failed call', () => {
  it('is named by its status and the text of the answer', () => {
    const error = new ApiError(
      409,
      'Conflict',
      '{"message":"Taken.","code":"conflict","fields":{"email":"Taken"}}',
    );
    expect(error.message).toBe('409: {"message":"Taken.","code":"conflict","fields":{"email":"Taken"}}');
    expect(error).toMatchObject({
      status: 409,
      code: 'conflict',
      serverMessage: 'Taken.',
      fields: { email: 'Taken' },
    });
    expect(words(error)).toBe('Taken.');
  });

  it('without a body is named by its status text', () => {
    expect(new ApiError(502, 'Bad Gateway', '').message).toBe('502: Bad Gateway');
  });

  it('with a page instead of JSON is told in our own words', () => {
    const error = new ApiError(502, 'Bad Gateway', '<html>nginx</html>');
    expect(error.fields).toEqual({});
    expect(words(error, 'Failed to add email')).toBe('Failed to add email');
  });

  it('that never arrived says so', () => {
    expect(words(new ApiError(0, '', ''), 'x')).toMatch(/could not be reached/);
  });
});

describe('a call that gets no answer', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** A network that swallows everything: a fetch ends only when it is given up. */
  function swallow(): { ended: () => number } {
    let ended = 0;
    vi.useFakeTimers();
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => {
            ended += 1;
            reject(signal.reason);
          }),
        ),
    );
    return { ended: () => ended };
  }

  it('is given up if it only reads, once the server would have answered', async () => {
    const { ended } = swallow();
    const read = call(list, { params: { id: 7 } });
    const failure = expect(read).rejects.toMatchObject({ name: 'ApiError', status: 0 });
    await vi.advanceTimersByTimeAsync(125_000);
    expect(ended()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended()).toBe(1);
    await failure;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is waited for if it changes something', async () => {
    const { ended } = swallow();
    void call({ ...list, method: 'POST' }, { params: { id: 7 } });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(ended()).toBe(0);
  });

  it('ends as given up by its caller', async () => {
    swallow();
    const caller = new AbortController();
    const read = call(list, { params: { id: 7 }, signal: caller.signal });
    caller.abort();
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the name of a download', () => {
  it.each([
    ['attachment; filename="emails-2026-11-20.csv"', 'emails-2026-11-20.csv'],
    ['attachment; filename="x.csv"; filename*=UTF-8\'\'caf%C3%A9.csv', 'café.csv'],
    ['attachment; filename=plain.csv', 'plain.csv'],
    ['attachment; filename*=UTF-8\'\'%E0%A4%A; filename="y.csv"', 'y.csv'],
    ['attachment', undefined],
    [null, undefined],
  ])('%j', (header, name) => {
    expect(fileNameIn(header)).toBe(name);
  });
});
