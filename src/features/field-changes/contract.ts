import { z } from 'zod';
import { selectionWith } from '#features/audience/contract.ts';
import { changeOfContact } from '#features/contacts/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import { undoStates } from '#features/tasks/rules/undoable.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, idParams, itemsOf } from '#platform/shared/contract.ts';

/** What is done to each contact. */
const whatFields = {
  set: changeOfContact
    .optional()
    .describe('The fields to set, as in `PATCH /api/emails/{id}`. Null or an empty text clears one.'),
  onlyEmpty: z.boolean().optional().describe('Only where the field is empty. Absent: everywhere.'),
  splitNames: z
    .literal(true)
    .optional()
    .describe(
      'Instead of `set`: read first and last name from the name, of contacts that have neither, where it is plainly the ' +
        'name of one person.',
    ),
};
/** As it is stored. A field of a newer version is refused: leaving it out would change more. */
export const whatChanges = z.strictObject(whatFields);
export type WhatChanges = z.output<typeof whatChanges>;

/** One change of a field of many contacts. */
export const fieldChange = z.object({
  id: z.number().int(),
  what: whatChanges,
  contacts: z.number().int().describe('How many were changed.'),
  changedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('From then on it cannot be undone any more.'),
  state: z.enum(undoStates),
  undone: z.number().int().describe('How many have their old values again.'),
});
export type FieldChange = z.output<typeof fieldChange>;

/** What a change of fields would reach. */
export const fieldChangePreview = z.object({
  contacts: z.number().int(),
  contactsIsEstimate: z.boolean().describe('True when `contacts` comes from a sample.'),
  filled: z.number().int().describe('How many of these have another value in one of the fields.'),
  filledIsEstimate: z
    .boolean()
    .describe('True when `filled` comes from a sample. Zero then means few or none.'),
});
export type FieldChangePreview = z.output<typeof fieldChangePreview>;

const tag = 'Contacts';

/** The calls of a product whose features add these filters. They take no others. */
export const fieldChangeCalls = (added: AddedFilters) => {
  const [named, filtered] = selectionWith(added).options;
  const body = z.union([named.extend(whatFields), filtered.extend(whatFields)]);
  return {
    setFields: endpoint({
      method: 'POST',
      path: '/api/field-changes',
      access: access.member('editor', 'contacts:write'),
      summary:
        'Set fields of many contacts: of those named, or of all that match a filter. It can be undone for 30 days. Numbers that ' +
        'no contact of the workspace has are passed over.',
      tag,
      body,
      ...orTask(
        z.object({
          changed: z.number().int().describe('Those that had this value already are not counted.'),
          leftOut: z
            .number()
            .int()
            .describe('Contacts that cannot take the extra field: they have too many.'),
          changeId: z.number().int().nullable().describe('To undo it; null when nothing was changed.'),
        }),
      ),
    }),
    previewFieldChange: endpoint({
      method: 'POST',
      path: '/api/field-changes/preview',
      access: access.member('editor', 'contacts:write'),
      summary:
        'How many contacts a change of fields would reach, without changing any. Many are estimated from a sample.',
      tag,
      body,
      response: fieldChangePreview,
    }),
  };
};

/** The same for callers. The server decides which filters there are. */
export const { setFields, previewFieldChange } = fieldChangeCalls({});

export const listFieldChanges = endpoint({
  method: 'GET',
  path: '/api/field-changes',
  access: access.member('viewer', 'contacts:read'),
  summary: 'What was set in fields of many contacts, newest first. It is kept for 30 days.',
  tag,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: itemsOf(fieldChange),
});

export const undoFieldChange = endpoint({
  method: 'POST',
  path: '/api/field-changes/:id/undo',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Give contacts the values back that they had before a change of fields. Fields that were changed again since stay as they are.',
  tag,
  params: idParams,
  fails: ['gone'],
  ...orTask(
    z.object({
      undone: z.number().int(),
      leftAsIs: z.number().int().describe('Changed again since, or not there any more.'),
    }),
  ),
});
