import { hkdfSync } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Config } from '#platform/server/config.ts';
import type { Db } from '../queries.ts';
import { type FactorRow, replaceFactor, selectFactorOf, selectFactors } from './factor-queries.ts';

/**
 * The library encrypts secrets of authenticators and recovery codes with the key that it has, and
 * knows no earlier one. What is here encrypts them again when SECRET_KEY has changed.
 */

/**
 * The key of cookies and one-time proofs. It is separate, so that nothing else signed with
 * SECRET_KEY passes for one.
 */
export function signInKey(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'email-manager sign-in', 32)).toString('base64url');
}

/** The key of today, and then those of earlier values of SECRET_KEY. */
export type SignInKeys = readonly [string, ...string[]];

export const signInKeys = ({
  secretKey,
  previousSecretKeys,
}: Pick<Config, 'secretKey' | 'previousSecretKeys'>): SignInKeys => [
  signInKey(secretKey),
  ...previousSecretKeys.map(signInKey),
];

/**
 * Encrypts a user's second factor with the key of today. Whoever uses it has signed in since the
 * change, because sessions end with it, so calling this at each sign-in is enough.
 */
export async function renewFactorOf(db: Db, keys: SignInKeys, userId: number): Promise<void> {
  if (keys.length === 1) return;
  const row = await selectFactorOf(db, userId);
  if (row) await renew(db, keys, row);
}

const pieceSize = 500;

/**
 * The same for everybody, so that earlier keys can be forgotten. Returns how many second factors no
 * known key opens; these stay as they are.
 */
export async function renewAllFactors(
  db: Db,
  keys: SignInKeys,
  signal?: AbortSignal,
): Promise<{ unreadable: number }> {
  let unreadable = 0;
  let after = 0;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await selectFactors(db, { after, limit: pieceSize });
    for (const row of rows) if (!(await renew(db, keys, row))) unreadable += 1;
    const last = rows.at(-1);
    if (!last || rows.length < pieceSize) return { unreadable };
    after = last.id;
  }
}

/** Returns whether a known key opens the whole of it. */
async function renew(db: Db, keys: SignInKeys, row: FactorRow): Promise<boolean> {
  const secret = await renewed(keys, row.secret);
  const backupCodes = await renewed(keys, row.backupCodes);
  const to = { secret: secret ?? row.secret, backupCodes: backupCodes ?? row.backupCodes };
  if (to.secret !== row.secret || to.backupCodes !== row.backupCodes) await replaceFactor(db, row, to);
  return secret !== null && backupCodes !== null;
}

/** The text under the key of today; itself if it is that already, null if no key opens it. */
async function renewed(keys: SignInKeys, data: string): Promise<string | null> {
  const [today] = keys;
  for (const key of keys) {
    const open = await symmetricDecrypt({ key, data }).catch(() => null);
    if (open !== null) return key === today ? data : symmetricEncrypt({ key: today, data: open });
  }
  return null;
}
