import { z } from 'zod';
import { memberCalls, seenAt, uses } from '#features/memberships/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

export const longestTagName = 60;
/** More than anybody can tell apart. */
export const mostTags = 1000;

/**
 * The colours that screens offer. Programs may give others. The first is that of a tag for which
 * none is chosen.
 */
export const tagColors = [
  '#3B82F6',
  '#EF4444',
  '#10B981',
  '#F59E0B',
  '#8B5CF6',
  '#EC4899',
  '#06B6D4',
  '#84CC16',
] as const;

/** A word that contacts are marked with. */
export const contactTag = z.object({
  id: z.number().int(),
  name: z.string(),
  color: z.string(),
  contactCount: z.number().int().describe('Contacts that have it now. Those in the bin do not count.'),
  createdBy: z.string().nullable().describe('The address of the person, or the API key.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Tag = z.output<typeof contactTag>;

const tag = 'Tags';
const name = z
  .string({ error: 'Tag name is required' })
  .trim()
  .min(1, 'Tag name is required')
  .max(longestTagName, `The name of a tag has at most ${longestTagName} characters.`);
const color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'A colour is written as # and six hexadecimal digits, such as #3B82F6.');
const sameName =
  'A name that another tag has, in whatever case, is answered 409 `already_exists` with the number of that tag in `fields.id`.';

export const getTags = endpoint({
  method: 'GET',
  path: '/api/tags',
  access: access.member('viewer', 'contacts:read'),
  summary: 'All tags, A to Z, with how many contacts each has.',
  tag,
  response: z.array(contactTag),
});

export const createTag = endpoint({
  method: 'POST',
  path: '/api/tags',
  access: access.member('editor', 'contacts:write'),
  summary: `Make a tag. ${sameName}`,
  tag,
  body: z.strictObject({ name, color: color.default(tagColors[0]) }),
  response: contactTag,
  status: 201,
  fails: ['conflict', 'already_exists'],
  limits: `A workspace has at most ${mostTags} tags.`,
});

export const getTag = endpoint({
  method: 'GET',
  path: '/api/tags/:id',
  access: access.member('viewer', 'contacts:read'),
  summary: 'One tag, with what uses it. Its contacts are `GET /api/emails?tag=…`.',
  tag,
  params: idParams,
  response: contactTag.extend({ usedBy: uses }),
});

export const changeTag = endpoint({
  method: 'PATCH',
  path: '/api/tags/:id',
  access: access.member('editor', 'contacts:write'),
  summary: `Rename a tag or give it another colour. What is left out stays. ${sameName}`,
  tag,
  params: idParams,
  body: z.strictObject({ name: name.optional(), color: color.optional(), updatedAt: seenAt }),
  response: contactTag,
  fails: ['already_exists', 'changed_meanwhile'],
});

export const deleteTag = endpoint({
  method: 'DELETE',
  path: '/api/tags/:id',
  access: access.member('editor', 'contacts:write'),
  summary: 'Delete a tag. Its contacts stay. It can be restored for 30 days.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1), usedBy: uses }),
});

export const restoreTag = endpoint({
  method: 'POST',
  path: '/api/tags/:id/restore',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Restore a tag that was deleted less than 30 days ago, with the contacts it had. 409 when its name was given to another since.',
  tag,
  params: idParams,
  response: contactTag,
  fails: ['conflict', 'already_exists'],
});

/** The calls of a product whose features add these filters. */
export const tagCalls = (added: AddedFilters) => {
  const { add, remove } = memberCalls(
    {
      path: '/api/tags',
      tag,
      add: 'Tag contacts: those named, or all that match a filter. Those that have the tag already stay as they are.',
      remove: 'Take a tag off contacts.',
    },
    added,
  );
  return { tagContacts: add, untagContacts: remove };
};

/** The same for callers. The server decides which filters there are. */
export const { tagContacts, untagContacts } = tagCalls({});
