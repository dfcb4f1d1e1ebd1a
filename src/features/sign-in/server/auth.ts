import { betterAuth } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { verifyPassword } from 'better-auth/crypto';
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Mailer } from '#features/mail/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import type { Log } from '#platform/server/logging.ts';
import { networkOf } from '#platform/server/network.ts';
import { AppError } from '#platform/shared/errors.ts';
import { isAdminAddress, nameProblem, passwordLength, passwordProblem } from '../rules.ts';
import { limitAttempts } from './attempts.ts';
import type { AuthDatabase } from './auth-database.ts';
import { noteHash, outdated } from './checked-password.ts';
import { clientAddressHeader } from './library.ts';
import { sendEmailProof, trustPrefix } from './proofs.ts';
import { renewFactorOf, type SignInKeys } from './second-factor/factor-keys.ts';
import { deleteSession } from './session-queries.ts';
import { insistOnPasswords, mayJoin } from './sign-in-methods.ts';
import { endSteps, refuseSuspended } from './users.ts';
import { ensureWorkplace, type Workplaces } from './workplaces.ts';

export type SignInConfig = Pick<
  Config,
  'publicUrl' | 'secretKey' | 'previousSecretKeys' | 'adminEmail' | 'signups' | 'smtpUrl' | 'oidc'
>;

/** How many calls are allowed per minute. */
export interface RateLimits {
  /** Sign-ins to one account from one network address. */
  signInsPerAccount: number;
  /** Sign-ins to any accounts from one network address; new passwords by mailed links likewise. */
  signIns: number;
  /** Sign-ups from one network address. */
  signUps: number;
  /** Mails about an account that one network address causes, per hour. */
  accountMails: number;
  /** Sign-outs from one network address. */
  signOuts: number;
}

export const defaultRateLimits: RateLimits = {
  signInsPerAccount: 10,
  signIns: 60,
  signUps: 20,
  accountMails: 20,
  signOuts: 300,
};

export const sessionSeconds = { life: 7 * 86_400, renewAfter: 86_400 } as const;
export const authPath = '/api/auth';
/**
 * The library's path to which the identity provider sends browsers back, and the path to which it
 * sends people who are not let in.
 */
const callbackPath = '/oauth2/callback/';
export const failedPath = `${authPath}/oauth2/failed`;

const minute = 60_000;

interface AuthParts {
  db: AuthDatabase;
  config: SignInConfig;
  keys: SignInKeys;
  log: Log;
  mail: Mailer;
  workplaces: Workplaces;
  rateLimits: RateLimits;
  /** Absent when no identity provider is configured. */
  provider?: ProviderPart | undefined;
}

/** What the library needs to know about signing in through the identity provider. */
export interface ProviderPart {
  plugin: GenericOAuthConfig;
  /** Called once a session has begun there. */
  onSession(userId: number): Promise<void>;
}

export type Auth = ReturnType<typeof createAuth>;

/** The sign-in library, set up on our tables, roles and rules. */
export function createAuth(parts: AuthParts) {
  const { db, config, keys, log, provider } = parts;
  return betterAuth({
    appName: 'Email Manager',
    baseURL: config.publicUrl,
    basePath: authPath,
    secret: keys[0],
    database: { db, type: 'postgres', transaction: true },
    trustedOrigins: (request) => trustedOrigins(config.publicUrl, request),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...details) => log.error({ details }, message) },
    // Failures that are not answers to the caller (a database that went away) are thrown on as they
    // are.
    onAPIError: { throw: true, errorURL: failedPath },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: { verify: verifyNoting },
    },
    // Its windows never end while calls go on, and it tidies away what others count for an hour. We
    // count its calls ourselves (routes.ts).
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'email-manager',
      useSecureCookies: config.publicUrl.startsWith('https:'),
      // Set explicitly: the library's defaults differ when it believes it is under test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: 'serial' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    ...tables,
    // provider/visitors.ts decides who gets into which account through the provider, before the
    // library asks.
    account: { ...tables.account, accountLinking: { disableImplicitLinking: true } },
    databaseHooks: databaseHooks(parts),
    hooks: { before: guard(parts) },
    plugins: [secondFactorPlugin(), genericOAuth({ config: provider ? [provider.plugin] : [] })],
  });
}

async function verifyNoting(given: { hash: string; password: string }): Promise<boolean> {
  const isRight = await verifyPassword(given);
  if (isRight) noteHash(given.hash);
  return isRight;
}

/** Where each of the library's models is stored (db/migrations/0001_identity.sql). */
const stamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
const tables = {
  user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...stamps } },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...stamps,
    },
    expiresIn: sessionSeconds.life,
    updateAge: sessionSeconds.renewAfter,
    cookieCache: { enabled: false },
    additionalFields: {
      // The library compares ids as text.
      activeOrganizationId: {
        type: 'string',
        required: false,
        input: false,
        fieldName: 'active_workspace_id',
        transform: {
          output: (value: unknown) => (value === null || value === undefined ? null : String(value)),
        },
      },
      throughProvider: { type: 'boolean', required: false, input: false, fieldName: 'through_provider' },
    },
  },
  account: {
    modelName: 'accounts',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...stamps,
    },
  },
  verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...stamps } },
} as const;

