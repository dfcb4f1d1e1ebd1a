import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { formatNumber } from '#platform/shared/words.ts';
import { mostZipFiles } from '../../contract/import-html.ts';
import { asRefusal, damaged, refusal } from './zip-failures.ts';

/** A file in a zip that is larger than the caller takes. */
export class TooLarge extends Error {}

/**
 * The files in a zip that somebody sent. Nothing is unpacked to the disk, and each file is read
 * with a limit: a few kilobytes may unpack to terabytes.
 */
export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries = new Map<string, Entry>();

  private constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  /** @throws AppError `invalid_input` */
  static async open(path: string): Promise<ZipReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error) => {
      throw asRefusal(error);
    });
    const reader = new ZipReader(zip);
    try {
      await reader.#list();
      return reader;
    } catch (error) {
      reader.close();
      throw asRefusal(error);
    }
  }

  async #list(): Promise<void> {
    const tooMany = () =>
      refusal(
        `This zip holds more than ${formatNumber(mostZipFiles)} files. Leave out what the email does not need.`,
      );
    if (this.#zip.entryCount > mostZipFiles) throw tooMany();
    for await (const entry of this.#zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      if (entry.isEncrypted()) throw refusal('This zip is protected with a password. Export it without one.');
      const name = entry.fileName.toLowerCase();
      // If two have the same name, the first counts, whatever others make of it.
      if (!this.#entries.has(name)) this.#entries.set(name, entry);
    }
  }

  /** The names of the files, as they are written. */
  get names(): string[] {
    return [...this.#entries.values()].map(({ fileName }) => fileName);
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * All of a file. Its length and its sum are checked.
   *
   * @throws TooLarge
   * @throws AppError `invalid_input`: it is damaged.
   */
  async read(name: string, mostBytes: number): Promise<Buffer> {
    const entry = this.#entries.get(name.toLowerCase());
    if (!entry) throw new RangeError(`The zip has no ${name}.`);
    if (entry.uncompressedSize > mostBytes) throw new TooLarge();
    const pieces: Buffer[] = [];
    let stream: Readable | undefined;
    try {
      stream = await this.#zip.openReadStreamPromise(entry);
      // The package ends it with an error where there is more or less than the zip says.
      for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
    } catch (error) {
      throw asRefusal(error);
    } finally {
      stream?.destroy();
    }
    const bytes = Buffer.concat(pieces);
    if (crc32(bytes) !== entry.crc32) throw damaged();
    return bytes;
  }

  close(): void {
    this.#zip.close();
  }
}
