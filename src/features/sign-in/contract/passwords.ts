import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';

/** Passwords and the second step of signing in. */

const email = z.string().trim().toLowerCase().pipe(z.email('Please enter an email address.').max(254));
const password = z.string().max(200);
/** The caller's own password, as a confirmation. */
export const ownPassword = z
  .string()
  .max(200)
  .default('')
  .describe(
    'Your own password, as a confirmation. Who has none signs in through the identity provider, at most ten minutes before.',
  );
const secret = z.string().min(20).max(100);

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/account/password',
  access: access.user,
  summary: 'Change your own password. Every other session ends at once.',
  tag: 'Account',
  body: z.strictObject({ currentPassword: password, newPassword: password }),
  response: z.object({ endedSessions: z.number().int() }),
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: access.public,
  summary:
    'Send a link that sets a new password. The answer is the same whether or not there is such an account.',
  tag: 'Account',
  body: z.strictObject({ email }),
  response: z.object({ mailed: z.boolean().describe('False where there is no mail server.') }),
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: access.public,
  summary: 'Set a new password with the link of a mail. It works once, for an hour, and ends every session.',
  tag: 'Account',
  body: z.strictObject({ token: secret, password }),
  response: z.object({ email: z.string() }),
  fails: ['gone', 'not_found'],
});

export const secondFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor',
  access: access.public,
  summary: 'The second step of signing in: a code of the authenticator, or a recovery code.',
  tag: 'Account',
  body: z.strictObject({
    code: z.string().trim().max(40),
    kind: z.enum(['authenticator', 'recovery']).default('authenticator'),
    trustDevice: z.boolean().default(false).describe('Ask this device for no second factor for 30 days.'),
  }),
  response: z.object({ done: z.literal(true) }),
  fails: ['gone'],
  writesLittle: true,
});
