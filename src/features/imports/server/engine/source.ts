import { open } from 'node:fs/promises';
import { AppError } from '#platform/shared/errors.ts';
import { type Meter, uploadStates } from './messages.ts';

const pieceBytes = 262_144;

/**
 * The bytes of a stored file from its start, in pieces of one buffer that is used again: read one before asking for the
 * next. A file still being uploaded is followed until the upload is complete, so that rows load while it arrives.
 *
 * @throws AppError `upload_cut_off` when the upload breaks off.
 */
export async function* readUpload(path: string, meter: Meter): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let position = 0;
  try {
    for (;;) {
      // The state before the length: bytes that came before "complete" are then always seen.
      const state = meter.get('uploadState');
      const uploaded = meter.get('uploaded');
      if (position < uploaded) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(pieceBytes, uploaded - position), position);
        if (bytesRead === 0)
          throw new Error(`${path} is shorter than the ${uploaded} bytes that were stored`);
        position += bytesRead;
        meter.set('bytesRead', position);
        yield buffer.subarray(0, bytesRead);
      } else if (state === uploadStates.complete) {
        return;
      } else if (state === uploadStates.broken) {
        throw new AppError(
          'upload_cut_off',
          'The upload was cut off. Nothing was imported; please try again.',
        );
      } else {
        await meter.changed('uploaded', uploaded, 250);
      }
    }
  } finally {
    await file.close();
  }
}

/** The first bytes of the upload, enough to tell how it is to be read; `whole` when that is all of it. */
export async function readHead(
  path: string,
  meter: Meter,
  bytes: number,
): Promise<{ head: Uint8Array; whole: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readUpload(path, meter)) {
    pieces.push(Uint8Array.from(piece));
    length += piece.length;
    if (length > bytes) return { head: Buffer.concat(pieces).subarray(0, bytes), whole: false };
  }
  return { head: Buffer.concat(pieces), whole: true };
}
