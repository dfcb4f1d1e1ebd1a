import { z } from 'zod';
import { selectionWith } from '#features/audience/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import {
  access,
  cursorField,
  downloadLimits,
  endpoint,
  fileTypes,
  idParams,
  multipart,
  raw,
  walkedItemsOf,
} from '#platform/shared/contract.ts';

export const suppressionReasons = [
  'manual',
  'unsubscribed',
  'bounced',
  'complained',
  'erased',
  'imported',
] as const;

export type SuppressionReason = (typeof suppressionReasons)[number];

const entry = {
  reason: z.enum(suppressionReasons),
  note: z.string().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z
    .string()
    .nullable()
    .describe('The name of who put it there; null when the product did it by itself.'),
};

export const emailSuppression = z
  .object({
    id: z.number().int(),
    email: z.string(),
    affectedCount: z.number().int().describe('Contacts with this address now, copies included.'),
    ...entry,
  })
  .meta({ id: 'EmailSuppression' });
export type EmailSuppression = z.output<typeof emailSuppression>;

export const domainSuppression = z
  .object({
    id: z.number().int(),
    domain: z.string(),
    affectedCount: z.number().int().describe('Contacts in the domain and its subdomains now.'),
    ...entry,
  })
  .meta({ id: 'DomainSuppression' });
export type DomainSuppression = z.output<typeof domainSuppression>;

/** Which entries of a list. An empty filter means all of them. */
export const suppressionFilter = z.object({
  search: z.string().max(320).optional().describe('Any part of the address or domain, case-insensitive.'),
  reason: z.enum(suppressionReasons).optional(),
});
export type SuppressionFilter = z.output<typeof suppressionFilter>;

/** A name that is not there is refused: with a slip in it, the whole list would be the answer. */
const listQuery = z.strictObject({
  ...suppressionFilter.shape,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(20),
  cursor: cursorField,
});

const pageOf = <T extends z.ZodType>(item: T) =>
  walkedItemsOf(item).extend({
    totalIsEstimate: z
      .boolean()
      .describe('True when a search matches so many entries that the total is estimated from a sample.'),
  });

const tag = 'Suppressions';
/** An address that somebody puts on the list. */
const putOnList = emailSuppression.extend({
  isNew: z
    .boolean()
    .describe('False when the address was on the list already; then its entry keeps the weightier reason.'),
});
export type PutOnList = z.output<typeof putOnList>;
const suppressed = z.object({
  suppressed: z.number().int().describe('Addresses newly on the list; those already there are not counted.'),
});

export const suppressContact = endpoint({
  method: 'POST',
  path: '/api/suppressions/email',
  access: access.member('editor', 'suppressions:write'),
  summary: "Put a contact's address on the suppression list.",
  tag,
  body: z.strictObject({ emailId: z.number().int().positive() }),
  response: putOnList,
  status: 201,
  fails: ['not_found'],
});

/** The calls of a product whose features add these filters. They take no others. */
export const suppressionCalls = (added: AddedFilters) => ({
  suppressContacts: endpoint({
    method: 'POST',
    path: '/api/suppressions/emails',
    access: access.member('editor', 'suppressions:write'),
    summary:
      'Put the addresses of contacts on the suppression list: those named, or all that match a filter. Numbers that no contact ' +
      'of the workspace has are passed over, so that a call may be sent again.',
    tag,
    body: selectionWith(added),
    ...orTask(suppressed),
  }),
});

/** The same for callers. The server decides which filters there are. */
export const { suppressContacts } = suppressionCalls({});

export const suppressAddress = endpoint({
  method: 'POST',
  path: '/api/suppressions/email/manual',
  access: access.member('editor', 'suppressions:write'),
  summary: 'Put an address on the suppression list, whether or not it is a contact.',
  tag,
  body: z.strictObject({
    email: z.string().trim().min(1).max(1000),
    note: z.string().max(1000).nullish(),
    reason: z.enum(['manual', 'unsubscribed', 'bounced', 'complained']).default('manual'),
  }),
  response: putOnList,
  status: 201,
});

