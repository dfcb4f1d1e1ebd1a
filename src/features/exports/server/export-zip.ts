import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  name: string;
  bytes: () => AsyncIterable<Buffer>;
  /** For content that is already compressed. */
  isCompressed?: boolean;
}

/**
 * Deflate's fastest level. 15 million contacts are a gigabyte of text, and a higher level takes
 * twice the time for a file that is one eighth smaller.
 */
const compressionLevel = 1;

/**
 * A zip whose entries are created one after the other while it is read. Above 4 GB it becomes a
 * zip64.
 */
export async function* zipped(
  entries: Iterable<ZipEntry>,
  { mtime, hugeEntries }: { mtime: Date; hugeEntries: boolean },
): AsyncGenerator<Buffer, void> {
  const zip = new ZipFile();
  // The library's types declare less than it is.
  const out = zip.outputStream as PassThrough;
  const fail = (error: Error) => out.destroy(error);
  (zip as unknown as NodeJS.EventEmitter).on('error', fail);
  for (const { name, bytes, isCompressed = false } of entries) {
    const options = {
      mtime,
      mode: 0o100644,
      compressionLevel: isCompressed ? 0 : compressionLevel,
      forceZip64Format: hugeEntries,
    };
    zip.addReadStreamLazy(name, options, (deliver) => {
      const stream = Readable.from(bytes(), { objectMode: false, highWaterMark: 262_144 });
      stream.once('error', fail);
      deliver(null, stream);
    });
  }
  zip.end();
  yield* out as AsyncIterable<Buffer>;
}
