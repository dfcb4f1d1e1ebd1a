import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A set-up file that makes password hashes almost free in the tests' own processes. The sign-in
 * library spends 0.1 s of processor time on each, and the tests sign up hundreds of people. The
 * product has no setting for this, so nobody can weaken it there. The browser tests run the product
 * itself, at full cost.
 */
const scrypt = crypto.scrypt;

/** How many hashes this process has made, and what has to happen before the next one is made. */
export const hashes: { made: number; first?: (() => Promise<unknown>) | undefined } = { made: 0 };

function cheapScrypt(
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void {
  hashes.made += 1;
  const { first } = hashes;
  hashes.first = undefined;
  const hash = () => scrypt(password, salt, length, { ...options, N: 2 }, done);
  if (first) first().then(hash, (error) => done(error, Buffer.alloc(0)));
  else hash();
}

crypto.scrypt = cheapScrypt as typeof scrypt;
syncBuiltinESMExports();
