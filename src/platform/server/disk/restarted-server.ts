import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging.ts';
import type { DiskSpace } from './disk-space.ts';
import { noRoom } from './out-of-room.ts';

/** A database server that runs. */
export interface Server {
  /** Resolves when the server has ended, with how. */
  exit: Promise<string>;
  /** True when the server found no room on its disk. */
  foundNoRoom(): boolean;
  stop(): Promise<void>;
  stopNow(): void;
}

export interface KeepOptions {
  /** Starts the server. Throws with the end of its log when it does not start. */
  start(): Promise<Server>;
  disk?: DiskSpace | undefined;
  log: Log;
  /** Called with how the server ended unasked, if not for lack of room. */
  onDeath(how: string): void;
  tryAgainMs?: number;
}

/** Runs the server. One that ends because the disk is full is started again until there is room. */
export async function keepRunning(options: KeepOptions): Promise<Pick<Server, 'stop' | 'stopNow'>> {
  const { start, disk, log, onDeath } = options;
  let isStopping = false;
  let restarting: Promise<void> | undefined;
  // A start on a full disk may need the reserve.
  let server = await start().catch(async (error: Error) => {
    if (!disk || !noRoom.test(error.message)) throw error;
    await disk.makeRoom();
    return start();
  });
  const failed = (error: Error) => onDeath(`did not start again: ${error.message}`);
  const watch = () => {
    const ended = async (how: string) => {
      const isFull = server.foundNoRoom() || (await foundFull(disk));
      if (isStopping) return;
      if (!disk || !isFull) return onDeath(`ended unexpectedly (${how})`);
      restarting = restart(disk).catch(failed);
    };
    void server.exit.then(ended).catch(failed);
  };
  const restart = async (full: DiskSpace) => {
    full.databaseWaits = true;
    log.error(
      'The disk is full, and the database has stopped. It starts again by itself when there is room.',
    );
    while (!isStopping) {
      await full.makeRoom();
      try {
        server = await start();
        full.databaseWaits = false;
        log.info('The database runs again.');
        return watch();
      } catch (error) {
        const { message } = error as Error;
        if (!noRoom.test(message) && !(await foundFull(full)))
          return onDeath(`did not start again: ${message}`);
        await sleep(options.tryAgainMs ?? 2_000);
      }
    }
  };
  watch();
  return {
    async stop() {
      isStopping = true;
      // A server that is starting just now is stopped too.
      await restarting;
      await server.stop();
    },
    stopNow() {
      isStopping = true;
      server.stopNow();
    },
  };
}

/** The server's own log is on the same disk, and may have found no room either. */
async function foundFull(disk: DiskSpace | undefined): Promise<boolean> {
  await disk?.look();
  return disk?.isFull ?? false;
}
