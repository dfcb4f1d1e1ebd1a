import { dirname } from 'node:path/posix';
import type { FileStore } from '#platform/server/files.ts';

/** Removes the file of an import, and what stands beside it. */
export const removeImportFile = (files: FileStore, key: string): Promise<void> =>
  removeImportFiles(files, [key]);

/**
 * Removes files of imports, and the rows of their sheets that an engine may have put beside them:
 * `imports/3/12.csv` and `imports/3/12.csv.…`. A folder may hold thousands of files, so each is
 * listed once.
 */
export async function removeImportFiles(files: FileStore, keys: readonly string[]): Promise<void> {
  const gone = new Set(keys);
  for (const folder of new Set(keys.map(dirname))) {
    for (const one of await files.list(folder)) {
      if (namesBefore(one).some((name) => gone.has(name))) await files.remove(one);
    }
  }
  for (const key of gone) await files.remove(key);
}

/** What a key begins with, up to each of its dots: `3/12.csv.rows` stands beside `3/12.csv`. */
const namesBefore = (key: string): string[] => {
  const parts = key.split('.');
  return parts.slice(1).map((_, place) => parts.slice(0, place + 1).join('.'));
};
