import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../logging.ts';
import { type DiskSpace, openDiskSpace } from './disk-space.ts';
import { type KeepOptions, keepRunning, type Server } from './restarted-server.ts';

const log = { info() {}, warn() {}, error() {} } as unknown as Log;
const full = 'PostgreSQL did not start (code 1). The end of its log:\nPANIC: No space left on device';

/** A server that ends when it is told to. */
function stubServer(foundNoRoom = false) {
  const { promise: exit, resolve: end } = Promise.withResolvers<string>();
  const server: Server & { end(how: string): void } = {
    exit,
    end,
    foundNoRoom: () => foundNoRoom,
    stop: vi.fn(async () => end('code 0')),
    stopNow: vi.fn(() => end('SIGQUIT')),
  };
  return server;
}

describe('a database server', () => {
  let disk: DiskSpace;
  let freeBytes: number;
  let onDeath: ReturnType<typeof vi.fn<KeepOptions['onDeath']>>;
  const keep = (start: KeepOptions['start'], given: DiskSpace | undefined = disk) =>
    keepRunning({ start, disk: given, log, onDeath, tryAgainMs: 1 });
  /** Starts these one after the other; a text is a start that fails. */
  const inTurn = (...turns: (Server | string)[]) =>
    vi.fn(async () => {
      const next = turns.shift();
      if (next === undefined || typeof next === 'string') throw new Error(next ?? full);
      return next;
    });

  beforeEach(() => {
    freeBytes = 1e9;
    disk = openDiskSpace({ log, measure: async () => ({ freeBytes, totalBytes: 1e9 }) });
    disk.watch('/data');
    onDeath = vi.fn();
  });

  it('that ends for lack of room is started again until there is some', async () => {
    const [first, second] = [stubServer(true), stubServer()];
    const start = inTurn(first, full, full, second);
    const waited: boolean[] = [];
    await keep(() => {
      waited.push(disk.databaseWaits);
      return start();
    });
    first.end('code 1');
    await vi.waitFor(() => expect(waited).toEqual([false, true, true, true]));
    await vi.waitFor(() => expect(disk.databaseWaits).toBe(false));
    expect(onDeath).not.toHaveBeenCalled();
  });

  it('is started again too when its log found no room to say so', async () => {
    const [first, second] = [stubServer(), stubServer()];
    const start = inTurn(first, second);
    await keep(start);
    freeBytes = 0;
    first.end('SIGABRT');
    await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2));
    expect(onDeath).not.toHaveBeenCalled();
  });

  it('that ends for another reason ends the product', async () => {
    const first = stubServer();
    const start = inTurn(first, stubServer());
    await keep(start);
    first.end('SIGKILL');
    await vi.waitFor(() => expect(onDeath).toHaveBeenCalledWith('ended unexpectedly (SIGKILL)'));
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('that cannot be started again for another reason ends the product', async () => {
    const first = stubServer(true);
    await keep(inTurn(first, 'PostgreSQL did not start (code 1): data directory has wrong ownership'));
    first.end('code 1');
    await vi.waitFor(() =>
      expect(onDeath).toHaveBeenCalledWith(expect.stringContaining('has wrong ownership')),
    );
  });

  it('gets the reserve when its first start finds no room, and says so when that is not enough', async () => {
    const makeRoom = vi.spyOn(disk, 'makeRoom');
    await keep(inTurn(full, stubServer()));
    expect(makeRoom).toHaveBeenCalledOnce();
    await expect(keep(inTurn(full, full))).rejects.toThrow('No space left on device');
    await expect(keep(inTurn('wrong ownership', stubServer()))).rejects.toThrow('wrong ownership');
    await expect(keepRunning({ start: inTurn(full, stubServer()), log, onDeath })).rejects.toThrow(full);
  });

  it('that is asked to stop is not started again, and neither is one on its way up left behind', async () => {
    const stopped = stubServer(true);
    const start = inTurn(stopped, stubServer());
    await (await keep(start)).stop();
    expect(start).toHaveBeenCalledTimes(1);

    const [first, second] = [stubServer(true), stubServer()];
    const { promise: comesUp, resolve: up } = Promise.withResolvers<Server>();
    const starts = [Promise.resolve(first), comesUp];
    const kept = await keep(async () => (await starts.shift()) as Server);
    first.end('code 1');
    await vi.waitFor(() => expect(starts).toHaveLength(0));
    const stopping = kept.stop();
    up(second);
    await stopping;
    expect(second.stop).toHaveBeenCalledOnce();
    expect(onDeath).not.toHaveBeenCalled();
  });
});
