import { createHash, randomBytes } from 'node:crypto';

/**
 * The secret of a link in a mail. We store only its SHA-256, so the database's copy opens nothing.
 */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: secretHash(secret) };
}

export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
