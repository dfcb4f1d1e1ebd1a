import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#platform/shared/errors.ts';
import type { Log } from '../logging.ts';
import { type DiskSpace, openDiskSpace, type Room } from './disk-space.ts';
import { diskFull, isOutOfRoom } from './out-of-room.ts';

const megabyte = 1_048_576;

/** PostgreSQL's own errors carry their state in `code`. */
const databaseError = (code: string, message = 'could not extend file') =>
  Object.assign(new Error(message), { code, severity: 'ERROR' });
const systemError = (code: string) => Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });

const noRoomAtAll: [string, unknown][] = [
  ['PostgreSQL without room', databaseError('53100')],
  ['a file without room', systemError('ENOSPC')],
  ['a user over quota', systemError('EDQUOT')],
  ['the same within another error', new Error('import failed', { cause: databaseError('53100') })],
  [
    'what an engine’s thread tells',
    new AppError('insufficient_storage', 'The disk is full.', { cause: new Error('error: no more room') }),
  ],
  [
    'the end of PostgreSQL’s log',
    new Error('PostgreSQL did not start:\nPANIC: could not write: No space left on device'),
  ],
];

const otherErrors: [string, unknown][] = [
  [
    'a sort that was too large',
    databaseError('53100', 'could not write block 9 of file "base/pgsql_tmp/1.0"'),
  ],
  [
    'the same, told by a thread',
    new AppError('insufficient_storage', 'The disk is full.', {
      cause: new Error('could not write to file "base/pgsql_tmp/pgsql_tmp7.0": No space left on device'),
    }),
  ],
  ['a call that we refused ourselves', diskFull()],
  ['too many connections', databaseError('53300', 'sorry, too many clients already')],
  ['another file error', systemError('EACCES')],
  ['no error at all', 'No space left on device'],
  ['nothing', undefined],
];

describe('an error', () => {
  it.each(noRoomAtAll)('says that a disk is full: %s', (_name, error) => {
    expect(isOutOfRoom(error)).toBe(true);
  });
  it.each(otherErrors)('says nothing about the disk: %s', (_name, error) => {
    expect(isOutOfRoom(error)).toBe(false);
  });
});

describe('the disk', () => {
  let folder: string;
  let room: Room;
  let said: string[];
  let disk: DiskSpace;
  const reserve = () => statSync(join(folder, 'postgres.reserve'), { throwIfNoEntry: false })?.size ?? 0;
  const open = (measure = async () => room) => {
    const say = (one: unknown, other?: string) => void said.push(other ?? String(one));
    const log = { info: say, warn: say, error: say } as unknown as Log;
    disk = openDiskSpace({ log, measure, reserveAfterMs: 0, lookEveryMs: 60_000, elsewhereMs: 40 });
  };
  /** Until the reserve may be made. */
  const begin = async () => {
    disk.begin();
    await vi.waitFor(async () => {
      await disk.look();
      expect(reserve()).toBeGreaterThan(0);
    }, 45_000);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'email-manager-disk-'));
    room = { freeBytes: 500 * megabyte, totalBytes: 1_000 * megabyte };
    said = [];
    open();
  });
  afterEach(() => {
    disk.stop();
    rmSync(folder, { recursive: true });
  });

  it('is full when a hundredth of it is left, and has room when the reserve and twice that are free', async () => {
    disk.watch(join(folder, 'postgres'), { keepReserve: true });
    const seen: [number, boolean][] = [];
    for (const free of [500, 11, 9, 11, 45, 53, 11]) {
      room.freeBytes = free * megabyte;
      await disk.look();
      seen.push([free, disk.isFull]);
    }
    expect(seen).toEqual([
      [500, false],
      [11, false],
      [9, true],
      [11, true],
      [45, true],
      [53, false],
      [11, false],
    ]);
    expect(said).toHaveLength(2);
    expect(said[0]).toContain('The disk is full (9 MB left');
    expect(said[1]).toContain('There is room on the disk again (53 MB left');
  });

  it.each([
    [100, 5, 3],
    [1_000_000, 65, 63],
  ])('of %i MB is full somewhere between %i and %i MB', async (total, enough, little) => {
    disk.watch(folder);
    room = { freeBytes: enough * megabyte, totalBytes: total * megabyte };
    await disk.look();
    expect(disk.isFull).toBe(false);
    room.freeBytes = little * megabyte;
    await disk.look();
    expect(disk.isFull).toBe(true);
  });

  it('keeps a reserve for the database, gives it away when it is full, and makes it again', async () => {
    disk.watch(join(folder, 'postgres'), { keepReserve: true });
    await begin();
    expect(reserve()).toBe(32 * megabyte);
    room.freeBytes = megabyte;
    await disk.look();
    expect(reserve()).toBe(0);
    room.freeBytes = 500 * megabyte;
    await disk.look();
    expect(reserve()).toBe(32 * megabyte);
  });

  it('makes no reserve where that would fill it, nor beside a folder that is no database', async () => {
    disk.watch(folder);
    disk.watch(join(folder, 'postgres'), { keepReserve: true });
    room.freeBytes = 40 * megabyte;
    disk.begin();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await disk.look();
    expect(reserve()).toBe(0);
    expect(disk.isFull).toBe(false);
  });

  it('is full for a while when something found no room on a disk that nobody watches', async () => {
    disk.watch(folder);
    disk.notice(databaseError('53100'));
    await vi.waitFor(() => expect(disk.isFull).toBe(true));
    // Whoever is refused meanwhile does not make it longer.
    disk.notice(diskFull());
    await vi.waitFor(async () => {
      await disk.look();
      expect(disk.isFull).toBe(false);
    });
  });

  it('tells whoever listens about each change, and no longer once they have left', async () => {
    disk.watch(folder);
    const heard: boolean[] = [];
    const leave = disk.onChange((isFull) => heard.push(isFull));
    for (const free of [1, 1, 500, 500, 1]) {
      room.freeBytes = free * megabyte;
      await disk.look();
    }
    leave();
    room.freeBytes = 500 * megabyte;
    await disk.look();
    expect(heard).toEqual([true, false, true]);
  });

  it('says once that it cannot be measured, and changes nothing for that', async () => {
    open(async () => {
      throw systemError('EIO');
    });
    disk.watch(folder);
    for (let looks = 0; looks < 3; looks++) await disk.look();
    expect(disk.isFull).toBe(false);
    expect(said).toEqual(['It could not be found out how much room the disk has']);
  });

  it('is measured for a folder that is not there yet', async () => {
    const real = openDiskSpace({ log: { info() {}, warn() {}, error() {} } as unknown as Log });
    real.watch(join(folder, 'not', 'there', 'yet'));
    await real.look();
    expect(real.freeBytes).toBeGreaterThan(0);
  });
});
