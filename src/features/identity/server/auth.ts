import { createHash, hkdfSync, randomUUID } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { createAuthMiddleware, getIp, getSessionFromCtx } from 'better-auth/api';
import { organization } from 'better-auth/plugins/organization';
import { adminAc, defaultAc, ownerAc } from 'better-auth/plugins/organization/access';
import type { Config } from '#platform/server/config.ts';
import type { Log } from '#platform/server/logging.ts';
import { roles } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { isAdminAddress, nameProblem, passwordLength, passwordProblem } from '../rules.ts';
import type { AuthDatabase } from './auth-database.ts';
import { TooManyAttempts } from './library-errors.ts';
import { countAttempt, hasPendingInvitation } from './queries.ts';
import type { Workspaces } from './workspaces.ts';

export type IdentityConfig = Pick<Config, 'publicUrl' | 'secretKey' | 'adminEmail' | 'signups' | 'smtpUrl'>;

/** How many calls a minute are let through. */
export interface RateLimits {
  /** Sign-ins to one account from one network address. */
  signInsPerAccount: number;
  /** Sign-ins to whichever accounts from one network address. */
  signIns: number;
  /** Sign-ups from one network address. */
  signUps: number;
  /** Any other call of the library from one network address. */
  others: number;
}

export const defaultRateLimits: RateLimits = { signInsPerAccount: 10, signIns: 60, signUps: 20, others: 300 };

export const sessionSeconds = { life: 7 * 86_400, renewAfter: 86_400 } as const;
export const authPath = '/api/auth';
/** Set by the server itself on the way in, over whatever the caller sent. */
export const clientAddressHeader = 'x-client-address';

const minute = 60_000;

interface AuthParts {
  db: AuthDatabase;
  config: IdentityConfig;
  log: Log;
  workspaces: Workspaces;
  rateLimits: RateLimits;
}

/** The key of cookies and one-time proofs; its own, so that nothing else signed with SECRET_KEY passes for one. */
export function signInKey(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'email-manager sign-in', 32)).toString('base64url');
}

export type Auth = ReturnType<typeof createAuth>;

/** The sign-in library, set up on our tables, roles and rules. */
export function createAuth(parts: AuthParts) {
  const { db, config, log, workspaces, rateLimits } = parts;
  return betterAuth({
    appName: 'Email Manager',
    baseURL: config.publicUrl,
    basePath: authPath,
    secret: signInKey(config.secretKey),
    database: { db, type: 'postgres', transaction: true },
    trustedOrigins: (request) => trustedOrigins(config.publicUrl, request),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...details) => log.error({ details }, message) },
    // Failures that are no answers to the caller (a database that went away) come out as thrown.
    onAPIError: { throw: true },
    disabledPaths: ['/ok', '/error', '/sign-in/social', '/link-social'],
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'rate_limits',
      fields: { lastRequest: 'last_request' },
      window: minute / 1000,
      max: rateLimits.others,
      customRules: {
        '/sign-in/email': { window: minute / 1000, max: rateLimits.signIns },
        '/sign-up/email': { window: minute / 1000, max: rateLimits.signUps },
      },
    },
    advanced: {
      cookiePrefix: 'email-manager',
      useSecureCookies: config.publicUrl.startsWith('https:'),
      // Said outright: the library's defaults differ when it believes to be under test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: 'serial' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    ...tables,
    databaseHooks: databaseHooks(config, workspaces),
    hooks: { before: guard(parts) },
    plugins: [organizationPlugin(workspaces)],
  });
}

/** Where each of the library's models is kept (db/migrations/0001_identity.sql). */
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
  // Behind a proxy that ends TLS the scheme is not known here; the host is what must be the same.
  const { host } = new URL(request.url);
  return [own, `http://${host}`, `https://${host}`];
}

function databaseHooks(config: IdentityConfig, workspaces: Workspaces) {
  return {
    user: {
      create: {
        before: async (user: { email: string }) => {
          // Without SMTP no proof can be sent by mail: docs/decisions/0005-identity.md.
          const trusted = config.smtpUrl === undefined && isAdminAddress(user.email, config.adminEmail);
          return trusted ? { data: { emailVerified: true } } : undefined;
        },
      },
    },
    session: {
      create: {
        before: async (session: { userId: string }) => ({
          data: { activeOrganizationId: String(await workspaces.ensureFor(Number(session.userId))) },
        }),
      },
    },
  };
}

