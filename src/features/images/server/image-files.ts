import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileStore } from '#platform/server/files.ts';
import type { ImageAddress } from '../rules/address.ts';

/** Where a workspace's images stand in the file store. */
export const folderOf = (workspaceId: number): string => `images/${workspaceId}`;

export const keyOf = ({ workspaceId, token, format }: ImageAddress): string =>
  `${folderOf(workspaceId)}/${token}.${format}`;

/**
 * Writes a file that is there whole or not at all, whatever happens to the process or the machine,
 * before the row that names it is committed.
 */
export async function writeImage(files: FileStore, key: string, bytes: Buffer): Promise<void> {
  const path = await files.pathFor(key);
  const draft = `${path}.part`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await files.remove(`${key}.part`);
    await files.remove(key);
    throw error;
  }
}

/** Without it, a power cut could take the new name back. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
