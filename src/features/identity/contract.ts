import { z } from 'zod';
import { access, endpoint, raw, roles } from '#platform/shared/contract.ts';

/**
 * The calls of this product about who is signed in. Signing in, up and out, the list of one's sessions,
 * passwords, workspaces and invitations are the sign-in library's calls under `/api/auth/*`.
 */

export const currentUser = z.object({
  id: z.string(),
  firstName: z.string().describe('The first word of the name.'),
  lastName: z.string().describe('The rest of the name; empty for a name of one word.'),
  name: z.string(),
  email: z.string(),
  currentPlan: z.literal('free'),
  createdAt: z.iso.datetime(),
  isAdmin: z.boolean().describe('True for the administrator of the installation.'),
  role: z.enum(roles).describe('The role in the current workspace.'),
  workspace: z.object({ id: z.number().int(), name: z.string() }),
});
export type CurrentUser = z.output<typeof currentUser>;

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  access: access.user,
  summary: 'The user who is signed in, and the workspace they are at work in.',
  tag: 'Identity',
  response: currentUser,
});

export const login = endpoint({
  method: 'GET',
  path: '/api/login',
  access: access.public,
  summary: 'Sends a browser to the sign-in page, which brings it back to where it was heading.',
  tag: 'Identity',
  query: z.object({
    next: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('A path of this site to go to after signing in; anything else is ignored.'),
  }),
  response: raw('text/html'),
  status: 302,
});
