import { AppError } from '#platform/shared/errors.ts';
import { isSuspended } from './administration-queries.ts';
import type { Db } from './queries.ts';

/** Told only to who has given the right password. */
export async function refuseSuspended(db: Db, userId: number): Promise<void> {
  if (!(await isSuspended(db, userId))) return;
  throw new AppError(
    'forbidden',
    'This account is suspended. Please ask the administrator of this installation why, and whether it can be opened again.',
  );
}
