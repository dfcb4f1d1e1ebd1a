import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '#platform/shared/errors.ts';
import type { Db } from './queries.ts';
import { lockUser, selectPasswordHash } from './user-queries.ts';

/**
 * Whoever sets a new password ends what began with the old one, as far as it is there. A call that
 * has checked the old one already, and begins its session a moment later, ends itself.
 */
interface Check {
  /** The hash that counts for this call; null: there is no password. Undefined: not known yet. */
  hash: string | null | undefined;
  /** How the call is refused. */
  code: 'unauthenticated' | 'gone';
}

const running = new AsyncLocalStorage<Check>();

/** Runs a call that may begin sessions. */
export const holdingTo = <T>(check: Check, work: () => Promise<T>): Promise<T> => running.run(check, work);

/** Notes which hash the password of the running call was right for. */
export function noteHash(hash: string): void {
  const check = running.getStore();
  if (check) check.hash = hash;
}

/**
 * Why the running call may not keep what it has begun for this user: they have another password
 * meanwhile. Null when it may. The user stays locked until the transaction ends, so whoever sets a
 * password at this moment ends it afterwards.
 */
export async function outdated(tx: Db, userId: number): Promise<AppError | null> {
  const check = running.getStore();
  if (check?.hash === undefined) return null;
  await lockUser(tx, userId);
  if ((await selectPasswordHash(tx, userId)) === check.hash) return null;
  return new AppError(check.code, 'The password was changed a moment ago. Please sign in again.');
}
