import type { FastifyRequest } from 'fastify';
import { type Mailer, mailPort } from '#features/mail/server/index.ts';
import type { Database, SystemDb } from '#platform/server/database.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import type { Authenticate, Caller, Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { isAdministrator } from '../rules.ts';
import { registerAccount } from './account-routes.ts';
import { createUserAdministration, type UserAdministration } from './administration.ts';
import { createAuth, defaultRateLimits, type IdentityConfig, type RateLimits, signInKey } from './auth.ts';
import { AuthDatabase } from './auth-database.ts';
import { createPasswords } from './passwords.ts';
import { createProvider } from './provider.ts';
import { type Db, deleteExpired, namesOf, type SessionRow, selectWorkspaceIds } from './queries.ts';
import { registerRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { mayJoin } from './sign-in-methods.ts';
import { registerSignIn } from './sign-in-routes.ts';
import { registerTeam } from './team-routes.ts';
import { createWorkspaces, type WorkspaceCreated } from './workspaces.ts';

export type { AdministeredUser, AdministratorAct, UserAdministration } from './administration.ts';

export interface IdentityOptions {
  database: Database;
  config: IdentityConfig;
  log: Log;
  mail: Mailer;
  /** Called after a new workspace is committed, before its first user has their answer. */
  onWorkspaceCreated?: WorkspaceCreated;
  /** Differences from the usual limits, e.g. for many sign-ups from one address. */
  rateLimits?: Partial<RateLimits>;
}

export interface Identity {
  /** Who makes this call, or null. One query for a request, however often it is asked. */
  authenticate: Authenticate;
  /** Adds the calls about who is signed in, where, and with whom. */
  register(router: Router): void;
  /** What the administrator of the installation sees and does about its people. */
  administration: UserAdministration;
  /** Stops the hourly tidying. The database stays open; it belongs to who opened it. */
  close(): void;
}

const hour = 3_600_000;

/** Who may come in: users, sessions, workspaces and their members. */
export function createIdentity(options: IdentityOptions): Identity {
  const { database, config, log, mail } = options;
  const db = new AuthDatabase(database.pool);
  const workspaces = createWorkspaces(db, log, options.onWorkspaceCreated);
  const rateLimits = { ...defaultRateLimits, ...options.rateLimits };
  const { oidc } = config;
  const visitors = { db, mail, workspaces, mayJoin: (tx: Db, email: string) => mayJoin(tx, config, email) };
  const provider = oidc ? createProvider(oidc, visitors) : undefined;
  const auth = createAuth({ db, config, log, mail, workspaces, rateLimits, provider });
  const sessions = createSessions({ auth, db, secret: signInKey(config.secretKey), workspaces });
  const passwords = createPasswords({ db, auth, oidc, sessionOf: sessions.of });
  const tidying = setInterval(() => {
    deleteExpired(db, Date.now() - hour).catch((error) =>
      log.warn({ err: error }, 'expired sessions could not be deleted'),
    );
  }, hour).unref();

  async function authenticate(request: FastifyRequest): Promise<Caller | null> {
    const session = await sessions.of(request);
    if (!session) return null;
    return {
      userId: String(session.userId),
      email: session.email,
      name: session.name,
      isAdmin: isAdministrator(session, config.adminEmail),
      workspace: workplaceOf(session),
    };
  }

  return {
    authenticate,
    administration: createUserAdministration(database, db),
    register(router) {
      sessions.renewThrough(router.app);
      const sessionOf = sessions.of;
      registerRoutes(router, { auth, sessionOf });
      registerSignIn(router, {
        auth,
        db,
        log,
        mail,
        provider,
        passwords,
        sessionOf,
        publicUrl: config.publicUrl,
        signInsPerMinute: rateLimits.signIns,
      });
      registerTeam(router, {
        db: database,
        mail,
        sessionOf,
        workspaces,
        passwords,
        providerOnly: oidc?.only === true,
      });
      registerAccount(router, {
        db,
        auth,
        mail,
        log,
        oidc,
        passwords,
        sessionOf,
        mailsPerHour: rateLimits.accountMails,
      });
    },
    close: () => clearInterval(tidying),
  };
}

/** Who came through the identity provider has shown there whatever it asks for: docs/decisions/0018-identity-provider.md. */
function workplaceOf({ workspace, twoFactor, throughProvider }: SessionRow): Caller['workspace'] {
  if (!workspace) return null;
  const { requiresTwoFactor, ...rest } = workspace;
  return requiresTwoFactor && !twoFactor && !throughProvider ? { ...rest, lacksTwoFactor: true } : rest;
}

/** The names of users by id, for showing who did something; ids of nobody are missing from the map. */
export async function memberNames(db: SystemDb, userIds: string[]): Promise<Map<string, string>> {
  const ids = [...new Set(userIds)].map(Number).filter((id) => Number.isSafeInteger(id));
  if (ids.length === 0) return new Map();
  return new Map((await namesOf(db, ids)).map(({ id, name }) => [String(id), name]));
}

/** What the administrator of the installation sees and does about its people. */
export const administrationPort = port<UserAdministration>('identity.administration');
/** Limits of sign-ins and the like, where they are others than the configuration's. */
export const rateLimitsPort = port<Partial<RateLimits>>('identity.rate-limits');

export const identityFeature: ServerFeature = { name: 'identity', contract, create };

function create({ db: database, config, log, use, find, offer }: FeatureContext): FeatureParts {
  const { signIns, signUps } = config.limits;
  const rateLimits = { signIns, signUps, ...find(rateLimitsPort) };
  const identity = createIdentity({ database, config, log, mail: use(mailPort), rateLimits });
  offer(workspacesPort, () => selectWorkspaceIds(database.system));
  offer(administrationPort, identity.administration);
  return {
    authenticate: identity.authenticate,
    routes: identity.register,
    planPrices: { free: 0 },
    stop: identity.close,
  };
}
