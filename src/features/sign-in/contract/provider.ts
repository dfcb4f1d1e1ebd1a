import { z } from 'zod';
import { access, endpoint, raw } from '#platform/shared/contract.ts';
import { ownPassword } from './passwords.ts';

/**
 * Signing in through the identity provider, if one is configured. It begins with `GET /api/login`.
 */

export const getSignInMethods = endpoint({
  method: 'GET',
  path: '/api/auth/methods',
  access: access.public,
  summary: 'The ways to sign in here.',
  tag: 'Identity',
  response: z.object({
    password: z.boolean().describe('Whether people sign in, and up, with a password.'),
    provider: z
      .object({ name: z.string().describe('What people know it by.') })
      .nullable()
      .describe('The identity provider, where there is one: `GET /api/login` leads there.'),
  }),
});

export const providerCallback = endpoint({
  method: 'GET',
  path: '/api/auth/oauth2/callback/oidc',
  access: access.public,
  summary:
    'Where the identity provider sends a browser back to: signs in, or connects the account, and leads to where the person was heading.',
  tag: 'Identity',
  query: z.object({
    code: z.string().max(4000).optional(),
    state: z.string().max(200).optional(),
    iss: z.string().max(2000).optional().describe('The issuer (RFC 9207).'),
    error: z.string().max(200).optional().describe('Why the provider let nobody in.'),
  }),
  response: raw('text/html'),
  status: 302,
  fails: ['not_found'],
});

export const connectProvider = endpoint({
  method: 'POST',
  path: '/api/account/provider',
  access: access.user,
  summary:
    'Begin to connect your account to the identity provider. It is done once you have signed in there.',
  tag: 'Account',
  body: z.strictObject({ password: ownPassword }),
  response: z.object({ url: z.string().describe('The address of the provider. The browser goes there.') }),
  secretAnswer: true,
  fails: ['not_found'],
});

export const disconnectProvider = endpoint({
  method: 'DELETE',
  path: '/api/account/provider',
  access: access.user,
  summary: 'Sign in through the identity provider no longer. Not where it is the only way to sign in.',
  tag: 'Account',
  body: z.strictObject({ password: ownPassword }),
  response: z.object({ done: z.literal(true) }),
  fails: ['not_found'],
});
