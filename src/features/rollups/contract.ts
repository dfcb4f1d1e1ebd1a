import { z } from 'zod';
import { ukPolicies } from '#features/addresses/contract.ts';
import { access, endpoint } from '#platform/shared/contract.ts';

const count = z.number().int();
const series = z.array(count);

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  access: access.member('viewer', 'contacts:read'),
  summary: "The dashboard's figures, read from rollups.",
  tag: 'Contacts',
  response: z.object({
    validEmails: count.describe('Contacts with the status active.'),
    validEmailsChange: z
      .number()
      .describe(
        'Percent by which `validEmails` differs from `validEmailsBeforeImport`, one decimal; 100 when there were none, 0 before the first import.',
      ),
    validEmailsBeforeImport: count
      .nullable()
      .describe('`validEmails` just before the last import; null when nothing was imported yet.'),
    suppressedEmails: count.describe(
      'Contacts with the status suppressed, not entries of the suppression list: those are in `/api/suppressions/summary`.',
    ),
    invalidEmails: count.describe(
      'Contacts with the status invalid, not those whose verdict is invalid: those are in `/api/verifications/summary`.',
    ),
    duplicateEmails: count.describe('Contacts with the status duplicate.'),
    uniqueDomains: count.describe('Domains that contacts of any status have.'),
    totalEmails: count.describe('Contacts of any status.'),
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

const byUkClass = z.object({ uk: count, likely_uk: count, global: count, not_uk: count });

export const getUkView = endpoint({
  method: 'GET',
  path: '/api/emails/uk',
  access: access.member('viewer', 'contacts:read'),
  summary: 'How many contacts each UK class has, and how many are outside the UK rule of the settings.',
  tag: 'Contacts',
  response: z.object({
    contacts: byUkClass.describe('Contacts of any status, by what their domain says.'),
    leftOut: byUkClass.describe(
      'Those among them outside the endings and the policy of the settings; neither invalid nor further copies.',
    ),
    policy: z.enum(ukPolicies),
    countedAt: z.iso.datetime(),
    isOld: z
      .boolean()
      .describe('Contacts or settings have changed since; new figures are being made, ask again.'),
  }),
});

export type UkView = z.output<typeof getUkView.response>;
