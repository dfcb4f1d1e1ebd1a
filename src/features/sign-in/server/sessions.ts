import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Auth, sessionSeconds } from './auth.ts';
import type { AuthDatabase } from './auth-database.ts';
import { readCookie, readSignedToken } from './session-cookie.ts';
import { findSession, type SessionRow, setActiveWorkspace, updateLastSeen } from './session-queries.ts';
import { ensureWorkplace, type Workplaces } from './workplaces.ts';

/** The caller's session, or null. Looked up once per request, with one query. */
export type SessionOf = (request: FastifyRequest) => Promise<SessionRow | null>;

export interface Sessions {
  of: SessionOf;
  /** Lets the answers of `app` carry renewed cookies. */
  renewThrough(app: FastifyInstance): void;
}

interface SessionParts {
  auth: Auth;
  db: AuthDatabase;
  secret: string;
  workplaces: Workplaces;
}

export function createSessions({ auth, db, secret, workplaces }: SessionParts): Sessions {
  const found = new WeakMap<FastifyRequest, Promise<SessionRow | null>>();
  const renewed = new WeakMap<FastifyRequest, string[]>();

  async function find(request: FastifyRequest): Promise<SessionRow | null> {
    const { authCookies } = await auth.$context;
    const cookies = request.headers.cookie;
    const token = readSignedToken(readCookie(cookies, authCookies.sessionToken.name), secret);
    if (token === null) return null;
    const session = await findSession(db, token);
    if (!session) return null;
    const forgetful = readCookie(cookies, authCookies.dontRememberToken.name) !== null;
    if (!forgetful && isDueForRenewal(session.expiresAt)) await renew(request, cookies ?? '');
    if (Date.now() - session.lastSeenAt.getTime() > seenEveryMs) await markSeen(session);
    return atWork(session, token);
  }

  async function markSeen({ sessionId, userId, workspace }: SessionRow): Promise<void> {
    await updateLastSeen(db, sessionId);
    if (workspace) await workplaces.markAtWork(db, userId, workspace.id);
  }

  /**
   * Repairs what a crash or a removed membership left: everybody who is signed in has a workspace.
   */
  async function atWork(session: SessionRow, token: string): Promise<SessionRow | null> {
    if (session.workspace && session.workspace.id === session.activeWorkspaceId) return session;
    const workspaceId = session.workspace?.id ?? (await ensureWorkplace(db, workplaces, session.userId));
    await setActiveWorkspace(db, session.sessionId, workspaceId);
    return session.workspace ? session : findSession(db, token);
  }

  /** At most once a day per session: the library moves its end and writes the cookie again. */
  async function renew(request: FastifyRequest, cookie: string): Promise<void> {
    const { headers } = await auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true });
    renewed.set(request, headers.getSetCookie());
  }

  return {
    of(request) {
      const known = found.get(request);
      if (known) return known;
      const finding = find(request);
      found.set(request, finding);
      return finding;
    },
    renewThrough(app) {
      app.addHook('onSend', async (request, reply) => {
        for (const cookie of renewed.get(request) ?? []) reply.header('set-cookie', cookie);
      });
    },
  };
}

/** The precision of "last seen". Each update is a write. */
const seenEveryMs = 5 * 60_000;

function isDueForRenewal(expiresAt: Date): boolean {
  const { life, renewAfter } = sessionSeconds;
  return expiresAt.getTime() - Date.now() <= (life - renewAfter) * 1000;
}
