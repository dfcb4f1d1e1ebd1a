import { z } from 'zod';
import { contact } from '#features/contacts/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import { access, endpoint, idParams, itemsOf } from '#platform/shared/contract.ts';

const tag = 'Verification';

const paging = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

// Corrections

const pattern = z.object({ from: z.string().min(1).max(253), to: z.string().min(1).max(253) });

export const correctionPattern = pattern.extend({
  contacts: z.number().int(),
  samples: z.array(z.object({ id: z.number().int(), before: z.string(), after: z.string() })),
});

export type CorrectionPattern = z.output<typeof correctionPattern>;

export const listCorrections = endpoint({
  method: 'GET',
  path: '/api/review/corrections',
  access: access.member('viewer', 'contacts:read'),
  summary: 'Addresses that look like slips, grouped by what would be changed, most contacts first.',
  tag,
  query: paging,
  response: itemsOf(correctionPattern).extend({ contacts: z.number().int() }),
});

/**
 * `merge` means that the corrected address is already a contact. `suppressed` means that the
 * contact would be suppressed.
 */
export const correctionOutcomes = ['correct', 'merge'] as const;

export const suggestedCorrection = z.object({
  id: z.number().int(),
  before: z.string(),
  after: z.string(),
  outcome: z.enum(correctionOutcomes),
  existingId: z.number().int().nullable().describe('The contact that has the corrected address already.'),
  isSuppressed: z
    .boolean()
    .describe(
      'Either address is on the suppression list, so the corrected contact will be suppressed. A bounce of the old one does not count.',
    ),
});

export type SuggestedCorrection = z.output<typeof suggestedCorrection>;

export const listPatternContacts = endpoint({
  method: 'GET',
  path: '/api/review/corrections/contacts',
  access: access.member('viewer', 'contacts:read'),
  summary: 'The contacts of one pattern of corrections, and what accepting would do to each.',
  tag,
  query: paging.extend(pattern.shape),
  response: itemsOf(suggestedCorrection),
});

const chosenPattern = z.strictObject(pattern.shape);

const whichCorrections = z.union([
  z.strictObject({ pattern: chosenPattern }),
  z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(1000) }),
]);

export type WhichCorrections = z.output<typeof whichCorrections>;

const acceptedCorrections = z.union([
  ...whichCorrections.options,
  z.strictObject({ patterns: z.array(chosenPattern).min(1).max(100) }),
]);

/** Several patterns are one correction, which is undone as a whole. */
export type AcceptedCorrections = z.output<typeof acceptedCorrections>;

export const acceptCorrections = endpoint({
  method: 'POST',
  path: '/api/review/corrections/accept',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Change addresses as suggested. A contact whose corrected address exists already is left for merging. Whoever was suppressed stays so under the new address.',
  tag,
  body: acceptedCorrections,
  ...orTask(
    z.object({
      corrected: z.number().int(),
      needMerge: z.number().int(),
      suppressed: z
        .number()
        .int()
        .describe(
          'Put on the suppression list under the new address: suppressed before, or known from a hashed list.',
        ),
      correctionId: z.number().int().nullable(),
    }),
  ),
});

export const dismissCorrections = endpoint({
  method: 'POST',
  path: '/api/review/corrections/dismiss',
  access: access.member('editor', 'contacts:write'),
  summary: 'Do not suggest these corrections again.',
  tag,
  body: whichCorrections,
  response: z.object({ dismissed: z.number().int() }),
});

export const undoCorrection = endpoint({
  method: 'POST',
  path: '/api/corrections/:id/undo',
  access: access.member('editor', 'contacts:write'),
  summary: 'Put the addresses back. Entries on the suppression list stay.',
  tag,
  params: idParams,
  ...orTask(z.object({ restored: z.number().int(), leftOut: z.number().int() })),
  fails: ['gone'],
});

// Contacts that share a mailbox

export const mergeFields = ['name', 'source', 'date', 'notes'] as const;

export type MergeField = (typeof mergeFields)[number];

export const sharedMailbox = z.object({
  mailbox: z.string(),
  contacts: z.array(contact),
  totalContacts: z.number().int(),
  keepId: z.number().int().describe('The contact to keep unless somebody says otherwise.'),
  isSuppressed: z.boolean().describe('One of them is, so the one that stays will be.'),
});

