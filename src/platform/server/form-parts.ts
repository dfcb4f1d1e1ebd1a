import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';
import { nothingImported } from './store-upload.ts';

/**
 * What a form may hold, how long it may take to arrive, and the error for one that takes longer.
 */
export interface FormLimits {
  /** Its fields besides the file, which is in a part called `file`. */
  fields: readonly string[];
  milliseconds: number;
  late: () => AppError;
  /** What a failed upload has left undone, in a sentence's words. Absent: nothing was imported. */
  undone?: string;
}

/** The longest field, in bytes. */
export const longestField = 65_536;

/**
 * The parts of a form with a file, in the order they come. A sender that goes away, one that is too
 * slow, a part that nobody would read and a request that is not a form each get an error of their
 * own. The file may have any size: the code that stores it counts.
 */
export async function* formParts(request: FastifyRequest, limits: FormLimits): AsyncGenerator<Multipart> {
  if (!/;\s*boundary=./i.test(request.headers['content-type'] ?? ''))
    throw new AppError('bad_request', 'The form does not say where its parts end (boundary).');
  const parts = request.parts({ limits: { fileSize: Number.POSITIVE_INFINITY } });
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  // A caller waiting for the next part gets this error here. A caller reading a file gets it from
  // the file.
  tooLate.catch(() => undefined);
  let current: Multipart | undefined;
  const timer = setTimeout(() => {
    const error = limits.late();
    if (current?.type === 'file') current.file.destroy(error);
    reject(error);
  }, limits.milliseconds);
  try {
    for (;;) {
      const { done, value } = await Promise.race([parts.next(), tooLate]);
      if (done) return;
      refuseUnread(value, limits.fields);
      current = value;
      yield value;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = (error as { code?: string }).code ?? '';
    const { undone = nothingImported } = limits;
    if (code === 'FST_FILES_LIMIT') throw twoFiles(undone);
    if (code.startsWith('FST_')) throw error;
    throw new AppError('upload_cut_off', `The upload was cut off. ${undone}; please try again.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    // Not awaited: the next part of a slow sender may never come.
    void parts.return?.(undefined)?.catch(() => undefined);
  }
}

const twoFiles = (undone: string) =>
  new AppError('invalid_input', `This form has more than one file. ${undone}; send one file at a time.`, {
    fields: { file: 'Send one file at a time.' },
  });

/** Nobody would read them, and the form would do something else than its sender means. */
function refuseUnread(part: Multipart, fields: readonly string[]): void {
  const { type, fieldname } = part;
  const refuse = (message: string) => {
    if (part.type === 'file') part.file.resume();
    throw new AppError('invalid_input', message, { fields: { [fieldname]: message } });
  };
  if (type === 'file' && fieldname !== 'file')
    refuse(`Send the file in a part called “file”, not “${fieldname}”.`);
  if (type === 'file') return;
  if (fieldname === 'file') refuse('The part called “file” is no file: it has no file name.');
  if (!fields.includes(fieldname))
    refuse(`This form takes ${[...fields, 'file'].join(', ')}, and not “${fieldname}”.`);
  if (part.valueTruncated) refuse(`${fieldname}: this is longer than ${longestField / 1024} kB.`);
}

const longestFileName = 255;

/** A file's name as its sender gave it, without folders: some senders give a whole path. */
export function fileNameOf({ filename }: { filename?: string | undefined }, otherwise: string): string {
  const name = (filename ?? '').split(/[\\/]/).at(-1) ?? '';
  // Control characters cannot be shown, and PostgreSQL cannot hold NUL.
  const plain = name.replace(/[\u0000-\u001f\u007f]/g, '').toWellFormed();
  // Not within a character that takes two units, such as an emoji.
  return plain.slice(-longestFileName).replace(/^[\udc00-\udfff]/, '') || otherwise;
}
