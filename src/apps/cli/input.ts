import { type FileHandle, open } from 'node:fs/promises';
import { headBytes } from '#features/csv/rules.ts';
import { aboutFile } from './failure.ts';

const pieceBytes = 262_144;

/**
 * A file, or standard input for `-`: first its beginning, for detecting the format, then all bytes
 * once.
 */
export interface Input {
  /** The name that people know. */
  name: string;
  head: Uint8Array;
  /** True when the head is the whole input. */
  whole: boolean;
  /** Bytes in all. Null when unknown. */
  size: number | null;
  /**
   * All bytes from the start, in pieces. The buffer is reused, so read one piece before asking for
   * the next.
   */
  pieces(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

export const standard = '-';

export async function openInput(path: string): Promise<Input> {
  if (path === standard) return startInput('standard input', null, process.stdin, async () => undefined);
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const stat = await file.stat();
    const handle = file;
    return await startInput(path, stat.isFile() ? stat.size : null, readPieces(file), () => handle.close());
  } catch (error) {
    await file?.close();
    throw aboutFile(error, path);
  }
}

async function* readPieces(file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, pieceBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function startInput(
  name: string,
  size: number | null,
  source: AsyncIterable<Uint8Array>,
  close: () => Promise<void>,
): Promise<Input> {
  const rest = source[Symbol.asyncIterator]();
  const kept: Uint8Array[] = [];
  let length = 0;
  let whole = false;
  while (!whole && length <= headBytes) {
    const { value, done } = await rest.next();
    if (done) whole = true;
    else {
      kept.push(Uint8Array.from(value));
      length += value.length;
    }
  }
  return {
    name,
    head: Buffer.concat(kept).subarray(0, headBytes),
    whole,
    size,
    async *pieces() {
      for (let piece = kept.shift(); piece; piece = kept.shift()) yield piece;
      while (!whole) {
        const { value, done } = await rest.next().catch((error: unknown) => {
          throw aboutFile(error, name);
        });
        if (done) return;
        yield value;
      }
    },
    close,
  };
}
