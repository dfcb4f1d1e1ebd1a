import { expect, it } from 'vitest';
import { each, eachWorkspace } from './each-workspace.ts';
import { LockBusy } from './locks.ts';

const book = () => {
  const lines: { level: string; fields: object }[] = [];
  const write = (level: string) => (fields: object) => void lines.push({ level, fields });
  return { lines, log: { error: write('error'), warn: write('warn') } as never };
};

it('goes on with the other workspaces when one fails, and tells of it', async () => {
  const { lines, log } = book();
  const fault = new Error('broken');
  const reached: number[] = [];
  const failures = await eachWorkspace(
    async () => [1, 2, 3],
    { failed: 'It failed', log },
    async (id) => {
      reached.push(id);
      if (id === 2) throw fault;
    },
  );
  expect(reached).toEqual([1, 2, 3]);
  expect(failures).toEqual([fault]);
  expect(lines).toEqual([{ level: 'error', fields: { err: fault, workspaceId: 2 } }]);
});

it('calls what will pass a warning', async () => {
  const { lines, log } = book();
  const busy = new LockBusy('An import is at work.', null);
  const options = { failed: 'It failed', log, about: (item: string) => ({ item }) };
  expect(await each(['a'], options, () => Promise.reject(busy))).toEqual([busy]);
  expect(lines).toEqual([{ level: 'warn', fields: { err: busy, item: 'a' } }]);
});

it('ends when it is told to stop, which is no failure', async () => {
  const { lines, log } = book();
  const stop = new AbortController();
  const reached: number[] = [];
  const work = eachWorkspace(
    async () => [1, 2, 3],
    { failed: 'It failed', log, signal: stop.signal },
    async (id) => {
      reached.push(id);
      stop.abort(new Error('the process stops'));
      throw new Error('cancelled');
    },
  );
  await expect(work).rejects.toThrow('the process stops');
  expect(reached).toEqual([1]);
  expect(lines).toEqual([]);
});
