import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { limitAttempts } from './attempts.ts';
import type { Auth } from './auth.ts';
import { type Db, selectPasswordHash } from './queries.ts';

export interface Passwords {
  /** Throws unless this is the caller's password. Wrong guesses are limited: a stolen session must not find it out. */
  insistOn(caller: Pick<Caller, 'userId'>, password: string, field?: string): Promise<void>;
  hash(password: string): Promise<string>;
}

export function createPasswords(db: Db, auth: Auth): Passwords {
  return {
    async insistOn({ userId }, password, field = 'password') {
      await limitAttempts(db, { kind: 'password', who: userId, most: 10, windowMs: 60_000 });
      const hash = await selectPasswordHash(db, Number(userId));
      const context = await auth.$context;
      if (hash !== null && (await context.password.verify({ hash, password }))) return;
      const message = 'The password is not right.';
      throw new AppError('invalid_input', message, { fields: { [field]: message } });
    },
    hash: async (password) => (await auth.$context).password.hash(password),
  };
}
