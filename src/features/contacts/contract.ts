import { z } from 'zod';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules/verdict.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';
/**
 * The status a contact is shown with. Only what concerns the address is stored; `suppressed` is
 * derived.
 */
export const contactStatuses = ['active', 'suppressed', 'invalid', 'duplicate'] as const;

export type ContactStatus = (typeof contactStatuses)[number];

/** What the last verification found out about a contact's address. */
export const contactVerification = z.object({
  verdict: z.enum(verdicts),
  reasons: z.array(z.enum(verdictReasons)),
  risk: z.number().int().min(0).max(100),
  kind: z.enum(addressKinds).nullable(),
  uk: z.enum(ukClasses).nullable(),
  suggestion: z.string().nullable().describe('The address that was probably meant; nobody has applied it.'),
  checkedAt: z.iso.datetime(),
});

/** A contact: the specification's "Email". */
export const contact = z.object({
  id: z.number().int(),
  address: z.string(),
  domain: z.string(),
  status: z.enum(contactStatuses),
  createdAt: z.iso.datetime(),
  notes: z.string().nullable(),
  name: z.string().nullable().describe('The name as it is shown.'),
  firstName: z.string().nullable().describe('Null where it is not known, also when there is a name.'),
  lastName: z.string().nullable(),
  source: z.string().nullable(),
  date: z.string().nullable().describe('The date column of the file it came from, as it stood there.'),
  attributes: z.record(z.string(), z.string()),
  ukClass: z.enum(ukClasses),
  importId: z.number().int().nullable(),
  verification: contactVerification.nullable().describe('Null while the contact was never verified.'),
});

export type Contact = z.output<typeof contact>;

/** First or last name as it is given. Blank is none. */
const partOfName = z.string().trim().max(200);

/** The names of a contact as a call gives them. */
const givenNames = z.object({
  name: z
    .string()
    .trim()
    .max(500)
    .nullish()
    .describe('The name as it is shown. Absent: made from first and last name, if they are given.'),
  firstName: partOfName
    .nullish()
    .describe('First and last name absent: read from the name where it is plainly the name of one person.'),
  lastName: partOfName.nullish(),
});

export const getContact = endpoint({
  method: 'GET',
  path: '/api/emails/:id',
  access: access.member('viewer', 'contacts:read'),
  summary: 'One contact.',
  tag: 'Contacts',
  params: idParams,
  response: contact,
});

export const addContact = endpoint({
  method: 'POST',
  path: '/api/emails',
  access: access.member('editor', 'contacts:write'),
  summary: 'Add one address by hand: also one that was corrected or merged away, which an import leaves out.',
  tag: 'Contacts',
  body: z.object({
    email: z.string().trim().min(1).max(1000),
    ...givenNames.shape,
    notes: z.string().max(10_000).nullish(),
    checkSuppressions: z
      .boolean()
      .default(true)
      .describe(
        'Refuse an address that is on the suppression list. Off: it is added, and shown as suppressed.',
      ),
  }),
  response: contact,
  status: 201,
});
