import type { FastifyInstance, InjectOptions } from 'fastify';
import { type Caller, createHttp, type Router } from '#platform/server/http.ts';
import { createLogger } from '#platform/server/logging.ts';
import type { Role } from '#platform/shared/contract.ts';
import { watchAnswers } from './answers.ts';

/**
 * A caller in a workspace, without the sign-in: for tests of one feature's calls. Sign-in itself
 * and the way from a cookie to a caller are tested with identity.
 */
export function stubCaller(workspaceId: number, role: Role = 'editor'): Caller {
  return {
    userId: '1',
    email: `${role}@workspace-${workspaceId}.co.uk`,
    name: role,
    isAdmin: false,
    workspace: { id: workspaceId, name: `Workspace ${workspaceId}`, role },
  };
}

export interface TestHttp {
  app: FastifyInstance;
  /** A call by `caller` (null: nobody signed in). Returns the status and the parsed body. */
  call(
    caller: Caller | null,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what its call answers
  ): Promise<{ status: number; body: any; headers: Record<string, unknown> }>;
}

/** The HTTP server with the calls that `register` adds, called in process. */
export async function createTestHttp(register: (router: Router) => void): Promise<TestHttp> {
  const callers = new Map<string, Caller>();
  const { app, router } = createHttp({
    log: createLogger('silent'),
    trustedOrigins: [],
    authenticate: async (request) => callers.get(String(request.headers['x-test-caller'])) ?? null,
  });
  register(router);
  watchAnswers(app);
  await app.ready();
  return {
    app,
    async call(caller, method, url, body) {
      const key = JSON.stringify(caller);
      if (caller) callers.set(key, caller);
      const options: InjectOptions = { method, url, headers: { 'x-test-caller': key } };
      if (body !== undefined) {
        options.payload = JSON.stringify(body);
        options.headers = { ...options.headers, 'content-type': 'application/json' };
      }
      const response = await app.inject(options);
      const isJson = String(response.headers['content-type'] ?? '').includes('json');
      return {
        status: response.statusCode,
        body: isJson ? response.json() : response.body,
        headers: response.headers,
      };
    },
  };
}
