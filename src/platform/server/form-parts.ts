import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';

/** How long a form may take to arrive, and what is said of one that takes longer. */
export interface FormDeadline {
  milliseconds: number;
  late: () => AppError;
}

/**
 * The parts of a form with a file, in the order in which they come. A sender that goes away in the
 * middle, one that is too slow, and a form that is none, are told apart from a fault of ours. The
 * file may be of any size: whoever stores it counts.
 */
export async function* formParts(request: FastifyRequest, deadline: FormDeadline): AsyncGenerator<Multipart> {
  if (!/;\s*boundary=./i.test(request.headers['content-type'] ?? ''))
    throw new AppError('bad_request', 'The form does not say where its parts end (boundary).');
  const parts = request.parts({ limits: { fileSize: Number.POSITIVE_INFINITY } });
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  // Whoever waits for the next part hears of it here; whoever reads a file, from the file.
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
    if (code.startsWith('FST_')) throw error;
    throw new AppError('upload_cut_off', 'The upload was cut off. Nothing was imported; please try again.', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    // Not awaited: of a sender that is too slow the next part may never come.
    void parts.return?.(undefined)?.catch(() => undefined);
  }
}
