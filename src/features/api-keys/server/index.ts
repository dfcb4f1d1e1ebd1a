import { createHash } from 'node:crypto';
import type { Database } from '#platform/server/database.ts';
import type { Authenticate, Router } from '#platform/server/http.ts';
import type { Idempotency } from '#platform/server/idempotency.ts';
import type { JobDefinition } from '#platform/server/jobs.ts';
import { AppError } from '#platform/shared/errors.ts';
import { keyLimit, workspaceOfKey } from '../rules.ts';
import { createIdempotency } from './idempotency.ts';
import { forgetCalls, useKey } from './queries.ts';
import { registerApiKeys } from './routes.ts';

export interface ApiKeys {
  /**
   * Who calls: the API key in the `Authorization` header when there is one, else whoever `fallback` finds. Never both: a key
   * that is not valid is refused, whatever cookie comes along.
   */
  authenticate(fallback: Authenticate): Authenticate;
  idempotency: Idempotency;
  register(router: Router): void;
  jobs: JobDefinition[];
}

const bearer = /^Bearer\s+(em_\S*)\s*$/i;

export function createApiKeys({ db, limit = keyLimit.most }: { db: Database; limit?: number }): ApiKeys {
  return {
    authenticate: (fallback) => async (request, reply) => {
      const key = bearer.exec(request.headers.authorization ?? '')?.[1];
      if (key === undefined) return fallback(request, reply);
      const workspaceId = workspaceOfKey(key);
      const hash = createHash('sha256').update(key).digest();
      const use =
        workspaceId === null ? undefined : await useKey(db.system, workspaceId, hash, keyLimit.windowSeconds);
      if (workspaceId === null || !use)
        throw new AppError(
          'unauthenticated',
          'This API key is not valid: it is mistyped, revoked or has run out.',
        );
      reply.header('ratelimit-limit', limit);
      reply.header('ratelimit-remaining', Math.max(0, limit - use.used));
      reply.header('ratelimit-reset', use.resetsIn);
      if (use.used > limit) {
        throw new AppError(
          'rate_limited',
          `This API key may make ${limit} calls a minute. Wait ${use.resetsIn} seconds.`,
          { retryAfter: use.resetsIn },
        );
      }
      return {
        userId: String(use.createdBy),
        email: `API key ${use.name}`,
        name: `API key ${use.name}`,
        isAdmin: false,
        workspace: { id: workspaceId, name: use.workspaceName, role: 'viewer' },
        key: { id: use.id, scopes: use.scopes },
      };
    },
    idempotency: createIdempotency(db),
    register: (router) => registerApiKeys(router, db),
    jobs: [{ name: 'api-keys.forget-calls', schedule: '7 * * * *', handler: () => forgetCalls(db.system) }],
  };
}
