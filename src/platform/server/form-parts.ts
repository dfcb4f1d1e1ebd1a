import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';

/** How long a form may take to arrive, and the error for one that takes longer. */
export interface FormDeadline {
  milliseconds: number;
  late: () => AppError;
}

/**
 * The parts of a form with a file, in the order they come. A sender that goes away, one that is too
 * slow and a request that is not a form each get an error of their own, apart from faults of ours.
 * The file may have any size: the code that stores it counts.
 */
export async function* formParts(request: FastifyRequest, deadline: FormDeadline): AsyncGenerator<Multipart> {
  if (!/;\s*boundary=./i.test(request.headers['content-type'] ?? ''))
    throw new AppError('bad_request', 'The form does not say where its parts end (boundary).');
  const parts = request.parts({ limits: { fileSize: Number.POSITIVE_INFINITY } });
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  // A caller waiting for the next part gets this error here. A caller reading a file gets it from
  // the file.
  tooLate.catch(() => undefined);
  let current: Multipart | undefined;
  const timer = setTimeout(() => {
    const error = deadline.late();
    if (current?.type === 'file') current.file.destroy(error);
    reject(error);
  }, deadline.milliseconds);
  try {
    for (;;) {
      const { done, value } = await Promise.race([parts.next(), tooLate]);
      if (done) return;
      current = value;
      yield value;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code === 'FST_FILES_LIMIT') throw twoFiles();
    if (code.startsWith('FST_')) throw error;
    throw new AppError('upload_cut_off', 'The upload was cut off. Nothing was imported; please try again.', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    // Not awaited: the next part of a slow sender may never come.
    void parts.return?.(undefined)?.catch(() => undefined);
  }
}

const twoFiles = () =>
  new AppError(
    'invalid_input',
    'This form has more than one file. Nothing was imported; send one file at a time.',
    { fields: { file: 'Send one file at a time.' } },
  );
