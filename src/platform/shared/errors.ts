/**
 * Every way a call can fail, and its HTTP status. This is the product's only error map: verbs
 * throw `AppError` with a code and know nothing about HTTP. A feature may declare its own, more
 * exact code for one of these.
 */
export const errorStatus = {
  bad_request: 400,
  invalid_input: 400,
  upload_cut_off: 400,
  unauthenticated: 401,
  plan_limit: 402,
  forbidden: 403,
  two_factor_required: 403,
  csrf: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  already_exists: 409,
  workspace_changed: 409,
  changed_meanwhile: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  head_too_large: 431,
  internal: 500,
  insufficient_storage: 507,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Codes of features, each with the general code above that it refines. */
export type ParticularCodes = Readonly<Record<string, ErrorCode>>;

/** All codes with their status. A feature's code follows the general code it refines. */
export function allErrorCodes(particular: ParticularCodes): { code: string; status: number }[] {
  return Object.entries(errorStatus).flatMap(([code, status]) => [
    { code, status },
    ...Object.keys(particular)
      .filter((one) => particular[one] === code)
      .map((one) => ({ code: one, status })),
  ]);
}

/** The error for a stored code. A code that no longer exists becomes `internal`. */
export function errorOfCode(code: string, message: string, particular: ParticularCodes): AppError {
  if (Object.hasOwn(errorStatus, code)) return new AppError(code as ErrorCode, message);
  return new AppError(particular[code] ?? 'internal', message, { particular: code });
}

/**
 * A failure in words that a person can act on. `fields` maps an input's name to what is wrong with
 * it.
 */
export class AppError extends Error {
  /** The code that programs get: the feature's own code if it has one. */
  readonly code: string;
  /** The general code. */
  readonly kind: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** Seconds after which a retry may work. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: ErrorCode,
    message: string,
    options: {
      /** A feature's own code for this case. */
      particular?: string;
      fields?: Record<string, string>;
      retryAfter?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.code = options.particular ?? kind;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return errorStatus[this.kind];
  }
}

type ErrorOptions = Omit<NonNullable<ConstructorParameters<typeof AppError>[2]>, 'particular'>;

/** Creates errors with a feature's own codes and no others. */
export const errorsWith =
  <const Codes extends ParticularCodes>(codes: Codes) =>
  (particular: keyof Codes & string, message: string, options: ErrorOptions = {}): AppError =>
    new AppError(codes[particular] ?? 'internal', message, { ...options, particular });
