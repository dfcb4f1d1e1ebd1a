/**
 * Every way a call can fail, and the HTTP status each becomes. This is the one error map of the product:
 * services throw `AppError` with a code and never speak of HTTP.
 */
export const errorStatus = {
  bad_request: 400,
  invalid_input: 400,
  not_csv: 400,
  empty_file: 400,
  no_email_column: 400,
  upload_cut_off: 400,
  unauthenticated: 401,
  plan_limit: 402,
  forbidden: 403,
  two_factor_required: 403,
  csrf: 403,
  not_found: 404,
  conflict: 409,
  already_exists: 409,
  workspace_changed: 409,
  changed_meanwhile: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  insufficient_storage: 507,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** A failure with words a person can act on. `fields` maps an input's name to what is wrong with it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** After how many seconds trying again may work. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { fields?: Record<string, string>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
