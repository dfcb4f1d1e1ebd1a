/**
 * Every way a call can fail, and the HTTP status each becomes. This is the one error map of the
 * product: services throw `AppError` with a code and never speak of HTTP. A feature may say more
 * exactly what one of these is by a code of its own, which it declares.
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

/** Codes of features, each with the one above that it says more exactly. */
export type ParticularCodes = Readonly<Record<string, ErrorCode>>;

/** All codes with their status: a feature's after the one that it is a case of. */
export function allErrorCodes(particular: ParticularCodes): { code: string; status: number }[] {
  return Object.entries(errorStatus).flatMap(([code, status]) => [
    { code, status },
    ...Object.keys(particular)
      .filter((one) => particular[one] === code)
      .map((one) => ({ code: one, status })),
  ]);
}

/** The error that a stored code was of. A code that is not known any more is `internal`. */
export function errorOfCode(code: string, message: string, particular: ParticularCodes): AppError {
  if (Object.hasOwn(errorStatus, code)) return new AppError(code as ErrorCode, message);
  return new AppError(particular[code] ?? 'internal', message, { particular: code });
}

/**
 * A failure with words a person can act on. `fields` maps an input's name to what is wrong with it.
 */
export class AppError extends Error {
  /** What programs are told: the feature's own code where it has one. */
  readonly code: string;
  /** What it is in general. */
  readonly kind: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** After how many seconds trying again may work. */
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

/** Makes errors of a feature's own codes, and of no others. */
export const errorsWith =
  <const Codes extends ParticularCodes>(codes: Codes) =>
  (particular: keyof Codes & string, message: string, options: ErrorOptions = {}): AppError =>
    new AppError(codes[particular] ?? 'internal', message, { ...options, particular });