export const suppressDomain = endpoint({
  method: 'POST',
  path: '/api/suppressions/domain',
  access: access.member('editor', 'suppressions:write'),
  summary: 'Suppress a whole domain with its subdomains.',
  tag,
  body: z.strictObject({ domain: z.string().trim().min(1).max(1000), note: z.string().max(1000).nullish() }),
  response: domainSuppression.extend({
    isNew: z.boolean().describe('False when the domain was on the list already; then nothing has changed.'),
  }),
  status: 201,
});

export const previewDomain = endpoint({
  method: 'GET',
  path: '/api/suppressions/domains/preview',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'What suppressing a domain would do, before anybody does it.',
  tag,
  query: z.object({ domain: z.string().trim().min(1).max(1000) }),
  response: z.object({
    domain: z.string().describe('As it would be on the list.'),
    affectedCount: z.number().int().describe('Contacts in the domain and its subdomains now.'),
    suppressedCount: z.number().int().describe('Those among them that are suppressed already.'),
    isListed: z.boolean().describe('The domain is on the list already.'),
  }),
});
export type DomainPreview = z.output<typeof previewDomain.response>;

export const listEmailSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions/emails',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'Suppressed addresses, newest first.',
  tag,
  query: listQuery.extend({
    email: z.string().max(1000).optional().describe('Exactly this address, case-insensitive.'),
  }),
  response: pageOf(emailSuppression),
});

export const listDomainSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions/domains',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'Suppressed domains, newest first.',
  tag,
  query: listQuery,
  response: pageOf(domainSuppression),
});

const why = z.string().max(1000).optional().describe('Why it is lifted; kept in the audit log.');
const liftBody = z.strictObject({ reason: why });
const lifted = z.object({
  removed: z.number().int(),
  liftingId: z.number().int().nullable().describe('For taking it back; null when nothing was removed.'),
});

export const liftEmailSuppression = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/email/:id',
  access: access.member('editor', 'suppressions:write'),
  summary:
    'Take an address off the suppression list. With `expected`, 409 `changed_meanwhile` when it is on it for another reason by now.',
  tag,
  params: idParams,
  body: liftBody.extend({
    expected: z
      .enum(suppressionReasons)
      .optional()
      .describe('The reason of the entry as you last saw it. Absent: taken off whatever its reason is.'),
  }),
  response: lifted,
  fails: ['changed_meanwhile'],
});

export const liftDomainSuppression = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/domain/:id',
  access: access.member('editor', 'suppressions:write'),
  summary: 'Take a domain off the suppression list.',
  tag,
  params: idParams,
  body: liftBody,
  response: lifted,
});

/** Named entries, or every entry that matches a filter. */
export const liftManyBody = z.union([
  z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(100_000), reason: why }),
  z.strictObject({ filter: suppressionFilter.strict(), reason: why }),
]);
export type LiftMany = z.output<typeof liftManyBody>;

export const liftEmailSuppressions = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/emails',
  access: access.member('editor', 'suppressions:write'),
  summary:
    'Take several addresses off the suppression list: those named, or all that match a filter. Numbers of no entry are passed ' +
    'over, so that a call may be sent again.',
  tag,
  body: liftManyBody,
  ...orTask(lifted),
});

export const liftDomainSuppressions = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/domains',
  access: access.member('editor', 'suppressions:write'),
  summary:
    'Take several domains off the suppression list: those named, or all that match a filter. Numbers of no entry are passed ' +
    'over, so that a call may be sent again.',
  tag,
  body: liftManyBody,
  ...orTask(lifted),
});

export const undoLifting = endpoint({
  method: 'POST',
  path: '/api/suppressions/liftings/:id/undo',
  access: access.member('editor', 'suppressions:write'),
  summary: 'Put back on the list what was taken off, as it stood there. For 30 days.',
  tag,
  params: idParams,
  ...orTask(z.object({ restored: z.number().int() })),
});

