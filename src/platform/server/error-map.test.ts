import { describe, expect, it } from 'vitest';
import { isLost, isUnavailable, sqlState } from './database.ts';
import { asAppError } from './error-map.ts';
import { isPassing } from './work/stopped.ts';

const failed = (code: string, syscall?: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall ? { syscall } : {}) });

describe('a database that went away', () => {
  it.each([
    ['EPIPE', 'write'],
    ['ECONNRESET', 'read'],
    ['57P01', undefined],
    ['57P02', undefined],
  ])('is told by %s, after which a commit may have arrived', (code, syscall) => {
    const error = failed(code, syscall);
    expect([isUnavailable(error), isLost(error), isPassing(error)]).toEqual([true, true, true]);
    expect(asAppError(error)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('lost on the way'),
    });
  });

  it.each([
    ['ECONNREFUSED', 'connect'],
    ['ENOENT', 'connect'],
    ['EPIPE', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
    ['57P03', undefined],
    ['08006', undefined],
    ['53300', undefined],
  ])('is told by %s, before anything was done', (code, syscall) => {
    const error = failed(code, syscall);
    expect([isUnavailable(error), isLost(error), isPassing(error)]).toEqual([true, false, true]);
  });

  it('is not told by what has other reasons', () => {
    for (const error of [failed('ENOENT', 'open'), failed('EBUSY', 'rmdir'), failed('23505')])
      expect(isUnavailable(error)).toBe(false);
  });
});

it('no code of Node is taken for a SQLSTATE, which has as many letters', () => {
  for (const code of ['EPIPE', 'EBUSY', 'EPERM', 'EROFS', 'E2BIG'])
    expect(sqlState(failed(code, 'write'))).toBeUndefined();
  for (const code of ['23505', '57P01', 'P0001', 'XX000', 'HV000', 'F0000'])
    expect(sqlState(failed(code))).toBe(code);
});