export type SharedMailbox = z.output<typeof sharedMailbox>;

export const listDuplicates = endpoint({
  method: 'GET',
  path: '/api/review/duplicates',
  access: access.member('viewer', 'contacts:read'),
  summary: 'Contacts whose mail ends up in the same mailbox: probably one person.',
  tag,
  query: paging.omit({ limit: true }).extend({ limit: z.coerce.number().int().min(1).max(50).default(10) }),
  response: itemsOf(sharedMailbox),
});

export const mergeContacts = endpoint({
  method: 'POST',
  path: '/api/review/duplicates/merge',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Make contacts into one. The others go to the bin; what the kept one lacks is taken from them. If any is suppressed, the kept one is.',
  tag,
  body: z.strictObject({
    keepId: z.number().int().positive(),
    otherIds: z.array(z.number().int().positive()).min(1).max(100),
    fields: z
      .partialRecord(z.enum(mergeFields), z.number().int().positive())
      .optional()
      .describe('From which contact a field is taken; absent: the kept one, else the first that has it.'),
  }),
  response: z.object({ mergeId: z.number().int(), removed: z.number().int(), contact }),
  fails: ['not_found'],
});

export const undoMerge = endpoint({
  method: 'POST',
  path: '/api/merges/:id/undo',
  access: access.member('editor', 'contacts:write'),
  summary: 'Bring the merged contacts back and give the kept one its own fields again. Suppression stays.',
  tag,
  params: idParams,
  response: z.object({ restored: z.number().int() }),
  fails: ['gone'],
});

export const dismissDuplicates = endpoint({
  method: 'POST',
  path: '/api/review/duplicates/dismiss',
  access: access.member('editor', 'contacts:write'),
  summary: 'These are different people: do not ask again.',
  tag,
  body: z.strictObject({ mailbox: z.string().min(3).max(320) }),
  response: z.object({ dismissed: z.number().int() }),
  fails: ['not_found'],
});

// Past decisions

export const pastDecision = z.object({
  kind: z.enum(['correction', 'merge']),
  id: z.number().int().describe('The id of the correction or the merge, to undo it with.'),
  contacts: z.number().int().describe('How many were corrected, or went into the one that stayed.'),
  pattern: pattern.nullable().describe('From which domain to which all of them were moved; null otherwise.'),
  samples: z
    .array(z.object({ id: z.number().int(), before: z.string(), after: z.string() }))
    .describe('The first of them. For a merge, the first that still stand in the bin.'),
  kept: z
    .object({ id: z.number().int(), address: z.string() })
    .nullable()
    .describe('The contact that stayed in a merge. Null for a correction, and when it is gone by now.'),
  by: z.string().nullable(),
  createdAt: z.iso.datetime(),
  undoneAt: z.iso.datetime().nullable(),
  canUndo: z
    .boolean()
    .describe(
      'False once it is undone, and for a merge whose contacts are no longer in the bin or that waits for `undoFirst`.',
    ),
  undoFirst: z
    .number()
    .int()
    .nullable()
    .describe(
      'The later merge that the kept contact went into, which has to be undone before. Null for none.',
    ),
});

export type PastDecision = z.output<typeof pastDecision>;

export const listPastDecisions = endpoint({
  method: 'GET',
  path: '/api/review/history',
  access: access.member('viewer', 'contacts:read'),
  summary: 'What was corrected and merged, newest first, also what was undone.',
  tag,
  query: paging,
  response: itemsOf(pastDecision),
});

export const correctedContact = z.object({
  id: z.number().int(),
  before: z.string(),
  after: z.string(),
  now: z.string().nullable().describe('The address that the contact has now; null when it is gone.'),
});

export type CorrectedContact = z.output<typeof correctedContact>;

export const listCorrectedContacts = endpoint({
  method: 'GET',
  path: '/api/corrections/:id/contacts',
  access: access.member('viewer', 'contacts:read'),
  summary: 'The contacts of a correction, with what their addresses were, became and are.',
  tag,
  params: idParams,
  query: paging,
  response: itemsOf(correctedContact),
});