function organizationPlugin(workspaces: Workspaces) {
  const nothing = defaultAc.newRole({ organization: [], member: [], invitation: [], team: [], ac: [] });
  return organization({
    roles: { owner: ownerAc, admin: adminAc, editor: nothing, sender: nothing, viewer: nothing },
    creatorRole: 'owner',
    organizationLimit: 20,
    // A workspace holds data of people; deleting one is the privacy feature's work, not a row's.
    disableOrganizationDeletion: true,
    // Invitation ids are small numbers: knowing one proves nothing.
    requireEmailVerificationOnInvitation: true,
    invitationExpiresIn: sessionSeconds.life,
    organizationHooks: {
      // The address part is the library's wish, not the caller's to claim.
      beforeCreateOrganization: async () => ({ data: { slug: randomUUID() } }),
      afterCreateOrganization: ({ organization: made, user }) =>
        workspaces.announce(Number(made.id), Number(user.id)),
    },
    schema: {
      organization: { modelName: 'workspaces', fields: { createdAt: 'created_at' } },
      member: {
        modelName: 'members',
        fields: { organizationId: 'workspace_id', userId: 'user_id', createdAt: 'created_at' },
      },
      invitation: {
        modelName: 'invitations',
        fields: {
          organizationId: 'workspace_id',
          inviterId: 'inviter_id',
          expiresAt: 'expires_at',
          createdAt: 'created_at',
        },
      },
    },
  });
}

/** Our own rules on the library's calls. Runs before the library has looked at the body. */
function guard({ db, config, rateLimits }: AuthParts) {
  return createAuthMiddleware(async (ctx) => {
    const body: Record<string, unknown> = typeof ctx.body === 'object' && ctx.body !== null ? ctx.body : {};
    const email = typeof body.email === 'string' ? body.email.toLowerCase() : '';
    switch (ctx.path) {
      case '/sign-in/email': {
        const address = ctx.headers ? getIp(ctx.headers, ctx.context.options) : null;
        return limitSignIns(db, `${address ?? 'unknown'}|${email}`, rateLimits.signInsPerAccount);
      }
      case '/sign-up/email':
        await refuseUninvited(db, config, email);
        refuse('name', nameProblem(body.name));
        return refuse('password', passwordProblem(body.password, email));
      case '/update-user':
        return body.name === undefined ? undefined : refuse('name', nameProblem(body.name));
      case '/change-password':
      case '/set-password':
      case '/reset-password': {
        const signedIn = await getSessionFromCtx(ctx);
        return refuse('newPassword', passwordProblem(body.newPassword, signedIn?.user.email ?? null));
      }
      case '/organization/create':
        return refuse('name', nameProblem(body.name));
      case '/organization/update': {
        const data = body.data as { name?: unknown } | null | undefined;
        return data?.name === undefined ? undefined : refuse('name', nameProblem(data.name));
      }
      case '/organization/invite-member':
      case '/organization/update-member-role': {
        const isRole = roles.some((role) => role === body.role);
        return refuse('role', isRole ? null : `A role is one of ${roles.join(', ')}.`);
      }
    }
  });
}

function refuse(field: string, problem: string | null): void {
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { [field]: problem } });
}

/** With SIGNUPS=invite only those may sign up whom somebody asked, and the administrator. */
async function refuseUninvited(db: AuthDatabase, config: IdentityConfig, email: string): Promise<void> {
  if (config.signups === 'open' || isAdminAddress(email, config.adminEmail)) return;
  if (await hasPendingInvitation(db, email)) return;
  throw new AppError(
    'forbidden',
    'Sign-up is by invitation here. Ask somebody who uses this installation to invite your email address.',
  );
}

/** Counts the attempt whether it will succeed or not, and whether or not the account exists. */
async function limitSignIns(db: AuthDatabase, who: string, most: number): Promise<void> {
  const now = Date.now();
  // Hashed, because what somebody types into the email box may be their password.
  const key = `sign-in:${createHash('sha256').update(who).digest('base64url')}`;
  const { count, since } = await countAttempt(db, key, now, minute);
  if (count > most) throw new TooManyAttempts((since + minute - now) / 1000);
}
