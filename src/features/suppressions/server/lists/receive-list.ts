import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { FileStore } from '#platform/server/files.ts';
import { fileNameOf, formParts } from '#platform/server/form-parts.ts';
import { storeUpload, upTo } from '#platform/server/store-upload.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
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
const fields = ['reason', 'form'];

/**
 * Reads the form; `reason` and `form` come before the file. Once it is known that there is a file,
 * `begin` makes the record and returns where to store it. The whole form may take `seconds` to
 * arrive.
 */
export async function receiveList(
  request: FastifyRequest,
  files: FileStore,
  { seconds, advice }: { seconds: number; advice: string },
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
      `The list took longer to arrive than the ${formatCount(seconds, 'second')} allowed. Nothing was imported; ${advice}.`,
    );
  let received: { id: number; key: string; size: number; fileName: string } | null = null;
  try {
    for await (const part of formParts(request, { fields, milliseconds: seconds * 1000, late })) {
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
  const fileName = fileNameOf(part, 'list.csv');
  const { id, key } = await begin({ fileName, ...choice }).catch((error: unknown) => {
    // The rest is read and thrown away, so that the answer reaches a client that is still sending.
    part.file.resume();
    throw error;
  });
  try {
    const size = await storeUpload(part.file, await files.pathFor(key), upTo(longestListMegabytes));
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
