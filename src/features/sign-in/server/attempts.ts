import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '#platform/server/network.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mailsTo, type UnaskedMail } from '../rules.ts';
import { countAttempt, type Db } from './queries.ts';

/** There were too many attempts; `retryAfter` is in seconds. */
export class TooManyAttempts extends AppError {
  constructor(retryAfter: number) {
    const seconds = Math.max(1, Math.ceil(retryAfter));
    super('rate_limited', `Too many attempts. Please wait ${waitWords(seconds)} and try again.`, {
      retryAfter: seconds,
    });
  }
}

const waitWords = (seconds: number): string =>
  seconds === 1 ? 'a second' : seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

export interface AttemptLimit {
  /** What to count: 'sign-in', 'invite'. */
  kind: string;
  /**
   * Who is counted, or about whom. Hashed, because people may type their password into an email
   * box.
   */
  who: string;
  most: number;
  windowMs: number;
}

/**
 * Counts an attempt, whether or not it succeeds. Throws `TooManyAttempts` when there were more than
 * `most`.
 */
export async function limitAttempts(db: Db, { kind, who, most, windowMs }: AttemptLimit): Promise<void> {
  const now = Date.now();
  const key = `${kind}:${createHash('sha256').update(who).digest('base64url')}`;
  const { count, since } = await countAttempt(db, key, now, windowMs);
  if (count > most) throw new TooManyAttempts((since + windowMs - now) / 1000);
}

const hour = 3_600_000;

/**
 * Counts a mail about an account, both by the network address that causes it and by its recipient.
 */
export async function limitMails(
  db: Db,
  request: FastifyRequest,
  { kind, email, mostFromOne }: { kind: UnaskedMail; email: string; mostFromOne: number },
): Promise<void> {
  await limitAttempts(db, {
    kind: 'mail-from',
    who: networkOf(request.ip),
    most: mostFromOne,
    windowMs: hour,
  });
  await limitAttempts(db, mailsTo(kind, email));
}
