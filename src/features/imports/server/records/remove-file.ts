import { dirname } from 'node:path/posix';
import type { FileStore } from '#platform/server/files.ts';

/**
 * Removes the file of an import, and the rows of its sheet that an engine may have put beside it.
 */
export async function removeImportFile(files: FileStore, key: string): Promise<void> {
  const beside = (await files.list(dirname(key))).filter((one) => one.startsWith(`${key}.`));
  for (const one of [...beside, key]) await files.remove(one);
}
