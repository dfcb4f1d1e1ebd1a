import { z } from 'zod';
import { access, endpoint, idParams, scopes } from '#platform/shared/contract.ts';

const scope = z.enum(scopes);

export const apiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  prefix: z.string().describe('How the key begins, to tell it from others.'),
  scopes: z.array(scope),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable().describe('To within a minute.'),
  expired: z.boolean(),
});
export type ApiKey = z.output<typeof apiKey>;

const tag = 'API keys';

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  access: access.member('admin'),
  summary: "The workspace's API keys that have not been revoked.",
  tag,
  response: z.array(apiKey),
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  access: access.member('admin'),
  summary: 'Make an API key. The key itself is in this answer and nowhere else, ever.',
  tag,
  body: z.object({
    name: z.string(),
    scopes: z.array(scope).min(1, 'Choose at least one scope.').max(scopes.length),
    expiresInDays: z.number().int().min(1).max(3650).nullable().default(null),
  }),
  response: apiKey.extend({ key: z.string().describe('To be sent as `Authorization: Bearer …`.') }),
  status: 201,
  secretAnswer: true,
});

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/:id',
  access: access.member('admin'),
  summary: 'Revoke an API key. Its next call is refused.',
  tag,
  params: idParams,
  response: z.object({ revoked: z.literal(1) }),
});
