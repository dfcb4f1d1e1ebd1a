import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { asDamaged, damaged, isProtected, tooMuch } from './failures.ts';

/** More files than this are in no workbook. */
const mostFiles = 20_000;
const megabyte = 1_048_576;

/**
 * The files inside a workbook. Each is read as a stream, with a limit of its own: a few kilobytes
 * may unpack to terabytes.
 */
export class Archive {
  readonly #zip: ZipFile;
  readonly #files = new Map<string, Entry>();

  private constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  /** @throws AppError `not_csv` */
  static async open(path: string): Promise<Archive> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error) => {
      throw asDamaged(error);
    });
    const archive = new Archive(zip);
    try {
      if (zip.entryCount > mostFiles) throw tooMuch('holds more than 20,000 files');
      // Names are compared without regard to case (ECMA-376 part 2, 6.2.2.3).
      for await (const entry of zip.eachEntry()) archive.#files.set(entry.fileName.toLowerCase(), entry);
      return archive;
    } catch (error) {
      archive.close();
      throw asDamaged(error);
    }
  }

  has(name: string): boolean {
    return this.#files.has(name.toLowerCase());
  }

  /**
   * Yields the bytes of a file. Checks their number and their sum.
   *
   * @throws AppError `not_csv`: it is missing, damaged, or larger than `mostBytes` unpacked.
   */
  async *read(name: string, mostBytes: number): AsyncGenerator<Buffer> {
    const entry = this.#files.get(name.toLowerCase());
    if (!entry) throw damaged(`no ${name}`);
    if (entry.isEncrypted()) throw isProtected();
    const most = Math.round(mostBytes / megabyte);
    if (entry.uncompressedSize > mostBytes) throw tooMuch(`unpacks to more than ${most} MB`);
    let sum = 0;
    let stream: Readable | undefined;
    try {
      stream = await this.#zip.openReadStreamPromise(entry);
      // The reader ends the stream with an error when there is more or less than declared.
      for await (const piece of stream as AsyncIterable<Buffer>) {
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (error) {
      throw asDamaged(error);
    } finally {
      stream?.destroy();
    }
    if (sum !== entry.crc32) throw damaged('the sum is wrong');
  }

  close(): void {
    this.#zip.close();
  }
}
