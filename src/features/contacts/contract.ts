import { z } from 'zod';
import { ukClasses, ukPolicies } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules.ts';
import { orTask } from '#features/tasks/contract.ts';
import {
  access,
  cursorField,
  endpoint,
  flag,
  idParams,
  itemsOf,
  nextCursorField,
  raw,
} from '#platform/shared/contract.ts';

/** The status a contact is shown with. Stored is only what is about the address; `suppressed` is derived. */
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
  name: z.string().nullable(),
  source: z.string().nullable(),
  date: z.string().nullable().describe('The date column of the file it came from, as it stood there.'),
  attributes: z.record(z.string(), z.string()),
  ukClass: z.enum(ukClasses),
  importId: z.number().int().nullable(),
  verification: contactVerification.nullable().describe('Null while the contact was never verified.'),
});
export type Contact = z.output<typeof contact>;

export const contactSorts = ['createdAt', 'address'] as const;

/**
 * Which contacts: the filter that the list, the export and the bulk calls share. A name that it does not know is refused:
 * without that condition, the rest would mean more contacts than the caller asked for.
 */
export const contactFilter = z.strictObject({
  search: z.string().max(320).optional().describe('Any part of the address, case-insensitive.'),
  status: z.enum(contactStatuses).optional(),
  domain: z.string().max(253).optional().describe('This domain alone, without its subdomains.'),
  verdict: z.enum(verdicts).optional().describe('Of the last verification, as are the fields below.'),
  reason: z.enum(verdictReasons).optional(),
  kind: z.enum(addressKinds).optional(),
  uk: z.enum(ukClasses).optional(),
  riskFrom: z.coerce.number().int().min(0).max(100).optional(),
  riskTo: z.coerce.number().int().min(0).max(100).optional(),
  source: z.string().min(1).max(1000).optional().describe('Exactly this source.'),
  importId: z.coerce.number().int().positive().optional().describe('Added by this import.'),
  addedFrom: z.iso.date().optional().describe('Added on this day or later, by the calendar of London.'),
  addedTo: z.iso.date().optional().describe('Added on this day or earlier.'),
});
export type ContactFilter = z.output<typeof contactFilter>;

/** The largest page; the specification's screens ask for 20 and 5. */
export const maxPageSize = 200;

