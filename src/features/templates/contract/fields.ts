import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';

const field = z.object({
  name: z.string().describe('As a template writes it between {{ and }}.'),
  label: z.string(),
  kind: z
    .enum(['contact', 'extra', 'sender', 'message'])
    .describe(
      '`contact`: every contact may have it. `extra`: came with imports. ' +
        '`sender`: the workspace or the mail gives it. `message`: whoever writes the message gives it.',
    ),
  contacts: z.number().int().nullable().describe('How many contacts have a value. Null: not of contacts.'),
});
export type TemplateField = z.output<typeof field>;

export const listTemplateFields = endpoint({
  method: 'GET',
  path: '/api/templates/fields',
  access: access.member('viewer', 'templates:read'),
  summary: 'The merge fields that exist, how many contacts have a value, and the tags.',
  tag: 'Templates',
  response: z.object({
    items: z.array(field),
    tags: z
      .array(z.object({ id: z.number().int(), name: z.string() }))
      .describe('The tags that blocks may ask for, A to Z.'),
    contacts: z.number().int().describe('All contacts.'),
    isEstimate: z
      .boolean()
      .describe('Counted in some 16,000 contacts at even distances. Below 20,000 contacts, all are counted.'),
  }),
});
