import { createHash, randomBytes } from 'node:crypto';

/**
 * The secret of a link in a mail. Only its SHA-256 is kept: what the database holds opens nothing.
 */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: secretHash(secret) };
}

export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
