import { open } from 'node:fs/promises';
import type { Meter } from './messages.ts';

const pieceBytes = 262_144;

/**
 * Yields the bytes of a stored file from its start, in pieces. All pieces share one buffer: use a
 * piece before asking for the next.
 */
export async function* readStored(path: string, meter: Meter): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let position = 0;
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      meter.set('bytesRead', position);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * The first bytes of the file, enough to detect how to read it. `whole` is true when that is all of
 * it.
 */
export async function readHead(
  path: string,
  meter: Meter,
  bytes: number,
): Promise<{ head: Uint8Array; whole: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readStored(path, meter)) {
    pieces.push(Uint8Array.from(piece));
    length += piece.length;
    if (length > bytes) return { head: Buffer.concat(pieces).subarray(0, bytes), whole: false };
  }
  return { head: Buffer.concat(pieces), whole: true };
}
