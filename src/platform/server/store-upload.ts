import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError } from '#platform/shared/errors.ts';

const bytesPerMegabyte = 1_048_576;

/** The most that a file may have. */
export interface UploadLimit {
  bytes: number;
  tooLarge: () => AppError;
  /** As in `FormLimits`. */
  undone?: string;
}

export const nothingImported = 'Nothing was imported';

export const upTo = (megabytes: number): UploadLimit => ({
  bytes: megabytes * bytesPerMegabyte,
  tooLarge: () =>
    new AppError(
      'too_large',
      `The file is larger than the ${megabytes} MB allowed. Split it and import the parts.`,
    ),
});

/**
 * How much of a too large file is read and thrown away, so that the answer reaches a client that is
 * still sending.
 */
const drainLimit = 512 * bytesPerMegabyte;

/**
 * Stores a file as it arrives and reports how many bytes are stored. Returns its size once all of
 * it is on disk.
 *
 * @throws AppError `too_large`, `upload_cut_off` (the sender went away) or `insufficient_storage`
 * (the disk is full).
 */
export async function storeUpload(
  source: Readable,
  path: string,
  limit: UploadLimit,
  onStored: (bytes: number) => void = () => undefined,
): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  let size = 0;
  let written = 0;
  let failure: AppError | null = null;
  file.on('error', (error) => {
    failure ??= storageFailure(error, limit);
  });
  try {
    await once(file, 'open').catch((error: Error) => {
      throw storageFailure(error, limit);
    });
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit.bytes) failure ??= limit.tooLarge();
      if (failure) {
        if (size > limit.bytes + drainLimit) break;
        continue;
      }
      const error = await new Promise<Error | null | undefined>((resolve) => file.write(chunk, resolve));
      if (error) {
        failure ??= storageFailure(error, limit);
        continue;
      }
      written += chunk.length;
      onStored(written);
    }
    if (failure) throw failure;
    if ((source as Readable & { truncated?: boolean }).truncated) throw limit.tooLarge();
    file.end();
    await finished(file).catch((error: Error) => {
      throw storageFailure(error, limit);
    });
    await syncToDisk(path);
    return size;
  } catch (error) {
    file.destroy();
    if (error instanceof AppError) throw error;
    const { undone = nothingImported } = limit;
    throw new AppError('upload_cut_off', `The upload was cut off. ${undone}; please try again.`, {
      cause: error,
    });
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function storageFailure(cause: Error, { undone = nothingImported }: UploadLimit): AppError {
  const full = 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT');
  return full
    ? new AppError('insufficient_storage', `The disk is full. ${undone}; free some space and try again.`, {
        cause,
      })
    : new AppError('internal', `The file could not be stored. ${undone}; please try again.`, {
        cause,
      });
}
