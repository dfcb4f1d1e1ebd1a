import { z } from 'zod';
import { verdicts } from '#features/addresses/rules.ts';
import { removalKinds } from '#features/bin/contract.ts';
import { suppressionReasons } from '#features/suppressions/contract.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

const happened = {
  at: z.iso.datetime(),
  by: z
    .string()
    .nullable()
    .describe(
      'The name of the person, or the API key; null where nobody is recorded, or the product did it by itself.',
    ),
};

/** What an entry on the suppression list, or its lifting, is about. */
const covered = {
  domain: z
    .string()
    .nullable()
    .describe("The suppressed domain, the contact's own or one above it; null for its address alone."),
};

/** How it got into the bin. */
const how = z.enum(removalKinds);

/** One thing that happened to a contact. */
export const contactEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('added'),
    ...happened,
    as: z.enum(['active', 'invalid', 'duplicate']).describe('What it was taken for when it came in.'),
    import: z
      .object({ id: z.number().int(), fileName: z.string().nullable() })
      .nullable()
      .describe('The import that brought it; null when it was added by hand.'),
  }),
  z.object({
    kind: z.literal('verified'),
    ...happened,
    verdict: z.enum(verdicts),
    risk: z.number().int().min(0).max(100),
    run: z
      .object({ id: z.number().int(), whole: z.boolean() })
      .nullable()
      .describe(
        'The run that said so: over all contacts, or over this one alone. Null when it was part of another change.',
      ),
  }),
  z.object({
    kind: z.literal('suppressed'),
    ...happened,
    ...covered,
    reason: z.enum(suppressionReasons),
    note: z.string().nullable(),
    fileName: z.string().nullable().describe('The list that it was imported with.'),
  }),
  z.object({
    kind: z.literal('lifted'),
    ...happened,
    ...covered,
    why: z.string().nullable(),
  }),
  z.object({ kind: z.literal('put_back'), ...happened, ...covered }),
  z.object({ kind: z.literal('corrected'), ...happened, from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('correction_undone'), ...happened, from: z.string(), to: z.string() }),
  z.object({
    kind: z.literal('merged'),
    ...happened,
    others: z.array(z.string()).describe('The first of the addresses that went into this contact.'),
    contacts: z.number().int().describe('How many there were.'),
  }),
  z.object({ kind: z.literal('unmerged'), ...happened, contacts: z.number().int() }),
  z.object({
    kind: z.literal('removed'),
    ...happened,
    how,
    into: z.string().nullable().describe('Of a merge: the contact that stayed, while it is there.'),
  }),
  z.object({ kind: z.literal('restored'), ...happened, how }),
]);
export type ContactEvent = z.output<typeof contactEvent>;

/** The newest events that are answered. */
export const mostEvents = 50;

export const getTimeline = endpoint({
  method: 'GET',
  path: '/api/emails/:id/timeline',
  access: access.member('viewer', 'contacts:read'),
  summary: `What happened to one contact, newest first: the newest ${mostEvents}, from what is recorded of it. An API key is told of suppressions with \`suppressions:read\`, and of verdicts with \`verify\`.`,
  tag: 'Contacts',
  params: idParams,
  response: z.object({
    items: z.array(contactEvent),
    isAll: z.boolean().describe('False when there is more, which is older.'),
    lastActivityAt: z.iso.datetime().describe('When the newest of them was.'),
  }),
});
