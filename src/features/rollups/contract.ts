import { z } from 'zod';
import { ukPolicies } from '#features/addresses/contract.ts';
import { access, endpoint } from '#platform/shared/contract.ts';

const series = z.array(z.number().int());

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  access: access.member('viewer', 'contacts:read'),
  summary: "The dashboard's figures, read from rollups.",
  tag: 'Contacts',
  response: z.object({
    validEmails: z.number().int(),
    validEmailsChange: z
      .number()
      .describe(
        'Percent by which the valid contacts have changed since just before the last import, one decimal.',
      ),
    suppressedEmails: z.number().int(),
    invalidEmails: z.number().int(),
    duplicateEmails: z.number().int(),
    uniqueDomains: z.number().int(),
    totalEmails: z.number().int(),
    history: z
      .object({
        days: z.array(z.iso.date()),
        valid: series,
        suppressed: series,
        invalid: series,
        domains: series,
      })
      .describe('The figures at the end of each of the last 30 days, oldest first.'),
  }),
});

const byUkClass = z.object({
  uk: z.number().int(),
  likely_uk: z.number().int(),
  global: z.number().int(),
  not_uk: z.number().int(),
});

export const getUkView = endpoint({
  method: 'GET',
  path: '/api/emails/uk',
  access: access.member('viewer', 'contacts:read'),
  summary:
    'How many valid contacts each UK class has, and how many of them the non-UK filter would leave out.',
  tag: 'Contacts',
  response: z.object({
    contacts: byUkClass,
    leftOut: byUkClass.describe('By the endings and the policy of the settings.'),
    policy: z.enum(ukPolicies),
    countedAt: z.iso.datetime(),
    isOld: z
      .boolean()
      .describe('Contacts or settings have changed since; new figures are being made, ask again.'),
  }),
});

export type UkView = z.output<typeof getUkView.response>;
