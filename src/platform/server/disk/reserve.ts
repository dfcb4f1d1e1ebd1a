import { randomFillSync } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';

/**
 * A file that only takes up room, beside the database. When the disk fills up, it is removed, and
 * the database has enough to write down what is going on and, if it must, to recover: PostgreSQL
 * stops when it finds no room for its log.
 */
export interface Reserve {
  path: string;
  bytes: number;
  /** How many bytes of it are not there. */
  missing(): Promise<number>;
}

const megabyte = 1_048_576;
/** Two segments of PostgreSQL's log, of 16 MB, are the least that recovery needs. */
const least = 32 * megabyte;
const most = 64 * megabyte;

const pathOf = (folder: string) => `${folder}.reserve`;

/** The reserve beside `folder`, on a disk of this size. */
export function reserveOf(folder: string, totalBytes: number): Reserve {
  const path = pathOf(folder);
  const bytes = Math.round(Math.min(most, Math.max(least, totalBytes / 100)));
  return { path, bytes, missing: async () => Math.max(0, bytes - (await sizeOf(path))) };
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Writes it piece by piece. It holds random bytes, because some disks store zeros in no room. */
export async function makeReserve({ path, bytes }: Reserve): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const piece = randomFillSync(Buffer.alloc(megabyte));
    for (let written = 0; written < bytes; written += piece.length)
      await file.write(piece, 0, Math.min(piece.length, bytes - written));
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

export const releaseReserve = (folder: string): Promise<void> => rm(pathOf(folder), { force: true });
