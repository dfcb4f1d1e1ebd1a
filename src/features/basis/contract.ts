import { z } from 'zod';
import { selectionWith } from '#features/audience/contract.ts';
import { bases, contact } from '#features/contacts/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import { undoStates } from '#features/tasks/rules/undoable.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, idParams, itemsOf } from '#platform/shared/contract.ts';

export const longestSource = 300;

const source = z
  .string()
  .trim()
  .max(longestSource)
  .regex(/^\P{Cc}*$/u, { error: 'Write this in one line, without control characters.' })
  .nullish()
  .describe('Where it comes from, in words: `Spring fair 2024 sign-up sheet`.');
const givenOn = z.iso
  .date()
  .nullish()
  .describe('The day it was given, in the calendar of London. It may be long before today, and not after.');

/** What is said of contacts. */
const said = { basis: z.enum(bases), source, givenOn };
export const saidBasis = z.strictObject(said);
export type SaidBasis = z.output<typeof saidBasis>;

export const howSaid = ['hand', 'api', 'bulk', 'import', 'merge'] as const;
export type HowSaid = (typeof howSaid)[number];

const chosenBases = z
  .array(z.enum(bases))
  .max(bases.length)
  .transform((given) => bases.filter((one) => given.includes(one)));

const tag = 'Marketing basis';
const read = access.member('viewer', 'contacts:read');
const write = access.member('editor', 'contacts:write');

const settled = z.object({
  mailable: z.array(z.enum(bases)).describe('Whom campaigns may be sent to.'),
  contacts: z
    .record(z.enum(bases), z.number().int())
    .describe('How many contacts have each basis. Those in the bin do not count.'),
});
export type BasisSettings = z.output<typeof settled>;

export const getBasisSettings = endpoint({
  method: 'GET',
  path: '/api/basis',
  access: access.member('viewer', 'settings:read'),
  summary: 'Which marketing bases may be mailed, and how many contacts have each.',
  tag,
  response: settled,
});

export const changeBasisSettings = endpoint({
  method: 'PATCH',
  path: '/api/basis',
  access: access.member('admin'),
  summary:
    'Choose which marketing bases may be mailed. Campaigns under way follow at once: who may not be mailed any more is skipped. ' +
    'With `expected`, 409 `changed_meanwhile` when somebody has chosen others since.',
  tag,
  body: z.strictObject({
    mailable: chosenBases,
    expected: chosenBases
      .optional()
      .describe('`mailable` as you last saw it. Absent: chosen whatever holds now.'),
  }),
  response: settled,
  fails: ['changed_meanwhile'],
});

export const setBasisOfContact = endpoint({
  method: 'PUT',
  path: '/api/emails/:id/basis',
  access: write,
  summary:
    'Say on what basis a contact may get marketing. What is left out of source and day is cleared. What was said before stays on ' +
    'the timeline. With `expected`, 409 `changed_meanwhile` when somebody has said something else since.',
  tag,
  params: idParams,
  body: saidBasis.extend({
    expected: saidBasis
      .optional()
      .describe('What you last saw. What is left out is empty. Absent: said whatever was said before.'),
  }),
  response: contact,
  fails: ['changed_meanwhile'],
});

/** The calls of a product whose features add these filters. They take no others. */
export const basisCalls = (added: AddedFilters) => {
  const [named, filtered] = selectionWith(added).options;
  const what = {
    ...said,
    onlyUnknown: z
      .boolean()
      .optional()
      .describe('Only contacts of which nothing is known. Absent: all of them.'),
  };
  return {
    setBases: endpoint({
      method: 'POST',
      path: '/api/basis-changes',
      access: write,
      summary:
        'Say on what basis many contacts may get marketing: those named, or all that match a filter. Where the basis is the same, ' +
        'a source or a day that is left out stays. A `none` is said again as a whole where the one before could be undone. ' +
        'It can be undone for 30 days.',
      tag,
      body: z.union([named.extend(what), filtered.extend(what)]),
      ...orTask(
        z.object({
          changed: z
            .number()
            .int()
            .describe('Those of which the same was said already are not counted, unless it is said again.'),
          changeId: z.number().int().nullable().describe('To undo it; null when nothing was changed.'),
        }),
      ),
    }),
  };
};

/** The same for callers. The server decides which filters there are. */
export const { setBases } = basisCalls({});

/** What was said of many contacts at once. */
export const basisChange = z.object({
  id: z.number().int(),
  basis: z.enum(bases),
  source: z.string().nullable(),
  givenOn: z.iso.date().nullable(),
  contacts: z.number().int(),
  changedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('From then on it cannot be undone any more.'),
  state: z.enum(undoStates),
  undone: z.number().int().describe('For how many contacts it was taken back.'),
});
export type BasisChange = z.output<typeof basisChange>;

export const listBasisChanges = endpoint({
  method: 'GET',
  path: '/api/basis-changes',
  access: read,
  summary: 'What was said of many contacts at once, newest first.',
  tag,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: itemsOf(basisChange),
});

export const undoBasisChange = endpoint({
  method: 'POST',
  path: '/api/basis-changes/:id/undo',
  access: write,
  summary:
    'Take back what was said of many contacts: what was said before holds again. Contacts of which something else was said since ' +
    'stay as they are.',
  tag,
  params: idParams,
  fails: ['gone'],
  ...orTask(
    z.object({
      undone: z.number().int(),
      leftAsIs: z.number().int().describe('Something else was said of them since, or they are gone.'),
    }),
  ),
});
