import { z } from 'zod';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules.ts';
import { contactSorts, mostGroups } from '#features/audience/contract.ts';
import { bases, contactStatuses } from '#features/contacts/contract.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

/** Screens whose views can be saved. */
export const viewScreens = ['contacts'] as const;
export type ViewScreen = (typeof viewScreens)[number];

/** More than anybody can tell apart. */
export const mostViews = 100;
export const longestViewName = 80;
/** More than a window has room for, even a scrolled one. */
export const mostColumns = 60;

/** Columns by their keys, in order. The address is always shown, named or not. */
export const columnKeys = z
  .array(z.string().min(1).max(120))
  .min(1, 'Name at least one column.')
  .max(mostColumns, `A table shows at most ${mostColumns} columns.`);

/** Lists or tags by their numbers. */
const groupNumbers = z.array(z.number().int().positive()).min(1).max(mostGroups);

/**
 * What a view stores about its screen, under the names in the screen's address: the search, the
 * filters, the order, the columns.
 */
export const viewStateFields = {
  search: z.string().max(320),
  status: z.enum(contactStatuses),
  domain: z.string().min(1).max(253),
  verdict: z.enum(verdicts),
  reason: z.enum(verdictReasons),
  kind: z.enum(addressKinds),
  uk: z.enum(ukClasses),
  riskFrom: z.number().int().min(0).max(100),
  riskTo: z.number().int().min(0).max(100),
  source: z.string().min(1).max(1000),
  import: z.number().int().positive(),
  from: z.iso.date(),
  to: z.iso.date(),
  list: groupNumbers,
  tag: groupNumbers,
  basis: z.array(z.enum(bases)).min(1).max(bases.length),
  sort: z.enum(contactSorts),
  order: z.enum(['asc', 'desc']),
  columns: columnKeys.describe('Absent: the columns that whoever opens the view usually has.'),
};

const viewState = z.strictObject(viewStateFields).partial();
export type ViewState = z.output<typeof viewState>;

const view = z
  .object({
    id: z.number().int(),
    screen: z.enum(viewScreens),
    name: z.string(),
    shared: z.boolean().describe('Everybody in the workspace sees it; else only who made it.'),
    isOwn: z.boolean(),
    madeBy: z.string().nullable().describe("The person's name; null when they are no user any more."),
    state: viewState,
    problem: z
      .string()
      .nullable()
      .describe(
        'Why the view cannot be opened, in words: it asks for something that this version does not know. `state` is then empty, ' +
          'and does not stand for all contacts. Null as a rule.',
      ),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'View' });
export type View = z.output<typeof view>;

const choices = z.object({
  defaultId: z.number().int().nullable().describe('The view that opens first for this person.'),
  columns: columnKeys.nullable().describe("This person's own columns; null for the usual ones."),
});
export type ViewChoices = z.output<typeof choices>;

const tag = 'Views';
const screen = z.enum(viewScreens).default('contacts');
const name = z.string().describe('1 to 80 characters.');

export const listViews = endpoint({
  method: 'GET',
  path: '/api/views',
  access: access.member('viewer'),
  summary: 'The saved views of a screen: your own and the shared ones, A to Z, with your own choices.',
  tag,
  query: z.object({ screen }),
  response: choices.extend({ items: z.array(view) }),
});

export const saveView = endpoint({
  method: 'POST',
  path: '/api/views',
  access: access.member('viewer'),
  summary: 'Save what a screen shows under a name. Sharing it takes the editor role.',
  tag,
  body: z.strictObject({
    screen,
    name,
    shared: z.boolean().default(false),
    isDefault: z.boolean().default(false).describe('It opens first for you from now on.'),
    state: viewState,
  }),
  response: view,
  status: 201,
});

export const changeView = endpoint({
  method: 'PATCH',
  path: '/api/views/:id',
  access: access.member('viewer'),
  summary:
    'Rename a view, save its changes, share it or stop sharing it. A shared one takes the editor role. ' +
    'With `updatedAt`, 409 `changed_meanwhile` when somebody has changed it since.',
  tag,
  params: idParams,
  body: z
    .strictObject({
      name: name.optional(),
      shared: z.boolean().optional(),
      state: viewState.optional(),
      updatedAt: z.iso
        .datetime()
        .optional()
        .describe(
          'When the view was last changed, as you last saw it. Absent: it is changed whatever stands there.',
        ),
    })
    .refine(({ name, shared, state }) => [name, shared, state].some((value) => value !== undefined), {
      error: 'Send a name, shared or state.',
    }),
  response: view,
});

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/api/views/:id',
  access: access.member('viewer'),
  summary: 'Delete a view. It can be restored for a day. A shared one takes the editor role.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
});

export const restoreView = endpoint({
  method: 'POST',
  path: '/api/views/:id/restore',
  access: access.member('viewer'),
  summary: 'Bring back a view that was deleted less than a day ago.',
  tag,
  params: idParams,
  response: view,
});

export const chooseViews = endpoint({
  method: 'PATCH',
  path: '/api/view-choices',
  access: access.member('viewer'),
  summary: 'Which view opens first for you, and which columns you usually see. What is left out stays.',
  tag,
  body: z.strictObject({
    screen,
    defaultId: z.number().int().positive().nullable().optional(),
    columns: columnKeys.nullable().optional(),
  }),
  response: choices,
  fails: ['not_found'],
});