const byReason = z.partialRecord(z.enum(suppressionReasons), z.number().int());

export const suppressionSummary = endpoint({
  method: 'GET',
  path: '/api/suppressions/summary',
  access: access.member('viewer', 'suppressions:read'),
  summary:
    'How long each list is, by reason; of the hashes that imported lists brought, by kind. A hash stays where its address was found, and is then an entry as well.',
  tag,
  response: z.object({
    emails: byReason,
    domains: byReason,
    hashes: z.partialRecord(z.enum(['md5', 'sha1', 'sha256', 'hmac']), z.number().int()),
  }),
});
export type SuppressionSummary = z.output<(typeof suppressionSummary)['response']>;

export const listForms = ['auto', 'plain', 'md5', 'sha1', 'sha256'] as const;
/** The reasons a person may give for a whole list. `erased` only comes from erasing. */
export const listReasons = ['imported', 'unsubscribed', 'bounced', 'complained', 'manual'] as const;

const count = z.number().int();
const listCounts = {
  lines: count.describe('Lines with something in them: added + domains + alreadyThere + invalid.'),
  added: count.describe('Addresses new on the list, those known by their hash alone among them.'),
  alreadyThere: count,
  invalid: count,
  domains: count.describe('Domains new on the list.'),
  hashes: count.describe('Those among the added that are known by their hash alone.'),
  recognised: count.describe('Addresses of contacts that were found by a hash of this list.'),
};
export const listImportResult = z.object({ id: count, ...listCounts });
export type ListImportResult = z.output<typeof listImportResult>;

export const importSuppressions = endpoint({
  method: 'POST',
  path: '/api/suppressions/import',
  access: access.member('editor', 'suppressions:write'),
  summary:
    'Import a suppression list: addresses, domains, or MD5, SHA-1 or SHA-256 hashes of lower-case addresses, as CSV or plain text.',
  tag,
  body: multipart({
    reason: `Why they are suppressed, where the list does not say so itself: ${listReasons.join(', ')}. A domain is \`manual\` or else \`imported\`, whatever the list says. Before the file.`,
    form: `What the lines are: ${listForms.join(', ')}. Before the file.`,
    file: 'The list.',
  }),
  ...orTask(listImportResult),
  limits: 'Lists are limited as imports are, and counted separately. A file is at most 1 GB (413).',
});

export const listImport = z
  .object({
    id: count,
    fileName: z.string(),
    fileSize: count,
    reason: z.enum(suppressionReasons),
    status: z.enum(['processing', 'completed', 'failed']),
    error: z.string().nullable(),
    result: listImportResult.nullable(),
    hasReceipt: z.boolean(),
    createdBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'SuppressionImport' });
export type ListImport = z.output<typeof listImport>;

export const listSuppressionImports = endpoint({
  method: 'GET',
  path: '/api/suppressions/imports',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'Imported suppression lists, newest first.',
  tag,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(200).default(20),
    cursor: cursorField,
  }),
  response: walkedItemsOf(listImport),
});

export const suppressionImport = endpoint({
  method: 'GET',
  path: '/api/suppressions/imports/:id',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'One imported suppression list, with what became of its lines.',
  tag,
  params: idParams,
  response: listImport,
});

export const suppressionImportReceipt = endpoint({
  method: 'GET',
  path: '/api/suppressions/imports/:id/receipt',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'Every line of a list that could not be read, with its number, the reason and its text, as CSV.',
  tag,
  params: idParams,
  response: raw(fileTypes.csv),
});

export const exportSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions/export',
  access: access.member('viewer', 'suppressions:read'),
  summary: 'A whole list as CSV with reason and date; addresses as they are or as hashes.',
  tag,
  query: z.strictObject({
    kind: z.enum(['emails', 'domains']).default('emails'),
    form: z.enum(['plain', 'md5', 'sha1', 'sha256']).default('plain'),
  }),
  response: raw(fileTypes.csv),
  limits: downloadLimits,
});
