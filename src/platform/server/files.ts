import type { Dirent } from 'node:fs';
import { mkdir, opendir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/**
 * Files that belong to the product (uploads, receipts). Each has a key such as `imports/3/12.csv`.
 */
export interface FileStore {
  /** The path of this key's file. Creates its folder if it is missing. */
  pathFor(key: string): Promise<string>;
  /** The same for reading: creates nothing. */
  placeOf(key: string): string;
  /**
   * The keys of the files directly in a folder, such as `imports/3`. Empty when the folder does not
   * exist.
   */
  list(folder: string): Promise<string[]>;
  /** The folders directly in a folder, such as `imports`. Empty when it does not exist. */
  folders(folder: string): Promise<string[]>;
  /** Removes the file if it is there. */
  remove(key: string): Promise<void>;
  /** Bytes in all files together, at most a minute old. */
  size(): Promise<number>;
}

/** Keeps files in a folder of this machine. */
export function openFileStore(folder: string): FileStore {
  const root = resolve(folder);
  let known: { at: number; bytes: Promise<number> } | undefined;
  const locate = (key: string): string => {
    const path = resolve(root, key);
    if (!path.startsWith(root + sep)) throw new Error(`the key ${key} leads out of the file store`);
    return path;
  };
  return {
    placeOf: locate,
    async pathFor(key) {
      const path = locate(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    },
    list: async (name) =>
      named(
        name,
        (await entriesIn(locate(name))).filter((entry) => entry.isFile()),
      ),
    folders: async (name) =>
      named(
        name,
        (await entriesIn(locate(name))).filter((entry) => entry.isDirectory()),
      ),
    async remove(key) {
      await rm(locate(key), { force: true });
    },
    size() {
      if (!known || Date.now() - known.at > sizeKeptMs) {
        const fresh = { at: Date.now(), bytes: bytesIn(root) };
        known = fresh;
        // Report a failure once and do not keep it.
        fresh.bytes.catch(() => {
          if (known === fresh) known = undefined;
        });
      }
      return known.bytes;
    },
  };
}

const sizeKeptMs = 60_000;

const named = (folder: string, entries: Dirent[]): string[] => entries.map(({ name }) => `${folder}/${name}`);

async function entriesIn(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (!entry.isFile()) continue;
      // A file may disappear while we read the folder.
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
  } catch (error) {
    // Nothing has been stored yet.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return bytes;
}