export const listContacts = endpoint({
  method: 'GET',
  path: '/api/emails',
  access: access.member('viewer', 'contacts:read'),
  summary: 'One page of contacts, newest first unless sorted otherwise.',
  tag: 'Contacts',
  query: contactFilter.extend({
    page: z.coerce.number().int().min(1).max(10_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(maxPageSize).default(20),
    sort: z
      .enum(contactSorts)
      .default('createdAt')
      .describe('`address` sorts by domain, then by local part.'),
    order: z.enum(['asc', 'desc']).optional().describe('Default: newest first, or A to Z.'),
    cursor: cursorField,
  }),
  response: z.object({
    emails: z.array(contact),
    totalCount: z.number().int().describe('On pages by cursor: as it was on the page that was the first.'),
    totalIsEstimate: z
      .boolean()
      .describe('True when so many contacts match that the total is estimated from a sample.'),
    nextCursor: nextCursorField,
  }),
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

export const listSources = endpoint({
  method: 'GET',
  path: '/api/emails/sources',
  access: access.member('viewer', 'contacts:read'),
  summary: 'Where contacts say they came from, A to Z: up to 200 sources.',
  tag: 'Contacts',
  response: z.object({ items: z.array(z.string()), isAll: z.boolean() }),
});

export const listFields = endpoint({
  method: 'GET',
  path: '/api/emails/fields',
  access: access.member('viewer', 'contacts:read'),
  summary: 'The names of the extra fields that contacts have, A to Z: up to 200.',
  tag: 'Contacts',
  response: z.object({ items: z.array(z.string()) }),
});

export const addContact = endpoint({
  method: 'POST',
  path: '/api/emails',
  access: access.member('editor', 'contacts:write'),
  summary: 'Add one address by hand: also one that was corrected or merged away, which an import leaves out.',
  tag: 'Contacts',
  body: z.object({
    email: z.string().trim().min(1).max(1000),
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

export const deleteContact = endpoint({
  method: 'DELETE',
  path: '/api/emails/:id',
  access: access.member('editor', 'contacts:write'),
  summary: 'Move one contact to the bin, where it can be restored for 30 days.',
  tag: 'Contacts',
  params: idParams,
  response: z.object({ removed: z.number().int(), removalId: z.number().int() }),
});

/** Named contacts, or every contact that matches a filter; an empty filter means all of them. */
export const contactSelection = z.union([
  z.object({ ids: z.array(z.number().int().positive()).min(1).max(100_000) }).strict(),
  z.object({ filter: contactFilter }).strict(),
]);
export type ContactSelection = z.output<typeof contactSelection>;

export const deleteContacts = endpoint({
  method: 'DELETE',
  path: '/api/emails/bulk',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Move contacts to the bin: those named, or all that match a filter. Numbers that no contact of the workspace has are passed ' +
    'over, so that a call may be sent again: with nothing else, `removed` is 0.',
  tag: 'Contacts',
  body: contactSelection,
  response: orTask(z.object({ removed: z.number().int(), removalId: z.number().int().nullable() })),
});

export const countSelection = endpoint({
  method: 'POST',
  path: '/api/emails/count',
  access: access.member('viewer', 'contacts:read'),
  summary: 'How many contacts a selection holds, counted exactly.',
  tag: 'Contacts',
  body: contactSelection,
  response: z.object({ count: z.number().int() }),
});

const cleanResult = z.object({
  removed: z.number().int(),
  duplicates: z.number().int(),
  invalid: z.number().int(),
  nonUk: z.number().int(),
});

export const cleanContacts = endpoint({
  method: 'POST',
  path: '/api/emails/clean',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Remove duplicate, invalid and non-UK contacts by the current settings. They can be restored for 30 days.',
  tag: 'Contacts',
  query: z.object({ preview: flag.optional().describe('The same counts, nothing removed.') }),
  response: orTask(cleanResult.extend({ removalId: z.number().int().nullable() })),
});

export const restoreRemoval = endpoint({
  method: 'POST',
  path: '/api/removals/:id/restore',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Bring back what a delete, a clean or an undone import removed. Addresses added again meanwhile stay as they are.',
  tag: 'Contacts',
  params: idParams,
  response: orTask(z.object({ restored: z.number().int() })),
});

export const removalKinds = ['delete', 'clean', 'undo_import', 'merge'] as const;

/** One deletion: what lies together in the bin, and comes back together. */
export const removal = z.object({
  id: z.number().int(),
  kind: z.enum(removalKinds),
  contacts: z.number().int(),
  reasons: z
    .object({ duplicates: z.number().int(), invalid: z.number().int(), nonUk: z.number().int() })
    .nullable()
    .describe('Of a clean: how many went for what.'),
  importId: z.number().int().nullable(),
  removedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('From then on it cannot be restored any more.'),
  state: z.enum(['removing', 'in-bin', 'restored', 'expired']),
  restored: z.number().int().describe('How many came back.'),
});
export type Removal = z.output<typeof removal>;

export const listRemovals = endpoint({
  method: 'GET',
  path: '/api/removals',
  access: access.member('viewer', 'contacts:read'),
  summary: 'The bin: what was removed, newest first.',
  tag: 'Contacts',
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: itemsOf(removal),
});

export const removedReasons = ['duplicate', 'invalid', 'nonUk'] as const;

export const listRemoved = endpoint({
  method: 'GET',
  path: '/api/removals/:id/contacts',
  access: access.member('viewer', 'contacts:read'),
  summary: 'The contacts of one removal that are in the bin.',
  tag: 'Contacts',
  params: idParams,
  query: z.object({
    search: z.string().max(320).optional().describe('Any part of the address.'),
    after: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('The id of the last contact of the page before.'),
    limit: z.coerce.number().int().min(1).max(maxPageSize).default(50),
  }),
  response: itemsOf(
    z.object({ id: z.number().int(), address: z.string(), reason: z.enum(removedReasons).nullable() }),
  ),
});

export const removalReceipt = endpoint({
  method: 'GET',
  path: '/api/removals/:id/receipt',
  access: access.member('viewer', 'contacts:read'),
  summary: 'What a removal holds, and of a clean why, as CSV. While it is in the bin.',
  tag: 'Contacts',
  params: idParams,
  response: raw('text/csv'),
});

export const exportFormats = ['csv', 'json', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const exportFormat = z
  .enum(exportFormats)
  .optional()
  .describe(
    "Absent: the workspace's own, from its settings. More contacts than a file may hold come as a zip of such files.",
  );

const exportInclude = z
  .enum(['verdict'])
  .optional()
  .describe(
    '`verdict`: also what the last verification found: verdict, reasons, suggestion, risk, uk, kind and verified (when). Empty ' +
      'where a contact was never verified. A column of the same name that people brought keeps it; ours is then `verification_…`.',
  );
export type ExportInclude = z.output<typeof exportInclude>;

export const exportContacts = endpoint({
  method: 'GET',
  path: '/api/emails/export',
  access: access.member('viewer', 'contacts:read'),
  summary: 'The contacts that match the filter as a file, or those named.',
  tag: 'Contacts',
  query: contactFilter.extend({
    ids: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,999}$/, {
        error: 'Give up to 1,000 numbers of contacts with commas between.',
      })
      .transform((text) => text.split(',').map(Number))
      .optional()
      .describe('Up to 1,000 contacts by number, with commas between; the filter is then not looked at.'),
    format: exportFormat,
    include: exportInclude,
  }),
  response: raw('text/csv'),
});

export const checkExport = endpoint({
  method: 'GET',
  path: '/api/emails/export/check',
  access: access.member('viewer', 'contacts:read'),
  summary: 'What the export of a filter would be, without exporting.',
  tag: 'Contacts',
  query: contactFilter.extend({ format: exportFormat, include: exportInclude }),
  response: z.object({ fileName: z.string(), contacts: z.number().int(), parts: z.number().int() }),
});

export const exportSelection = endpoint({
  method: 'POST',
  path: '/api/emails/export',
  access: access.member('viewer', 'contacts:read'),
  summary: 'A selection of contacts as a file; for more of them than fit into an address.',
  tag: 'Contacts',
  query: z.strictObject({ format: exportFormat, include: exportInclude }),
  body: contactSelection,
  response: raw('text/csv'),
});

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
