import { expect, it, vi } from 'vitest';
import { beginAgain, Yielded } from './begin-again.ts';

const busy = new Error('somebody holds it');
const yielding = (times: number) => {
  let left = times;
  return vi.fn(async () => {
    left -= 1;
    if (left >= 0) throw new Yielded(busy);
    return 'done';
  });
};

it('runs a transaction again until nobody is in its way', async () => {
  const attempt = yielding(2);
  expect(await beginAgain({ limitMs: 60_000 }, attempt)).toBe('done');
  expect(attempt).toHaveBeenCalledTimes(3);
});

it('gives up with the error of the transaction when the time is over', async () => {
  const attempt = yielding(1);
  await expect(beginAgain({ limitMs: 0 }, attempt)).rejects.toBe(busy);
  expect(attempt).toHaveBeenCalledTimes(1);
});

it('does not run again what failed for another reason, or is not wanted any more', async () => {
  const failing = vi.fn(() => Promise.reject(busy));
  await expect(beginAgain({ limitMs: 60_000 }, failing)).rejects.toBe(busy);
  expect(failing).toHaveBeenCalledTimes(1);
  const reason = new Error('cancelled');
  const attempt = yielding(9);
  const signal = AbortSignal.abort(reason);
  await expect(beginAgain({ limitMs: 60_000, signal }, attempt)).rejects.toBe(reason);
  expect(attempt).toHaveBeenCalledTimes(1);
});
