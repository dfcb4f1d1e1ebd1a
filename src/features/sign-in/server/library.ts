import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '#platform/shared/errors.ts';
import { TooManyAttempts } from './attempts.ts';

/** The server sets this header on the way in, over whatever the caller sent. */
export const clientAddressHeader = 'x-client-address';

/** The request and reply behind a call to the sign-in library. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const cookieOf = ({ request }: Exchange): string => request.headers.cookie ?? '';

/** What the library needs to know about the call: its cookies, whose browser, from where. */
export function headersOf(request: FastifyRequest, cookie: string): Headers {
  return new Headers({
    cookie,
    // Foreign origins were already refused. The library still insists on the header.
    origin: `${request.protocol}://${request.host}`,
    'user-agent': request.headers['user-agent'] ?? '',
    [clientAddressHeader]: request.ip,
  });
}

/** Passes on the cookies that the library sets, and throws its refusals in this product's words. */
export async function unpack<T>(reply: FastifyReply, response: Response): Promise<T> {
  passCookies(reply, response);
  const text = await response.text();
  if (response.status >= 400) throw asProductError(response.status, text);
  return JSON.parse(text) as T;
}

export function passCookies(reply: FastifyReply, response: Response): void {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
}

interface Known {
  code: ErrorCode;
  message: string;
  field?: string;
}

const signIn: Known = { code: 'unauthenticated', message: 'Please sign in.' };
const foreign: Known = { code: 'csrf', message: 'This call came from another site and was refused.' };

/** The sign-in library's codes that a person meets, in this product's words. */
const known: Record<string, Known> = {
  INVALID_EMAIL_OR_PASSWORD: { code: 'unauthenticated', message: 'The email or the password is not right.' },
  INVALID_EMAIL: { code: 'invalid_input', message: 'Please enter a valid email address.', field: 'email' },
  INVALID_PASSWORD: {
    code: 'invalid_input',
    message: 'The current password is not right.',
    field: 'currentPassword',
  },
  USER_ALREADY_EXISTS: {
    code: 'already_exists',
    message: 'There is an account with this email already. Please sign in instead.',
    field: 'email',
  },
  // Also when somebody else takes the address at the same moment.
  FAILED_TO_CREATE_USER: {
    code: 'conflict',
    message: 'The account could not be made. If you have one with this email already, please sign in.',
  },
  INVALID_CODE: {
    code: 'invalid_input',
    message: 'That code is not right. It changes every 30 seconds; enter the one shown now.',
    field: 'code',
  },
  INVALID_BACKUP_CODE: {
    code: 'invalid_input',
    message: 'That recovery code is not right, or has been used.',
    field: 'code',
  },
  TOTP_NOT_ENABLED: { code: 'conflict', message: 'Two-factor sign-in is not set up. Begin again.' },
  INVALID_TWO_FACTOR_COOKIE: {
    code: 'gone',
    message: 'That took too long, or too many tries. Please sign in again with your password.',
  },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    code: 'gone',
    message: 'Too many tries. Please sign in again with your password.',
  },
  INVALID_ORIGIN: foreign,
  MISSING_OR_NULL_ORIGIN: foreign,
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: foreign,
  UNAUTHORIZED: signIn,
  SESSION_EXPIRED: signIn,
  SESSION_NOT_FRESH: {
    code: 'forbidden',
    message: 'This needs a fresh sign-in. Please sign out, sign in and try again.',
  },
};
const sameAs: Record<string, string> = {
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'USER_ALREADY_EXISTS',
};

const byStatus: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'invalid_input',
};

/**
 * Turns an answer of the sign-in library with a status of 400 or more into this product's one error
 * shape.
 */
export function asProductError(status: number, text: string): AppError {
  if (text.includes('ACCOUNT_TEMPORARILY_LOCKED')) return new TooManyAttempts(15 * 60);
  if (status >= 500) {
    return new AppError(
      'internal',
      'Something went wrong on the server. Nothing was lost; please try again.',
    );
  }
  const { code, message } = readBody(text);
  const entry = known[sameAs[code] ?? code];
  if (entry) {
    return new AppError(
      entry.code,
      entry.message,
      entry.field ? { fields: { [entry.field]: entry.message } } : {},
    );
  }
  if (code === 'VALIDATION_ERROR') return inputError(message);
  if (status === 404 && !message) return new AppError('not_found', 'There is nothing at this address.');
  if (status === 401) return new AppError('unauthenticated', message || signIn.message);
  return new AppError(byStatus[status] ?? 'bad_request', message || 'The request was not understood.');
}

function readBody(text: string): { code: string; message: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) {
      const { code, message } = body as { code?: unknown; message?: unknown };
      return {
        code: typeof code === 'string' ? code : '',
        message: typeof message === 'string' ? message : '',
      };
    }
  } catch {
    // Some answers have no body, or plain text.
  }
  return { code: '', message: '' };
}

/** `[body.email] Invalid input: expected string` names the input in its first word. */
function inputError(message: string): AppError {
  const [, field, problem] = /^\[(?:body|query)\.([^\]]+)\] ([^;]+)/.exec(message) ?? [];
  if (!field || !problem) return new AppError('invalid_input', message);
  return new AppError('invalid_input', `${field}: ${problem}`, { fields: { [field]: problem } });
}
