import { accountOf, limitAttempts } from '#features/sign-in/server/index.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { AccountParts } from './account.ts';

/**
 * Sets up the second factor and turns it off. The sign-in feature keeps the factor itself, and
 * writes the audit log.
 */

type Parts = Pick<AccountParts, 'db' | 'signIn'>;
type SecondFactor = AccountParts['signIn']['secondFactor'];
type Exchange = Parameters<SecondFactor['confirm']>[0];

/** The password has been checked. */
export async function beginTwoFactor(
  { db, signIn }: Parts,
  exchange: Exchange,
  userId: number,
  password: string,
): ReturnType<SecondFactor['begin']> {
  if ((await accountOf(db.system, userId)).twoFactorOn)
    throw new AppError('conflict', 'Two-factor sign-in is on already. Turn it off to set it up anew.');
  return signIn.secondFactor.begin(exchange, password);
}

export async function turnOn(
  { db, signIn }: Parts,
  exchange: Exchange,
  userId: number,
  code: string,
): Promise<void> {
  await limitAttempts(db.system, { kind: 'two-factor', who: String(userId), most: 10, windowMs: 60_000 });
  const account = await accountOf(db.system, userId);
  if (account.twoFactorOn) throw new AppError('conflict', 'Two-factor sign-in is on already.');
  await signIn.secondFactor.confirm(exchange, account, code);
}

export async function turnOff(
  { db, signIn }: Parts,
  exchange: Exchange,
  userId: number,
  password: string,
): Promise<void> {
  const account = await accountOf(db.system, userId);
  if (!account.twoFactorOn) throw new AppError('conflict', 'Two-factor sign-in is off already.');
  await signIn.secondFactor.stop(exchange, account, password);
}

export async function renewCodes(
  { db, signIn }: Parts,
  exchange: Exchange,
  userId: number,
  password: string,
): Promise<string[]> {
  const account = await accountOf(db.system, userId);
  if (!account.twoFactorOn) throw new AppError('conflict', 'Two-factor sign-in is off.');
  return signIn.secondFactor.renewCodes(exchange, account, password);
}
