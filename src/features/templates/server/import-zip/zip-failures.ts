import { AppError } from '#platform/shared/errors.ts';

/** Why a zip is refused, for the person who chose it. Nothing is stored then. */
export const refusal = (message: string, cause?: unknown): AppError =>
  new AppError('invalid_input', message, { fields: { file: message }, cause });

export const damaged = (cause?: unknown): AppError =>
  refusal('This zip is damaged and cannot be read. Export it again.', cause);

/** Whether the file system failed, which is no fault of the zip. */
const isSystem = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';

/** What went wrong while a zip was read: with the disk, with its names, or with the rest of it. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof AppError || isSystem(error)) return error;
  const words = error instanceof Error ? error.message : '';
  if (/invalid relative path|absolute path|invalid characters in fileName/.test(words))
    return refusal('This zip holds names that lead out of it. Export it again with another program.', error);
  return damaged(error);
}
