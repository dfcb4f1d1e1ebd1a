import { z } from 'zod';
import { looksLikeEmail } from '#features/addresses/rules/looks-like-email.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

export const mostTestAddresses = 10;
export const testsAnHour = 60;

export const sendTest = endpoint({
  method: 'POST',
  path: '/api/templates/:id/test',
  access: access.member('editor', 'templates:write'),
  summary:
    'Send the template to members of the workspace, filled for a contact or with sample values. The subject begins with [Test]. ' +
    'With an API key, a contact takes the scope `contacts:read` too.',
  tag: 'Templates',
  limits: `At most ${mostTestAddresses} addresses a call, and ${testsAnHour} calls an hour for a workspace.`,
  params: idParams,
  body: z.strictObject({
    to: z
      .array(
        z
          .string()
          .trim()
          .toLowerCase()
          .max(254)
          .refine(looksLikeEmail, {
            error: ({ input }) => `“${String(input).slice(0, 60)}” is not an email address.`,
          }),
      )
      .min(1, 'Say to whom.')
      .max(mostTestAddresses, `A test goes to at most ${mostTestAddresses} addresses.`)
      .describe('Addresses of members of the workspace. With a mail server, confirmed ones.'),
    subject: z
      .string()
      .trim()
      .max(400, 'A subject has at most 400 characters.')
      .optional()
      .describe('May hold merge fields. Absent or empty: the name of the template.'),
    contactId: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  }),
  response: z.object({
    sent: z.number().int(),
    isKept: z.boolean().describe('There is no mail server: the mails stay in the outbox.'),
  }),
  fails: ['rate_limited'],
});
