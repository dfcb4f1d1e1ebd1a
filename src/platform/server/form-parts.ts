import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';

/**
 * The parts of a form with a file, in the order in which they come. A sender that goes away in the middle, and a form that is
 * none, are told apart from a fault of ours. The file may be of any size: whoever stores it counts.
 */
export async function* formParts(request: FastifyRequest): AsyncGenerator<Multipart> {
  if (!/;\s*boundary=./i.test(request.headers['content-type'] ?? ''))
    throw new AppError('bad_request', 'The form does not say where its parts end (boundary).');
  try {
    yield* request.parts({ limits: { fileSize: Number.POSITIVE_INFINITY } });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code.startsWith('FST_')) throw error;
    throw new AppError('upload_cut_off', 'The upload was cut off. Nothing was imported; please try again.', {
      cause: error,
    });
  }
}
