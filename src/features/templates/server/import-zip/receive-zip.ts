import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { FileStore } from '#platform/server/files.ts';
import { formParts } from '#platform/server/form-parts.ts';
import { storeUpload, type UploadLimit } from '#platform/server/store-upload.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostZipMegabytes } from '../../contract/import-html.ts';
import { refusal } from './zip-failures.ts';

const undone = 'Nothing was imported';
const megabyte = 1_048_576;
/** Room for the boundaries of the form. */
const formOverhead = 200_000;

const limit: UploadLimit = {
  bytes: mostZipMegabytes * megabyte,
  undone,
  tooLarge() {
    const message = `The zip is larger than the ${mostZipMegabytes} MB allowed. Leave out what the email does not need.`;
    return new AppError('too_large', message, { fields: { file: message } });
  },
};

const formLimits = {
  fields: [],
  // All of it over a slow line.
  milliseconds: 300_000,
  late: () =>
    new AppError('timeout', `The zip took longer to arrive than five minutes. ${undone}; please try again.`),
  undone,
};

const folderOf = (workspaceId: number): string => `templates/${workspaceId}`;

/** Lets `use` read the zip of a form, which is on the disk for as long. */
export async function withZip<T>(
  files: FileStore,
  request: FastifyRequest,
  workspaceId: number,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart())
    throw new AppError(
      'unsupported_media_type',
      'Send the zip as multipart/form-data, in a part called “file”.',
    );
  if (Number(request.headers['content-length'] ?? 0) > limit.bytes + formOverhead) {
    // What comes is read and thrown away, so that the answer reaches the sender.
    request.raw.resume();
    throw limit.tooLarge();
  }
  const key = `${folderOf(workspaceId)}/arriving-${randomUUID()}`;
  let size = 0;
  try {
    for await (const part of formParts(request, formLimits))
      if (part.type === 'file') size = await storeUpload(part.file, await files.pathFor(key), limit);
    if (size === 0) throw refusal('Choose a zip with HTML and its images.');
    return await use(files.placeOf(key));
  } finally {
    await files.remove(key);
  }
}

/** A zip is read within minutes. What is older was left by a process that has ended. */
const oldMs = 86_400_000;

/** Removes zips that were arriving when a process ended. */
export async function removeArriving(files: FileStore, workspaceId: number): Promise<void> {
  for (const key of await files.list(folderOf(workspaceId))) {
    const { mtimeMs } = await stat(files.placeOf(key)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > oldMs) await files.remove(key);
  }
}
