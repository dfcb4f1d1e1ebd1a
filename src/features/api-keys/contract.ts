import { z } from 'zod';
import { access, endpoint, idParams, roles } from '#platform/shared/contract.ts';

export const apiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  prefix: z.string().describe('How the key begins, to tell it from others.'),
  scopes: z.array(z.string()),
  createdBy: z.string().describe('Who made it.'),
  holder: z
    .object({
      name: z.string(),
      email: z.string().nullable(),
      role: z
        .enum(roles)
        .nullable()
        .describe('What the key may do at most. Null: they are not a member any more, and it opens nothing.'),
      isSuspended: z.boolean().describe('While they are, it opens nothing.'),
      isYou: z.boolean(),
    })
    .describe('The person it acts for: who made it, or has taken it over since.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable().describe('To within a minute.'),
  expired: z.boolean(),
});
export type ApiKey = z.output<typeof apiKey>;

const tag = 'API keys';

/** The calls for keys with scopes of this kind, at most `most` per key. */
function callsWith(scope: z.ZodType<string, string>, most: number) {
  const key = apiKey.extend({ scopes: z.array(scope) });
  return {
    listApiKeys: endpoint({
      method: 'GET',
      path: '/api/keys',
      access: access.member('admin'),
      summary: "The workspace's API keys that have not been revoked.",
      tag,
      response: z.array(key),
    }),
    createApiKey: endpoint({
      method: 'POST',
      path: '/api/keys',
      access: access.member('admin'),
      summary: 'Make an API key. The key itself is in this answer and nowhere else, ever.',
      tag,
      body: z.strictObject({
        name: z.string(),
        scopes: z.array(scope).min(1, 'Choose at least one scope.').max(most),
        expiresInDays: z.number().int().min(1).max(3650).nullable().default(null),
      }),
      response: key.extend({ key: z.string().describe('To be sent as `Authorization: Bearer …`.') }),
      status: 201,
      secretAnswer: true,
    }),
    takeOverApiKey: endpoint({
      method: 'POST',
      path: '/api/keys/:id/take-over',
      access: access.member('admin'),
      summary:
        'Have an API key act for you: from now on it may do what you may, and it goes on when its maker leaves. ' +
        'Whoever knew it still knows it.',
      tag,
      params: idParams,
      response: key,
    }),
    revokeApiKey: endpoint({
      method: 'DELETE',
      path: '/api/keys/:id',
      access: access.member('admin'),
      summary: 'Revoke an API key. Its next call is refused.',
      tag,
      params: idParams,
      response: z.object({ revoked: z.literal(1) }),
      writesLittle: true,
    }),
  };
}

/** The calls for a product with these scopes. Other scopes are refused. */
export const apiKeyCalls = (scopes: readonly string[]) => callsWith(z.enum(scopes), scopes.length);

/** The same for callers. The server decides which scopes exist. */
export const { listApiKeys, createApiKey, takeOverApiKey, revokeApiKey } = callsWith(
  z.string(),
  Number.MAX_SAFE_INTEGER,
);
