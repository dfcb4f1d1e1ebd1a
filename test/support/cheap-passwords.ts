import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A set-up file: password hashes cost next to nothing in the tests' own processes. The sign-in
 * library spends 0.1 s of processor time on each, and the tests sign hundreds of people up. The
 * product has no setting for this, so nobody can weaken it there; the browser tests run the product
 * itself, with the whole cost.
 */
const scrypt = crypto.scrypt;

function cheapScrypt(
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void {
  scrypt(password, salt, length, { ...options, N: 2 }, done);
}

crypto.scrypt = cheapScrypt as typeof scrypt;
syncBuiltinESMExports();
