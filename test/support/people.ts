import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { z } from 'zod';
import { registerAccount } from '#features/account/server/routes.ts';
import { createMail } from '#features/mail/server/index.ts';
import { createSignIn, type SignIn, type SignInOptions } from '#features/sign-in/server/sign-in.ts';
import { registerTeam } from '#features/team/server/routes.ts';
import { createWorkspaces, type WorkspaceCreated } from '#features/team/server/workspaces.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createHttp } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';
import { access, endpoint } from '#platform/shared/contract.ts';
import { createTestDatabase } from './database.ts';
import { testPassword } from './sign-in.ts';

type Options = Partial<Omit<SignInOptions, 'config' | 'workplaces'>> & {
  onWorkspaceCreated?: WorkspaceCreated;
};

/**
 * The features for people (signing in, account, team) alone, on their own database. A test file can
 * start them as often as it likes.
 */
export interface PeopleBench {
  app: FastifyInstance;
  database: Database;
  /** The same database for the tables' owner, who may do more than the product. */
  owner: Database;
  appUrl: string;
  start(config?: Partial<SignInOptions['config']>, options?: Options): Promise<FastifyInstance>;
  close(): Promise<void>;
}

/** For tests that sign up many people from one network address. */
export const manyCalls = {
  signInsPerAccount: 1000,
  signIns: 1000,
  signUps: 1000,
  accountMails: 1000,
  signOuts: 1000,
};

const baseConfig: SignInOptions['config'] = {
  publicUrl: 'http://localhost:3000',
  secretKey: 'a key for tests that is long enough to be taken',
  previousSecretKeys: [],
  adminEmail: 'boss@harrowgatefoods.co.uk',
  signups: 'open',
  smtpUrl: undefined,
  oidc: undefined,
};

/** Endpoints of no feature, to see what other features are given. */
const whoCalls = endpoint({
  method: 'POST',
  path: '/api/who-calls',
  access: access.member('editor'),
  summary: 'Tells a test who calls.',
  tag: 'Test',
  response: z.object({ userId: z.string(), workspaceId: z.number(), role: z.string() }),
});
const forAdmin = endpoint({
  method: 'GET',
  path: '/api/admin/anything',
  access: access.admin,
  summary: 'Lets the administrator in.',
  tag: 'Test',
  response: z.object({ ok: z.literal(true) }),
});

export async function openPeopleBench(): Promise<PeopleBench> {
  const testDatabase = await createTestDatabase();
  const database = openDatabase({ url: testDatabase.appUrl });
  const owner = openDatabase({ url: testDatabase.ownerUrl, maxConnections: 1 });
  const running: { app: FastifyInstance; signIn: SignIn }[] = [];

  const start: PeopleBench['start'] = async (config = {}, { onWorkspaceCreated, ...options } = {}) => {
    const log = createLogger('silent');
    const full = { ...baseConfig, ...config };
    const mail = createMail({ db: database, config: { ...full, mailFrom: 'post@example.org' }, log });
    const settings = { database, log, mail, rateLimits: manyCalls, ...options };
    const workspaces = createWorkspaces(settings.log, onWorkspaceCreated);
    const signIn = createSignIn({ ...settings, config: full, workplaces: workspaces });
    const { app, router } = createHttp({ authenticate: signIn.authenticate, log, trustedOrigins: [] });
    signIn.register(router);
    const shared = { db: settings.database, mail: settings.mail, signIn };
    registerAccount(router, shared);
    registerTeam(router, { ...shared, workspaces });
    router.handle(whoCalls, async ({ caller, workspaceId, request, reply }) => {
      await signIn.authenticate(request, reply);
      return { userId: caller.userId, workspaceId, role: caller.workspace?.role ?? '' };
    });
    router.handle(forAdmin, async () => ({ ok: true as const }));
    await app.ready();
    running.push({ app, signIn });
    return app;
  };

  return {
    app: await start(),
    database,
    owner,
    appUrl: testDatabase.appUrl,
    start,
    async close() {
      for (const { app, signIn } of running) {
        await app.close();
        signIn.close();
      }
      await database.close();
      await owner.close();
      await testDatabase.drop();
    },
  };
}

export const post = (
  app: FastifyInstance,
  path: string,
  payload: object,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers });

export const signIn = (
  app: FastifyInstance,
  email: string,
  password: string = testPassword,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> => post(app, 'sign-in/email', { email, password }, headers);

export const currentUser = (app: FastifyInstance, cookie: string): Promise<LightMyRequestResponse> =>
  app.inject({ url: '/api/auth/user', headers: { cookie } });

export const errorOf = (answer: LightMyRequestResponse) => ({ status: answer.statusCode, ...answer.json() });
