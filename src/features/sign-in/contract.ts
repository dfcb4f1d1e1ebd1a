import { z } from 'zod';
import { access, endpoint, raw, roles } from '#platform/shared/contract.ts';
import { freePlan } from './rules/plan.ts';

export * from './contract/passwords.ts';
export * from './contract/provider.ts';

/**
 * Who is signed in, and how people get in and out. Only three of the sign-in library's own
 * calls are open, under `/api/auth/*`: sign-up, sign-in and sign-out.
 */

const tag = 'Identity';
const role = z.enum(roles);

export const currentUser = z.object({
  id: z.string(),
  firstName: z.string().describe('The first word of the name.'),
  lastName: z.string().describe('The rest of the name; empty for a name of one word.'),
  name: z.string(),
  email: z.string(),
  currentPlan: z.literal(freePlan),
  createdAt: z.iso.datetime(),
  isAdmin: z.boolean().describe('True for the administrator of the installation.'),
  role: role.describe('The role in the current workspace.'),
  workspace: z.object({
    id: z.number().int(),
    name: z.string(),
    requiresTwoFactor: z.boolean().describe('Whether members need two-factor sign-in to be at work here.'),
  }),
  needsTwoFactor: z
    .boolean()
    .describe(
      'True while the workspace requires it and the caller has none, nor signed in through the identity provider: calls of the workspace are refused with `two_factor_required`.',
    ),
});
export type CurrentUser = z.output<typeof currentUser>;

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  access: access.user,
  summary: 'The user who is signed in, and the workspace they are at work in.',
  tag,
  response: currentUser,
});

export const login = endpoint({
  method: 'GET',
  path: '/api/login',
  access: access.public,
  summary:
    'Sends a browser to the identity provider, or to the sign-in page where there is none, and from there to where it was heading.',
  tag,
  query: z.object({
    next: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('A path of this site to go to after signing in; anything else is ignored.'),
    at: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Set by the call itself, once it has sent the browser to PUBLIC_URL.'),
  }),
  response: raw('text/html'),
  status: 302,
  fails: ['not_found'],
});
