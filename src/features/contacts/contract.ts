import { z } from 'zod';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules/verdict.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';
import {
  longestAttributeName,
  longestName,
  longestPartOfName,
  longestValue,
  mostAttributes,
} from './rules/contact-change.ts';

/**
 * The status a contact is shown with. Only what concerns the address is stored; `suppressed` is
 * derived.
 */
export const contactStatuses = ['active', 'suppressed', 'invalid', 'duplicate'] as const;

export type ContactStatus = (typeof contactStatuses)[number];

/** What the last verification found out about a contact's address. */
export const contactVerification = z
  .object({
    verdict: z.enum(verdicts),
    reasons: z.array(z.enum(verdictReasons)),
    risk: z.number().int().min(0).max(100),
    kind: z.enum(addressKinds).nullable(),
    uk: z.enum(ukClasses).nullable(),
    suggestion: z.string().nullable().describe('The address that was probably meant; nobody has applied it.'),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'ContactVerification' });

/** How a contact came onto a list, or by its tag. */
export const memberSources = ['chosen', 'filter', 'pasted', 'api', 'import', 'merge', 'preferences'] as const;

const membership = {
  id: z.number().int(),
  name: z.string(),
  addedAt: z.iso.datetime(),
  source: z
    .enum(memberSources)
    .describe(
      '`chosen` one by one, by a `filter`, `pasted` as addresses, by a program (`api`), by an `import`, by a `merge` with a ' +
        'contact that was there, or by the reader on the page of `preferences`.',
    ),
};
const contactList = z.object(membership);
const contactTag = z.object({ ...membership, color: z.string() });

/**
 * On what legal basis a contact may get marketing. `none`: the business has said that there is
 * none. `unknown`: nobody has said anything.
 */
export const bases = ['consent', 'soft_opt_in', 'corporate_subscriber', 'none', 'unknown'] as const;
export type Basis = (typeof bases)[number];

const contactBasis = z.object({
  basis: z.enum(bases),
  source: z.string().nullable().describe('Where it comes from, in words.'),
  givenOn: z.iso.date().nullable().describe('The day it was given, where that is known.'),
  recordedAt: z.iso.datetime().nullable().describe('Null while nobody has said anything.'),
});

/** A contact: the specification's "Email". */
export const contact = z
  .object({
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
    lists: z.array(contactList).describe('The lists it was put on, A to Z.'),
    tags: z.array(contactTag).describe('A to Z.'),
    marketing: contactBasis.describe('On what basis it may get marketing.'),
    verification: contactVerification.nullable().describe('Null while the contact was never verified.'),
  })
  .meta({ id: 'Contact' });

export type Contact = z.output<typeof contact>;

/** First or last name as it is given. Blank is none. */
const partOfName = z.string().trim().max(longestPartOfName);

/** The names of a contact as a call gives them. */
const givenNames = z.object({
  name: z
    .string()
    .trim()
    .max(longestName)
    .nullish()
    .describe('The name as it is shown. Absent: made from first and last name, if they are given.'),
  firstName: partOfName
    .nullish()
    .describe('First and last name absent: read from the name where it is plainly the name of one person.'),
  lastName: partOfName.nullish(),
});

const givenNotes = z.string().max(longestValue).nullish();

/** JSON in the database takes no half of a surrogate pair. */
const wholeText = z
  .string()
  .refine((text) => text.isWellFormed(), { error: 'This text has a broken character.' });

const givenAttributes = z
  .record(wholeText.min(1).max(longestAttributeName), wholeText.max(longestValue).nullable())
  .refine((attributes) => Object.keys(attributes).length <= mostAttributes, {
    error: `Name at most ${mostAttributes} extra fields.`,
  })
  .optional();

/** What a change of contacts may name. */
export const changeOfContact = z.strictObject({
  ...givenNames.shape,
  notes: givenNotes,
  attributes: givenAttributes.describe(
    'Extra fields by name. Those that are not named stay; null or an empty text removes one.',
  ),
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
  body: z.strictObject({
    email: z.string().trim().min(1).max(1000),
    ...givenNames.shape,
    notes: givenNotes,
    attributes: givenAttributes.describe('Extra fields by name. Null or an empty text is none.'),
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

export const changeContact = endpoint({
  method: 'PATCH',
  path: '/api/emails/:id',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Change names, notes and extra fields of a contact. What is left out stays; null clears. ' +
    'With `expected`, 409 `changed_meanwhile` when somebody has changed one of its fields since.',
  tag: 'Contacts',
  params: idParams,
  body: changeOfContact
    .extend({
      expected: changeOfContact
        .optional()
        .describe(
          'Fields as you last saw them. Absent: changed whatever stands there. Only these are compared, so two people may ' +
            'change different fields at once.',
        ),
    })
    .refine(({ expected: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
      error: 'Send name, firstName, lastName, notes or attributes.',
    }),
  response: contact,
});