function trustedOrigins(publicUrl: string, request: Request | undefined): string[] {
  const own = new URL(publicUrl).origin;
  if (!request) return [own];
  // Behind a proxy that ends TLS, the scheme is unknown here. The host must be the same.
  const { host } = new URL(request.url);
  return [own, `http://${host}`, `https://${host}`];
}

/** A process on this machine itself, according to the socket or the machine's proxy. */
const isOwnMachine = (address: string | null | undefined): boolean =>
  address === '::1' || /^(::ffff:)?127\./.test(address ?? '');

const isFromProvider = (context: { path?: string } | null): boolean =>
  context?.path?.startsWith(callbackPath) === true;

const signUpPath = '/sign-up/email';

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === '';

/** The name that somebody who signs up gives their workspace. Null when they leave that to us. */
function chosenWorkspace(context: { path?: string; body?: unknown } | null): string | null {
  if (context?.path !== signUpPath) return null;
  const { workspace } = context.body as { workspace?: unknown };
  return typeof workspace === 'string' && !isBlank(workspace) ? workspace.trim() : null;
}

function databaseHooks({ db, config, keys, mail, workplaces, provider }: AuthParts) {
  return {
    user: {
      create: {
        before: async (user: { email: string }, context: { headers?: Headers | undefined } | null) => {
          // Whoever is at the machine need not prove that by mail:
          // docs/decisions/0013-team-and-account.md.
          const address = context?.headers?.get(clientAddressHeader);
          const trusted =
            config.smtpUrl === undefined &&
            isAdminAddress(user.email, config.adminEmail) &&
            isOwnMachine(address);
          return trusted ? { data: { emailVerified: true } } : undefined;
        },
        after: async (user: { id: string; email: string; emailVerified: boolean }) => {
          const { email, emailVerified } = user;
          if (emailVerified || !(mail.hasMailServer || isAdminAddress(email, config.adminEmail))) return;
          await db.together(async (transaction, afterCommit) => {
            await sendEmailProof(mail, transaction, { userId: Number(user.id), email, replaces: null });
            afterCommit.push(async () => mail.hurry());
          });
        },
      },
    },
    session: {
      create: {
        before: async (session: { userId: string }, context: { path?: string; body?: unknown } | null) => {
          const userId = Number(session.userId);
          await db.together(async (transaction) => {
            await refuseSuspended(transaction, userId);
            await renewFactorOf(transaction, keys, userId);
          });
          const workspace = await ensureWorkplace(db, workplaces, userId, chosenWorkspace(context));
          return {
            data: {
              activeOrganizationId: String(workspace),
              throughProvider: isFromProvider(context),
            },
          };
        },
        after: async (session: { id: string; userId: string }, context: { path?: string } | null) => {
          const userId = Number(session.userId);
          await keepUnlessOutdated(db, userId, Number(session.id));
          if (isFromProvider(context)) await provider?.onSession(userId);
        },
      },
    },
    verification: {
      create: {
        after: async ({ identifier, value }: { identifier: string; value: string }) => {
          if (identifier.startsWith(trustPrefix)) await keepUnlessOutdated(db, Number(value), null);
        },
      },
    },
  };
}

/**
 * Takes back what the running call has begun, and refuses it, if the password is new meanwhile. The
 * library calls this at the end of a sign-in, when a second step to wait for is there as well.
 */
async function keepUnlessOutdated(db: AuthDatabase, userId: number, sessionId: number | null): Promise<void> {
  const refusal = await db.together(async (tx) => {
    const found = await outdated(tx, userId);
    if (found) await endSteps(tx, userId);
    if (found && sessionId !== null) await deleteSession(tx, userId, sessionId);
    return found;
  });
  if (refusal) throw refusal;
}

/** An authenticator app's codes and recovery codes, on our tables (db/migrations/0006_team.sql). */
function secondFactorPlugin() {
  return twoFactor({
    issuer: 'Email Manager',
    trustDeviceMaxAge: 30 * 86_400,
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
}

/** Our own rules for the library's calls. Runs before the library looks at the body. */
function guard({ db, config, workplaces, rateLimits }: AuthParts) {
  return createAuthMiddleware(async (ctx) => {
    const body: Record<string, unknown> = typeof ctx.body === 'object' && ctx.body !== null ? ctx.body : {};
    const email = typeof body.email === 'string' ? body.email.toLowerCase() : '';
    switch (ctx.path) {
      case '/sign-in/email': {
        insistOnPasswords(config.oidc);
        const address = ctx.headers?.get(clientAddressHeader) ?? 'unknown';
        return limitAttempts(db, {
          kind: 'sign-in',
          who: `${networkOf(address)}|${email}`,
          most: rateLimits.signInsPerAccount,
          windowMs: minute,
        });
      }
      case signUpPath:
        insistOnPasswords(config.oidc);
        await refuseUninvited({ db, config, workplaces }, email);
        refuse('name', nameProblem(body.name));
        if (body.workspace !== undefined && !isBlank(body.workspace))
          refuse('workspace', nameProblem(body.workspace));
        return refuse('password', passwordProblem(body.password, email));
    }
  });
}

function refuse(field: string, problem: string | null): void {
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { [field]: problem } });
}

async function refuseUninvited(
  { db, ...who }: Pick<AuthParts, 'db' | 'config' | 'workplaces'>,
  email: string,
): Promise<void> {
  if (await mayJoin(db, who, email)) return;
  throw new AppError(
    'forbidden',
    'Sign-up is by invitation here. Ask somebody who uses this installation to invite your email address.',
  );
}
