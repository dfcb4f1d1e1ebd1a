import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DataDirInUse, holderOf, lockDataDir } from './data-dir-lock.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'email-manager-lock-'));
  path = join(folder, 'running');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** No process has this number: Linux ends at 4,194,304. */
const nobody = 99_999_999;
const holder = () => JSON.parse(readFileSync(path, 'utf8')) as { pid: number; began: string; host: string };

/** The file as somebody else wrote it who has taken the lock. */
async function written(other: Partial<ReturnType<typeof holder>>): Promise<void> {
  const lock = await lockDataDir(folder);
  const mine = holder();
  lock.release();
  writeFileSync(path, JSON.stringify({ ...mine, ...other }));
}

it('is held until it is released', async () => {
  const lock = await lockDataDir(folder);
  expect(await holderOf(folder)).toBe(process.pid);
  await expect(lockDataDir(folder)).rejects.toThrow(DataDirInUse);
  lock.release();
  expect(await holderOf(folder)).toBeUndefined();
});

it('is taken at once from a process of this place that is gone', async () => {
  await written({ pid: nobody });
  const lock = await lockDataDir(folder);
  expect(holder().pid).toBe(process.pid);
  lock.release();
});

it.runIf(process.platform === 'linux')(
  'is left to a container of the same name while that lives, whose process ids mean nothing here',
  async () => {
    await written({ pid: nobody });
    writeFileSync(path, JSON.stringify({ ...holder(), host: holder().host.replace('pid:[', 'pid:[9') }));
    const ended = join(folder, 'ended');
    cpSync(path, join(ended, 'running'), { recursive: true });
    const beating = setInterval(() => utimesSync(path, new Date(), new Date()), 500);
    const [lock] = await Promise.all([
      lockDataDir(ended),
      expect(lockDataDir(folder)).rejects.toThrow(DataDirInUse),
    ]);
    clearInterval(beating);
    lock.release();
  },
  30_000,
);
