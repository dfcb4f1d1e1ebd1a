import type { FastifyRequest } from 'fastify';
import type { Mailer } from '#features/mail/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { Authenticate, Caller, Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { keysOf } from '../rules/provider.ts';
import { isAdministrator, type UnaskedMail } from '../rules.ts';
import { limitMails } from './attempts.ts';
import { createAuth, defaultRateLimits, type RateLimits, type SignInConfig } from './auth.ts';
import { AuthDatabase } from './auth-database.ts';
import { registerPasswords } from './password/password-routes.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createProvider } from './provider/provider.ts';
import { hasIdentity } from './provider/queries.ts';
import { registerProvider } from './provider/routes.ts';
import { type Db, deleteExpired } from './queries.ts';
import { registerRoutes } from './routes.ts';
import { renewAllFactors, signInKeys } from './second-factor/factor-keys.ts';
import { createSecondFactor, type SecondFactor } from './second-factor/second-factor.ts';
import type { SessionRow } from './session-queries.ts';
import { createSessions, type SessionOf } from './sessions.ts';
import { mayJoin } from './sign-in-methods.ts';
import type { Workplaces } from './workplaces.ts';

export interface SignInOptions {
  database: Database;
  config: SignInConfig;
  log: Log;
  mail: Mailer;
  workplaces: Workplaces;
  /** Differences from the usual limits, for example for many sign-ups from one address. */
  rateLimits?: Partial<RateLimits>;
}

export interface SignIn {
  /** Who makes this call, or null. One query per request, however often it is asked. */
  authenticate: Authenticate;
  /** The session of a call, or null; uses the same query. */
  sessionOf: SessionOf;
  passwords: Pick<Passwords, 'insistOn' | 'insistOnHaving'>;
  secondFactor: SecondFactor;
  /** True if people can only come in through the identity provider. */
  readonly providerOnly: boolean;
  /** How this person signs in. */
  methodsOf(userId: number): Promise<SignInMethods>;
  /** Counts a mail that this call causes. Throws when there have been too many. */
  limitMails(request: FastifyRequest, kind: UnaskedMail, email: string): Promise<void>;
  /** Adds the calls for getting in and out. */
  register(router: Router): void;
  /** Encrypts every second factor with the SECRET_KEY of today. */
  renewFactors(signal: AbortSignal): Promise<void>;
  /** Stops the hourly tidying. The database stays open, because it belongs to whoever opened it. */
  close(): void;
}

interface SignInMethods {
  /** `none`: no password yet. `off`: people can only come in through the identity provider. */
  password: 'set' | 'none' | 'off';
  provider: { name: string; connected: boolean } | null;
}

const hour = 3_600_000;

/** Who may come in: users, their passwords, sessions and second factors. */
export function createSignIn(options: SignInOptions): SignIn {
  const { database, config, log, mail, workplaces } = options;
  const db = new AuthDatabase(database.lender);
  const rateLimits = { ...defaultRateLimits, ...options.rateLimits };
  const { oidc } = config;
  const keys = signInKeys(config);
  const mayComeIn = (tx: Db, email: string) => mayJoin(tx, { config, workplaces }, email);
  const provider = oidc ? createProvider(oidc, { db, mail, workplaces, mayJoin: mayComeIn }) : undefined;
  const auth = createAuth({ db, config, keys, log, mail, workplaces, rateLimits, provider });
  const sessions = createSessions({ auth, db, secret: keys[0], workplaces });
  const sessionOf = sessions.of;
  const passwords = createPasswords({ db, auth, oidc, sessionOf });
  const secondFactor = createSecondFactor(db, auth);
  const tidying = tidyHourly(db, log);
  return {
    authenticate: async (request) => {
      const session = await sessionOf(request);
      return session && callerOf(session, config.adminEmail);
    },
    sessionOf,
    passwords,
    secondFactor,
    providerOnly: oidc?.only === true,
    async methodsOf(userId) {
      const password = oidc?.only ? 'off' : (await passwords.lets(userId)) ? 'set' : 'none';
      if (!oidc) return { password, provider: null };
      const connected = await hasIdentity(db, userId, keysOf(oidc.issuer));
      return { password, provider: { name: oidc.name, connected } };
    },
    limitMails: (request, kind, email) =>
      limitMails(db, request, { kind, email, mostFromOne: rateLimits.accountMails }),
    register(router) {
      sessions.renewThrough(router.app);
      registerRoutes(router, { db, auth, rateLimits, sessionOf, secondStep: secondFactor.pass });
      const shared = { auth, db, log, mail, passwords, sessionOf };
      registerPasswords(router, {
        ...shared,
        oidc,
        workplaces,
        mailsPerHour: rateLimits.accountMails,
        resetsPerMinute: rateLimits.signIns,
      });
      registerProvider(router, {
        ...shared,
        provider,
        publicUrl: config.publicUrl,
        signInsPerMinute: rateLimits.signIns,
      });
    },
    async renewFactors(signal) {
      const { unreadable } = await renewAllFactors(db, keys, signal);
      if (unreadable > 0)
        log.warn({ unreadable }, 'Second factors are encrypted with a SECRET_KEY that is not known any more');
    },
    close: () => clearInterval(tidying),
  };
}

function callerOf(session: SessionRow, adminEmail: string | undefined): Caller {
  return {
    userId: String(session.userId),
    email: session.email,
    name: session.name,
    isAdmin: isAdministrator(session, adminEmail),
    workspace: workplaceOf(session),
  };
}

/**
 * People who came through the identity provider have already met its demands there:
 * docs/decisions/0018-identity-provider.md.
 */
function workplaceOf({ workspace, twoFactor, throughProvider }: SessionRow): Caller['workspace'] {
  if (!workspace) return null;
  const { requiresTwoFactor, ...rest } = workspace;
  return requiresTwoFactor && !twoFactor && !throughProvider ? { ...rest, lacksTwoFactor: true } : rest;
}

const tidyHourly = (db: AuthDatabase, log: Log): NodeJS.Timeout =>
  setInterval(() => {
    deleteExpired(db, Date.now() - hour).catch((error) =>
      log.warn({ err: error }, 'expired sessions could not be deleted'),
    );
  }, hour).unref();
