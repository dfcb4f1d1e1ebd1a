import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';

/** Files that belong to the product (uploads, receipts), each under a key such as `imports/3/12.csv`. */
export interface FileStore {
  /** Where the file of this key is; its folder is made if it is missing. */
  pathFor(key: string): Promise<string>;
  /** The keys of the files directly in a folder, such as `imports/3`; none when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Removes the file if it is there. */
  remove(key: string): Promise<void>;
}

/** Keeps files in a folder of this machine. */
export function openFileStore(folder: string): FileStore {
  const root = resolve(folder);
  const locate = (key: string): string => {
    const path = resolve(root, key);
    if (!path.startsWith(root + sep)) throw new Error(`the key ${key} leads out of the file store`);
    return path;
  };
  return {
    async pathFor(key) {
      const path = locate(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return path;
    },
    async list(name) {
      try {
        const entries = await readdir(locate(name), { withFileTypes: true });
        return entries.filter((entry) => entry.isFile()).map((entry) => `${name}/${entry.name}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    async remove(key) {
      await rm(locate(key), { force: true });
    },
  };
}
