import { z } from 'zod';
import { memberCalls, seenAt, uses } from '#features/memberships/contract.ts';
import { segmentRules } from '#features/segments/contract/segment-rules.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

export const longestListName = 120;
export const longestDescription = 2000;
export const longestPublicDescription = 300;
/** More than anybody can tell apart. */
export const mostLists = 1000;

/** A list of contacts: those that people put on it, or those that its rules mean. */
export const list = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    isDynamic: z.boolean().describe('Its contacts follow from its rules. Otherwise people put them on it.'),
    isPublic: z
      .boolean()
      .describe('Whether it is a topic: readers of emails can join and leave it on their preference page.'),
    publicName: z.string().nullable().describe('What readers see in place of its name. Null: its name.'),
    publicDescription: z.string().nullable().describe('What readers see below it. Null: nothing.'),
    segmentRules: segmentRules.nullable().describe('The rules of a list with `isDynamic`; null for others.'),
    contactCount: z
      .number()
      .int()
      .describe('Contacts on it now; of a dynamic list, at `countedAt`. Those in the bin do not count.'),
    countedAt: z.iso
      .datetime()
      .nullable()
      .describe('When the contacts of a dynamic list were counted. Null: not yet, or not a dynamic list.'),
    createdBy: z.string().nullable().describe('The address of the person, or the API key.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'ContactList' });
export type List = z.output<typeof list>;

const tag = 'Lists';
const name = z
  .string({ error: 'List name is required' })
  .trim()
  .min(1, 'List name is required')
  .max(longestListName, `The name of a list has at most ${longestListName} characters.`);
const description = z
  .string()
  .trim()
  .max(longestDescription, `A description has at most ${longestDescription} characters.`)
  .nullish();
/** What readers see of a list. */
const shown = {
  publicName: z
    .string()
    .trim()
    .max(longestListName, `The name for readers has at most ${longestListName} characters.`)
    .nullish(),
  publicDescription: z
    .string()
    .trim()
    .max(longestPublicDescription, `What readers see has at most ${longestPublicDescription} characters.`)
    .nullish(),
};

export const getLists = endpoint({
  method: 'GET',
  path: '/api/lists',
  access: access.member('viewer', 'contacts:read'),
  summary: 'All lists, A to Z, with how many contacts each has.',
  tag,
  response: z.array(list),
});

export const createList = endpoint({
  method: 'POST',
  path: '/api/lists',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Make a list. Two lists may have the same name. With `isDynamic` its contacts are those that `segmentRules` mean, whenever ' +
    'they are asked for; without rules, everybody.',
  tag,
  body: z.strictObject({
    name,
    description,
    isDynamic: z.boolean().default(false),
    segmentRules: segmentRules.nullish(),
    isPublic: z.boolean().default(false),
    ...shown,
  }),
  response: list,
  status: 201,
  fails: ['conflict'],
  limits: `A workspace has at most ${mostLists} lists.`,
});

export const getList = endpoint({
  method: 'GET',
  path: '/api/lists/:id',
  access: access.member('viewer', 'contacts:read'),
  summary: 'One list, with what uses it. Its contacts are `GET /api/emails?list=…`.',
  tag,
  params: idParams,
  response: list.extend({
    usedBy: uses,
    words: z
      .string()
      .nullable()
      .describe('Whom the rules of a dynamic list mean, as a sentence. Null for others, and with a problem.'),
    problem: z
      .string()
      .nullable()
      .describe('Why the rules of a dynamic list cannot be read any more. Null as a rule.'),
  }),
});

export const changeList = endpoint({
  method: 'PATCH',
  path: '/api/lists/:id',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Rename a list, or change its description, the rules of a dynamic list, or what readers see of it. What is left out stays.',
  tag,
  params: idParams,
  body: z.strictObject({
    name: name.optional(),
    description,
    segmentRules: segmentRules.optional(),
    isPublic: z.boolean().optional(),
    ...shown,
    updatedAt: seenAt,
  }),
  response: list,
  fails: ['changed_meanwhile'],
});

export const deleteList = endpoint({
  method: 'DELETE',
  path: '/api/lists/:id',
  access: access.member('editor', 'contacts:write'),
  summary: 'Delete a list. Its contacts stay. It can be restored for 30 days.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1), usedBy: uses }),
});

export const restoreList = endpoint({
  method: 'POST',
  path: '/api/lists/:id/restore',
  access: access.member('editor', 'contacts:write'),
  summary: 'Restore a list that was deleted less than 30 days ago, with the contacts it had.',
  tag,
  params: idParams,
  response: list,
  fails: ['conflict'],
});

/** The calls of a product whose features add these filters. */
export const listCalls = (added: AddedFilters) => {
  const { add, remove } = memberCalls(
    {
      path: '/api/lists',
      tag,
      add: 'Put contacts on a list: those named, or all that match a filter. Those on it already stay as they are.',
      remove: 'Take contacts off a list. They stay contacts.',
    },
    added,
  );
  return { addToList: add, removeFromList: remove };
};

/** The same for callers. The server decides which filters there are. */
export const { addToList, removeFromList } = listCalls({});
