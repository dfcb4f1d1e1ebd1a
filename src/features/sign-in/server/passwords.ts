import type { FastifyRequest } from 'fastify';
import type { OidcConfig } from '#platform/server/config.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { freshMinutes } from '../rules/provider-failures.ts';
import { limitAttempts } from './attempts.ts';
import type { Auth } from './auth.ts';
import type { Db } from './queries.ts';
import type { SessionOf } from './sessions.ts';
import { selectPasswordHash } from './user-queries.ts';

/** A call whose caller has to show once more who they are. */
interface Confirmed {
  caller: Pick<Caller, 'userId'>;
  request: FastifyRequest;
}

export interface Passwords {
  /**
   * Throws unless this is the caller's password. Wrong guesses are limited, so that a stolen
   * session cannot find it out. Somebody without a password must have just signed in through the
   * identity provider.
   */
  insistOn(call: Confirmed, password: string, field?: string): Promise<void>;
  /**
   * Throws if the caller has no password, whatever else they confirm with. For calls about the
   * password itself.
   */
  insistOnHaving(caller: Pick<Caller, 'userId'>): Promise<void>;
  hash(password: string): Promise<string>;
  /** Whether this user has a password that lets them in. */
  lets(userId: number): Promise<boolean>;
}

interface PasswordParts {
  db: Db;
  auth: Auth;
  oidc: OidcConfig | undefined;
  sessionOf: SessionOf;
}

export function createPasswords({ db, auth, oidc, sessionOf }: PasswordParts): Passwords {
  // If nobody may sign in with a password, an old one counts for nothing: whoever has forgotten it
  // could not set another.
  const hashOf = async (userId: string): Promise<string | null> =>
    oidc?.only ? null : selectPasswordHash(db, Number(userId));
  return {
    async insistOn({ caller: { userId }, request }, password, field = 'password') {
      const hash = await hashOf(userId);
      if (hash === null && oidc) return insistOnFreshSession(request, oidc, sessionOf);
      await limitAttempts(db, { kind: 'password', who: userId, most: 10, windowMs: 60_000 });
      const context = await auth.$context;
      if (hash !== null && (await context.password.verify({ hash, password }))) return;
      const message = 'The password is not right.';
      throw new AppError('invalid_input', message, { fields: { [field]: message } });
    },
    async insistOnHaving({ userId }) {
      if (!oidc || (await hashOf(userId)) !== null) return;
      throw new AppError('conflict', `You have no password here: you sign in through ${oidc.name}.`);
    },
    hash: async (password) => (await auth.$context).password.hash(password),
    lets: async (userId) => (await hashOf(String(userId))) !== null,
  };
}

async function insistOnFreshSession(
  request: FastifyRequest,
  { name }: OidcConfig,
  sessionOf: SessionOf,
): Promise<void> {
  const session = await sessionOf(request);
  const since = Date.now() - freshMinutes * 60_000;
  if (session?.throughProvider && session.startedAt.getTime() >= since) return;
  throw new AppError(
    'forbidden',
    `Sign in through ${name} again first: this takes a sign-in of the last ${freshMinutes} minutes.`,
  );
}
