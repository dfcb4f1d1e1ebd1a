import type { FastifyRequest } from 'fastify';
import type { Mailer } from '#features/mail/server/index.ts';
import type { Database, SystemDb } from '#platform/server/database.ts';
import type { Authenticate, Caller, Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { isAdministrator } from '../rules.ts';
import { registerAccount } from './account-routes.ts';
import { createUserAdministration, type UserAdministration } from './administration.ts';
import { createAuth, defaultRateLimits, type IdentityConfig, type RateLimits, signInKey } from './auth.ts';
import { AuthDatabase } from './auth-database.ts';
import { createPasswords } from './passwords.ts';
import { deleteExpired, namesOf, type SessionRow, selectWorkspaceIds } from './queries.ts';
import { registerRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
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
  const auth = createAuth({ db, config, log, mail, workspaces, rateLimits });
  const sessions = createSessions({ auth, db, secret: signInKey(config.secretKey), workspaces });
  const passwords = createPasswords(db, auth);
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
      registerRoutes(router, { auth, sessionOf: sessions.of });
      registerTeam(router, {
        db: database,
        mail,
        sessionOf: sessions.of,
        workspaces,
        insistOnPassword: passwords.insistOn,
      });
      registerAccount(router, {
        db,
        auth,
        mail,
        log,
        passwords,
        sessionOf: sessions.of,
        mailsPerHour: rateLimits.accountMails,
      });
    },
    close: () => clearInterval(tidying),
  };
}

function workplaceOf({ workspace, twoFactor }: SessionRow): Caller['workspace'] {
  if (!workspace) return null;
  const { requiresTwoFactor, ...rest } = workspace;
  return requiresTwoFactor && !twoFactor ? { ...rest, lacksTwoFactor: true } : rest;
}

/** The names of users by id, for showing who did something; ids of nobody are missing from the map. */
export async function memberNames(db: SystemDb, userIds: string[]): Promise<Map<string, string>> {
  const ids = [...new Set(userIds)].map(Number).filter((id) => Number.isSafeInteger(id));
  if (ids.length === 0) return new Map();
  return new Map((await namesOf(db, ids)).map(({ id, name }) => [String(id), name]));
}

/** The ids of all workspaces, for work that goes through each of them in turn. */
export async function workspaceIds(db: SystemDb): Promise<number[]> {
  return selectWorkspaceIds(db);
}
