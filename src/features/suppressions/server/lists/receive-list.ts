import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { asAppError } from '#platform/server/error-map.ts';
import type { FileStore } from '#platform/server/files.ts';
import { formParts } from '#platform/server/form-parts.ts';
import { AppError } from '#platform/shared/errors.ts';
import { listForms, listReasons } from '../../contract.ts';

/** A list that was sent: what its form said, and where it is now. */
export interface ReceivedList {
  fileName: string;
  reason: string;
  form: string;
  size: number;
}

/** Five million SHA-256 hashes are 330 MB. */
const longestListMegabytes = 1024;
const bytesPerMegabyte = 1_048_576;

/**
 * Reads the form; `reason` and `form` come before the file. Once it is known that there is a file,
 * `begin` makes the record and returns where to store it. The whole form may take `seconds` to
 * arrive.
 */
export async function receiveList(
  request: FastifyRequest,
  files: FileStore,
  seconds: number,
  begin: (list: Omit<ReceivedList, 'size'>) => Promise<{ id: number; key: string }>,
): Promise<{ id: number; key: string; size: number; fileName: string }> {
  if (!request.isMultipart()) {
    throw new AppError(
      'unsupported_media_type',
      'Send the list as multipart/form-data, in a part called “file”.',
    );
  }
  let reason = 'imported';
  let form = 'auto';
  const late = () =>
    new AppError(
      'timeout',
      `The list took longer to arrive than the ${seconds} seconds allowed. Nothing was imported; allow more time in Settings or split the list.`,
    );
  let received: { id: number; key: string; size: number; fileName: string } | null = null;
  try {
    for await (const part of formParts(request, { milliseconds: seconds * 1000, late })) {
      if (part.type === 'file') received = await takeFile(part, files, { reason, form }, begin);
      else {
        if (received) refuseLate(part.fieldname);
        const value = String(part.value);
        if (part.fieldname === 'reason') reason = oneOf(listReasons, value, 'reason');
        if (part.fieldname === 'form') form = oneOf(listForms, value, 'form');
      }
    }
  } catch (error) {
    if (received) await files.remove(received.key);
    throw error;
  }
  if (received) return received;
  throw new AppError('invalid_input', 'Choose a file.', { fields: { file: 'Choose a file.' } });
}

async function takeFile(
  part: MultipartFile,
  files: FileStore,
  choice: { reason: string; form: string },
  begin: (list: Omit<ReceivedList, 'size'>) => Promise<{ id: number; key: string }>,
) {
  const fileName = nameOf(part.filename);
  const { id, key } = await begin({ fileName, ...choice }).catch((error: unknown) => {
    // The rest is read and thrown away, so that the answer reaches a client that is still sending.
    part.file.resume();
    throw error;
  });
  try {
    const size = await store(part.file, await files.pathFor(key));
    return { id, key, size, fileName };
  } catch (error) {
    await files.remove(key);
    throw error;
  }
}

/** The record has been made with what came before the file. */
function refuseLate(field: string): void {
  if (field !== 'reason' && field !== 'form') return;
  const message = `${field}: send it before the file.`;
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

function oneOf(words: readonly string[], value: string, field: string): string {
  if (words.includes(value)) return value;
  const message = `${field}: one of ${words.join(', ')}.`;
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

/** Only the last part of the name: some senders give a whole path. */
const nameOf = (name: string | undefined): string =>
  (name ?? '')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/[\u0000-\u001f\u007f]/g, '')
    .toWellFormed()
    .slice(-255) || 'list.csv';

/** Stores the whole file on disk and returns its size in bytes. */
async function store(source: Readable, path: string): Promise<number> {
  let size = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size <= longestListMegabytes * bytesPerMegabyte) return done(null, chunk);
      done(
        new AppError(
          'too_large',
          `The list is larger than ${longestListMegabytes} MB. Split it and import the parts.`,
        ),
      );
    },
  });
  try {
    await pipeline(source, counting, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (error instanceof AppError) throw error;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new AppError(
        'insufficient_storage',
        'The disk is full. Nothing was imported; free some space and try again.',
      );
    }
    if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
      throw new AppError('upload_cut_off', 'The upload was cut off. Nothing was imported; please try again.');
    }
    throw asAppError(error);
  }
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  return size;
}
