import { createHash } from 'node:crypto';
import type { Database } from '#platform/server/database.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import type { Authenticate } from '#platform/server/http.ts';
import { port } from '#platform/server/ports.ts';
import { AppError } from '#platform/shared/errors.ts';
import { allScopes } from '#platform/shared/feature-words.ts';
import { apiKeyCalls } from '../contract.ts';
import { apiKeysWords } from '../rules/words.ts';
import { keyLimit, workspaceOfKey } from '../rules.ts';
import { createIdempotency } from './idempotency.ts';
import { forgetCalls, useKey } from './queries.ts';
import { registerApiKeys } from './routes.ts';

export { keysByHolder, revokeKeysOf, takeOverKeysOf } from './holders.ts';

/** Calls that a key may make per minute, if that differs from the configuration. */
export const keyCallsPort = port<number>('api-keys.calls-a-minute');

const bearer = /^Bearer\s+(em_\S*)\s*$/i;

/**
 * The API key in the `Authorization` header, if there is one. Then later ways to authenticate are
 * not asked: an invalid key is refused, even if a valid cookie comes with it.
 */
function authenticateKeys(db: Database, limit: number): Authenticate {
  return async (request, reply) => {
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) return null;
    const workspaceId = workspaceOfKey(key);
    const hash = createHash('sha256').update(key).digest();
    const use =
      workspaceId === null ? undefined : await useKey(db.system, workspaceId, hash, keyLimit.windowSeconds);
    if (workspaceId === null || !use)
      throw new AppError(
        'unauthenticated',
        'This API key is not valid: it is mistyped, revoked or has run out, or the person it acts for is not a member any more.',
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
      userId: String(use.holderId),
      email: `API key ${use.name}`,
      name: `API key ${use.name}`,
      isAdmin: false,
      workspace: { id: workspaceId, name: use.workspaceName, role: use.holderRole },
      key: { id: use.id, scopes: use.scopes, role: use.holderRole },
    };
  };
}

const callsOf = (features: readonly ServerFeature[]) =>
  apiKeyCalls(allScopes(features.map(({ words }) => words ?? {})).map(({ scope }) => scope));

export const apiKeysFeature: ServerFeature = {
  name: 'api-keys',
  contract: callsOf,
  words: apiKeysWords,
  create({ db, config, find, features }) {
    return {
      authenticate: authenticateKeys(db, find(keyCallsPort) ?? config.limits.keyCalls),
      idempotency: createIdempotency(db),
      routes: (router) => registerApiKeys(router, db, callsOf(features)),
      jobs: [{ name: 'api-keys.forget-calls', schedule: '7 * * * *', handler: () => forgetCalls(db.system) }],
    };
  },
};
