import { z } from 'zod';
import { maxPageSize, selectionWith } from '#features/audience/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import {
  access,
  downloadLimits,
  endpoint,
  fileTypes,
  flag,
  idParams,
  itemsOf,
  raw,
} from '#platform/shared/contract.ts';

export const deleteContact = endpoint({
  method: 'DELETE',
  path: '/api/emails/:id',
  access: access.member('editor', 'contacts:write'),
  summary: 'Move one contact to the bin, where it can be restored for 30 days.',
  tag: 'Contacts',
  params: idParams,
  response: z.object({ removed: z.number().int(), removalId: z.number().int() }),
});

/** The calls of a product whose features add these filters. They take no others. */
export const binCalls = (added: AddedFilters) => ({
  deleteContacts: endpoint({
    method: 'DELETE',
    path: '/api/emails/bulk',
    access: access.member('editor', 'contacts:write'),
    summary:
      'Move contacts to the bin: those named, or all that match a filter. Numbers that no contact of the workspace has are passed ' +
      'over, so that a call may be sent again: with nothing else, `removed` is 0.',
    tag: 'Contacts',
    body: selectionWith(added),
    ...orTask(z.object({ removed: z.number().int(), removalId: z.number().int().nullable() })),
  }),
});

/** The same for callers. The server decides which filters there are. */
export const { deleteContacts } = binCalls({});

/**
 * Why a contact may go. Each contact has one reason, the first that fits: a further copy, invalid,
 * or outside the UK rule of the settings. The last is parted: `letIn` are those whose import had a
 * UK policy of its own that keeps them, or left the non-UK filter out.
 */
export const cleanReasons = ['duplicate', 'invalid', 'nonUk', 'letIn'] as const;
export type CleanReason = (typeof cleanReasons)[number];

/** What Clean removes when nobody chooses: what an import let in by its own choice stays. */
export const usualReasons: readonly CleanReason[] = ['duplicate', 'invalid', 'nonUk'];

/** The query of a cleaning. */
export const cleanQuery = z.object({
  preview: flag
    .optional()
    .describe('The same counts, with samples and the largest domains of each reason. Nothing is removed.'),
  reasons: z
    .string()
    .regex(new RegExp(`^((${cleanReasons.join('|')})(,(${cleanReasons.join('|')})){0,9})?$`), {
      error: `Give one or several of ${cleanReasons.join(', ')} with commas between.`,
    })
    .transform((text) => cleanReasons.filter((reason) => text.split(',').includes(reason)))
    .optional()
    .describe(
      'What to remove, with commas between. Absent: `duplicate,invalid,nonUk`. Each contact has the first reason that fits: ' +
        '`duplicate`, `invalid`, then `nonUk` or `letIn`. `letIn` are contacts outside the UK rule of the settings that came ' +
        'with an import whose own `ukPolicy` keeps them, or without `filterNonUk`; they stay unless this is chosen, and then count ' +
        'as `nonUk`. Empty: nothing.',
    ),
});

export const cleanReasonView = z.object({
  reason: z.enum(cleanReasons),
  contacts: z.number().int().describe('Contacts with this reason, whether or not it is chosen.'),
  isEstimate: z
    .boolean()
    .default(false)
    .describe(
      'True when `contacts` comes from a sample, as it may in a large workspace. Zero then means few or none.',
    ),
  samples: z.array(z.string()).describe('Up to five of their addresses.'),
  domains: z
    .array(z.object({ domain: z.string(), contacts: z.number().int() }))
    .describe('Up to ten of their domains, the largest first.'),
});
export type CleanReasonView = z.output<typeof cleanReasonView>;

export const cleanResult = z.object({
  removed: z.number().int(),
  duplicates: z.number().int(),
  invalid: z.number().int(),
  nonUk: z.number().int(),
  removalId: z.number().int().nullable().describe('To restore, and for the receipt.'),
  letIn: z
    .number()
    .int()
    .describe(
      'Contacts outside the UK rule that stay, because what was chosen for their import let them in.',
    ),
  isEstimate: z
    .boolean()
    .optional()
    .describe('With `preview`: some of these counts come from a sample, as they may in a large workspace.'),
  reasons: z
    .array(cleanReasonView)
    .optional()
    .describe('With `preview`: every reason, those that are not chosen as well.'),
});

export const cleanContacts = endpoint({
  method: 'POST',
  path: '/api/emails/clean',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Remove duplicate, invalid and non-UK contacts by the current settings. They can be restored for 30 days.',
  tag: 'Contacts',
  query: cleanQuery,
  ...orTask(cleanResult),
});

const restored = z.object({
  restored: z.number().int(),
  leftOut: z.number().int().describe('Contacts that stay in the bin, because their addresses exist again.'),
});
export type Restored = z.output<typeof restored>;

export const restoreRemoval = endpoint({
  method: 'POST',
  path: '/api/removals/:id/restore',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Bring back what a delete, a clean or an undone import removed. Addresses added again meanwhile stay as they are: the ' +
    'contacts that had them stay in the bin, and can be restored while it keeps them.',
  tag: 'Contacts',
  params: idParams,
  ...orTask(restored),
});

export const removalKinds = ['delete', 'clean', 'undo_import', 'merge'] as const;

/** One deletion: contacts that lie in the bin together and come back together. */
export const removal = z.object({
  id: z.number().int(),
  kind: z.enum(removalKinds),
  contacts: z.number().int(),
  why: z
    .string()
    .nullable()
    .describe(
      'Why they were removed, in words. Null for a clean, which has `reasons`, and where it was not kept.',
    ),
  reasons: z
    .object({ duplicates: z.number().int(), invalid: z.number().int(), nonUk: z.number().int() })
    .nullable()
    .describe('How many went for what in a clean. Null for others.'),
  importId: z.number().int().nullable(),
  removedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('From then on it cannot be restored any more.'),
  state: z
    .enum(['removing', 'in-bin', 'restored', 'expired'])
    .describe(
      '`restored` also while a task is restoring it. `in-bin` also while some are left there after a restore, because their ' +
        'addresses exist again or because it was cancelled.',
    ),
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
  response: raw(fileTypes.csv),
  limits: downloadLimits,
});
