import { expect, it, vi } from 'vitest';
import { AppError } from '#platform/shared/errors.ts';
import { untilReachable } from './stopped.ts';

const away = new AppError('unavailable', 'The database is away.');

/** For how many seconds an end is tried that fails so often, and whether it was written. */
async function tried(failures: number, goesOn?: () => boolean) {
  let writes = 0;
  let seconds = 0;
  const write = async () => {
    if (writes++ < failures) throw away;
  };
  const wait = async (ms: number) => {
    seconds += ms / 1_000;
  };
  const isWritten = await untilReachable(write, { wait, ...(goesOn ? { goesOn } : {}) }).then(
    () => true,
    () => false,
  );
  return { isWritten, seconds };
}

it('an end is written until the database is back, for half a minute', async () => {
  expect(await tried(3)).toEqual({ isWritten: true, seconds: 3 });
  expect(await tried(100)).toEqual({ isWritten: false, seconds: 25.5 });
});

it('an end is written for longer where somebody asks for it, and no longer than they do', async () => {
  expect(await tried(100, () => true)).toMatchObject({ isWritten: true });
  let asked = 0;
  expect(await tried(100, () => asked++ < 5)).toEqual({ isWritten: false, seconds: 40.5 });
});

it('what time does not mend is not tried again', async () => {
  const write = vi.fn(async () => {
    throw new Error('a bug');
  });
  await expect(untilReachable(write, { goesOn: () => true })).rejects.toThrow('a bug');
  expect(write).toHaveBeenCalledTimes(1);
});
