import type { ErrorBody } from '#platform/shared/contract.ts';
import { AppError, errorStatus } from '#platform/shared/errors.ts';
import { isLost, isUnavailable, sqlState } from './database.ts';

/**
 * Turns whatever was thrown into the error that the caller sees. Errors of the database and the
 * framework get our own words.
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    return new AppError(
      'unavailable',
      isLost(error)
        ? 'The connection to the database was lost on the way. It may have been done all the same: look before you try again.'
        : 'The database is not reachable just now. Nothing was changed; try again in a moment.',
      { cause: error },
    );
  }
  const state = sqlState(error);
  // lock_not_available. Waits elsewhere say what they waited for, see `locks.ts`.
  if (state === '55P03') {
    return new AppError(
      'conflict',
      'Somebody else is changing the same data at this moment. Try again in a moment.',
      { cause: error, retryAfter: 1 },
    );
  }
  const code = (error as { code?: unknown } | null)?.code;
  if (state === '53100' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError(
      'insufficient_storage',
      'The disk is full. Nothing was changed; free some space and try again.',
      {
        cause: error,
      },
    );
  }
  // The caller sent text that PostgreSQL cannot hold (NUL, a lone surrogate).
  if (state === '22021' || state === '22P05' || isHalfOfPair(state, error)) {
    return new AppError('invalid_input', 'The text holds characters that cannot be stored.', {
      cause: error,
    });
  }
  const status = (error as { statusCode?: number }).statusCode;
  if (status && status >= 400 && status < 500) return fromFrameworkStatus(status, error);
  return new AppError('internal', 'Something went wrong on the server. Nothing was lost; please try again.', {
    cause: error,
  });
}

/** Half of a surrogate pair is refused like malformed JSON. Only the detail tells which. */
const isHalfOfPair = (state: string | undefined, error: unknown): boolean =>
  state === '22P02' && /surrogate/.test((error as { detail?: string }).detail ?? '');

/** What callers see of an error. */
export const errorBody = ({ message, code, fields }: AppError): ErrorBody => ({
  message,
  code,
  ...(fields ? { fields } : {}),
});

function fromFrameworkStatus(status: number, cause: unknown): AppError {
  if (status === errorStatus.too_large)
    return new AppError('too_large', 'That is larger than this call takes.', { cause });
  if (status === errorStatus.unsupported_media_type) {
    return new AppError('unsupported_media_type', 'This call takes JSON.', { cause });
  }
  if (status === errorStatus.rate_limited) {
    return new AppError(
      'rate_limited',
      (cause as Error).message || 'Too many calls. Wait a moment and try again.',
      { cause },
    );
  }
  if (status === errorStatus.not_found)
    return new AppError('not_found', 'There is nothing at this address.', { cause });
  // The framework's own message repeats the address, however long.
  if (status === 414) return new AppError('bad_request', 'The address of this call is too long.', { cause });
  return new AppError('bad_request', (cause as Error).message || 'The request was not understood.', {
    cause,
  });
}
