import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStore } from '#platform/server/files.ts';
import type { ImageAddress } from '../rules/address.ts';

/** The folder with one folder for each workspace. */
export const allImages = 'images';

/** Where a workspace's images stand. */
export const folderOf = (workspaceId: number): string => `${allImages}/${workspaceId}`;

export const keyOf = ({ workspaceId, token, format }: ImageAddress): string =>
  `${folderOf(workspaceId)}/${token}.${format}`;

/** An image that is about to be sent. Its stream has to be read or destroyed. */
export interface OpenImage {
  /** Bytes. */
  size: number;
  stream: Readable;
}

/** Where images are kept: on this machine, or in a store that several machines share. */
export interface ImageFiles {
  /** Writes a file that is there whole or not at all, before the row that names it is committed. */
  write(key: string, bytes: Buffer): Promise<void>;
  /** Null: there is no such image. */
  read(key: string): Promise<OpenImage | null>;
  /** Removes the file if it is there. */
  remove(key: string): Promise<void>;
  /** The files of a workspace, with the time each was written, in milliseconds since 1970. */
  list(folder: string): Promise<{ key: string; writtenAt: number }[]>;
  /** The folders of workspaces that have files. */
  folders(): Promise<string[]>;
}

/** Images in a folder of this machine. */
export function imagesOnDisk(files: FileStore): ImageFiles {
  return {
    write: (key, bytes) => writeWhole(files, key, bytes),
    async read(key) {
      const handle = await open(files.placeOf(key)).catch(nothingThere);
      if (!handle) return null;
      return { size: (await handle.stat()).size, stream: handle.createReadStream() };
    },
    remove: (key) => files.remove(key),
    async list(folder) {
      const found: { key: string; writtenAt: number }[] = [];
      for (const key of await files.list(folder)) {
        const file = await stat(files.placeOf(key)).catch(nothingThere);
        if (file) found.push({ key, writtenAt: file.mtimeMs });
      }
      return found;
    },
    folders: () => files.folders(allImages),
  };
}

function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** The file is there after a crash of the process or the machine, too. */
async function writeWhole(files: FileStore, key: string, bytes: Buffer): Promise<void> {
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
