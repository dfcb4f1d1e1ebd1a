import pg from 'pg';
import type { DiskSpace } from './disk-space.ts';

const checkpointEveryMs = 5_000;
/** A checkpoint writes a little itself, and PostgreSQL ends when it finds no room for that. */
const leastForCheckpoint = 2 * 1_048_576;

/**
 * While the disk is full, has the server give up its write-ahead log again and again: reading also
 * writes some, and what a checkpoint no longer needs is used anew. Returns how to stop that.
 */
export function keepLogShort(disk: DiskSpace, superuserUrl: string): () => void {
  let timer: NodeJS.Timeout | undefined;
  const turn = () => {
    if (disk.freeBytes >= leastForCheckpoint && !disk.databaseWaits) void checkpoint(superuserUrl);
  };
  const leave = disk.onChange((isFull) => {
    clearInterval(timer);
    if (!isFull) return;
    turn();
    timer = setInterval(turn, checkpointEveryMs);
  });
  return () => {
    leave();
    clearInterval(timer);
  };
}

async function checkpoint(superuserUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    connectionTimeoutMillis: checkpointEveryMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('checkpoint');
  } catch {
    // The server is down, or did not find room for that either. The next turn tries again.
  } finally {
    await client.end().catch(() => undefined);
  }
}
