import { createHash } from 'node:crypto';
import { TooManyAttempts } from './library-errors.ts';
import { countAttempt, type Db } from './queries.ts';

export interface AttemptLimit {
  /** What is counted: 'sign-in', 'invite'. */
  kind: string;
  /** Of whom or about whom. Hashed, because what somebody types into an email box may be their password. */
  who: string;
  most: number;
  windowMs: number;
}

/** Counts an attempt, whatever will come of it, and throws `TooManyAttempts` when there were more than `most`. */
export async function limitAttempts(db: Db, { kind, who, most, windowMs }: AttemptLimit): Promise<void> {
  const now = Date.now();
  const key = `${kind}:${createHash('sha256').update(who).digest('base64url')}`;
  const { count, since } = await countAttempt(db, key, now, windowMs);
  if (count > most) throw new TooManyAttempts((since + windowMs - now) / 1000);
}
