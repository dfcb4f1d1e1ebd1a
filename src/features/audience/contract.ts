import { z } from 'zod';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules/verdict.ts';
import { bases, contact, contactStatuses } from '#features/contacts/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, cursorField, endpoint, nextCursorField } from '#platform/shared/contract.ts';
import { once } from '#platform/shared/feature-words.ts';

export const contactSorts = ['createdAt', 'address', 'domain', 'verdict', 'risk'] as const;
export type ContactSort = (typeof contactSorts)[number];

/**
 * An empty value means that it is not asked for, and not the risk 0, which `Number('')` would be.
 */
const riskInQuery = z
  .preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(0).max(100).optional(),
  )
  .meta({ type: 'integer', minimum: 0, maximum: 100 });

/** More than anybody chooses by hand. */
export const mostGroups = 50;
const group = z.number().int().positive().max(2_147_483_647);

/** One or several numbers: `3`, `3,4`, or the name repeated. */
const groupsInQuery = z
  .preprocess(
    (value) => (value === '' ? undefined : typeof value === 'string' ? value.split(',') : value),
    z.array(z.coerce.number().pipe(group)).min(1).max(mostGroups).optional(),
  )
  .meta({ type: 'string', pattern: '^[0-9]+(,[0-9]+)*$', examples: ['3', '3,4'] });

/** One or several marketing bases: `consent`, `consent,soft_opt_in`, or the name repeated. */
const basesInQuery = z
  .preprocess(
    (value) => (value === '' ? undefined : typeof value === 'string' ? value.split(',') : value),
    z.array(z.enum(bases)).min(1).max(bases.length).optional(),
  )
  .meta({
    type: 'string',
    pattern: `^(${bases.join('|')})(,(${bases.join('|')}))*$`,
    examples: ['consent', 'consent,soft_opt_in'],
  });

/** The same in a body: one, or an array of them. */
const someBases = z
  .union([z.enum(bases).transform((one) => [one]), z.array(z.enum(bases)).min(1).max(bases.length)])
  .optional();

/** The same in a body: a number, or an array of them. */
const groups = z.union([group.transform((one) => [one]), z.array(group).min(1).max(mostGroups)]).optional();

/**
 * Which contacts: the filter that the list, the export and the bulk calls share. Unknown names are
 * refused, because dropping a condition would select more contacts than the caller asked for.
 * Features add more names, so the calls that take it are functions of what is added.
 */
const contactFilter = z.strictObject({
  search: z.string().max(320).optional().describe('Any part of the address, case-insensitive.'),
  status: z.enum(contactStatuses).optional(),
  domain: z.string().max(253).optional().describe('This domain alone, without its subdomains.'),
  verdict: z
    .enum(verdicts)
    .optional()
    .describe('The verdict of the last verification. The fields below are of the same.'),
  reason: z.enum(verdictReasons).optional(),
  kind: z
    .enum(addressKinds)
    .optional()
    .describe('By the last verification; for contacts that were never verified, by their address.'),
  uk: z.enum(ukClasses).optional().describe('What the domain says, whether or not the contact was verified.'),
  riskFrom: riskInQuery,
  riskTo: riskInQuery,
  source: z.string().min(1).max(1000).optional().describe('Exactly this source.'),
  importId: z.coerce.number().int().positive().optional().describe('Added by this import.'),
  addedFrom: z.iso.date().optional().describe('Added on this day or later, by the calendar of London.'),
  addedTo: z.iso.date().optional().describe('Added on this day or earlier.'),
  list: groupsInQuery.describe(
    'On this list, or on at least one of these. 400 when one is not there any more.',
  ),
  tag: groupsInQuery.describe(
    'With this tag, or with at least one of these. 400 when one is not there any more.',
  ),
  basis: basesInQuery.describe('With this marketing basis, or with one of these.'),
});

/** Typed by the names above. Added ones are there too when somebody gives them. */
export type ContactFilter = z.output<typeof contactFilter>;

/**
 * The query of a call that takes the filter, and its other fields. Throws when a name is there
 * twice.
 */
export function filterWith<Fields extends z.ZodRawShape>(added: AddedFilters, fields: Fields) {
  once<unknown>([contactFilter.shape, added, fields]);
  const schemas = Object.entries(added).map(([name, { schema }]) => [name, schema.optional()]);
  const filter = contactFilter.extend(Object.fromEntries(schemas)) as typeof contactFilter;
  return filter.extend(fields);
}

/** In a query an empty value means that it is not asked for. In a selection it may be a slip. */
const notBlank = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => text.replaceAll('\0', '').trim() !== '', {
      message: 'This is blank, which would mean every contact. Leave it out to mean that.',
    })
    .optional();

/**
 * A number and nothing that could be read as one: `true` or `null` would be another import or risk.
 */
const asked = z.number().int();

/** Named contacts, or every contact that matches a filter. An empty filter means all of them. */
export const selectionWith = (added: AddedFilters) =>
  z
    .union([
      z.object({ ids: z.array(z.number().int().positive()).min(1).max(100_000) }).strict(),
      z
        .object({
          filter: filterWith(added, {})
            .extend({
              search: notBlank(320),
              domain: notBlank(253),
              riskFrom: asked.min(0).max(100).optional(),
              riskTo: asked.min(0).max(100).optional(),
              importId: asked.positive().optional(),
              list: groups,
              tag: groups,
              basis: someBases,
            })
            .meta({ id: 'ContactFilter' }),
        })
        .strict(),
    ])
    .meta({ id: 'ContactSelection' });

export type ContactSelection = z.output<ReturnType<typeof selectionWith>>;

/** The largest page. The specification's screens ask for 20 and 5. */
export const maxPageSize = 200;

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
  summary: 'The names of the extra fields that contacts came with or were given, A to Z: up to 1,000.',
  tag: 'Contacts',
  response: z.object({ items: z.array(z.string()) }),
});

/** The calls of a product whose features add these filters. They take no others. */
export const audienceCalls = (added: AddedFilters) => ({
  listContacts: endpoint({
    method: 'GET',
    path: '/api/emails',
    access: access.member('viewer', 'contacts:read'),
    summary: 'One page of contacts, newest first unless sorted otherwise.',
    limits:
      'All contacts can be paged to the end. Where more than a million have to be read for a filtered list, it can be paged by number ' +
      'up to 300,000 contacts, or 50,000 by verdict or risk (400 beyond). A page of few among so many may be shorter than asked for, ' +
      'and `nextCursor` goes on; 400 when none of the nearest match.',
    tag: 'Contacts',
    query: filterWith(added, {
      page: z.coerce.number().int().min(1).max(10_000_000).default(1),
      limit: z.coerce.number().int().min(1).max(maxPageSize).default(20),
      sort: z
        .enum(contactSorts)
        .default('createdAt')
        .describe(
          '`address` and `domain` sort by domain, then by local part. `verdict` sorts valid, unknown, risky, invalid, then by risk; ' +
            '`risk` by risk, then by verdict. Contacts with the same finding stay together, newest first; those never verified come last.',
        ),
      order: z
        .enum(['asc', 'desc'])
        .optional()
        .describe('Default: newest first, A to Z, the best verdict first, or the highest risk first.'),
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
  }),
  countSelection: endpoint({
    method: 'POST',
    path: '/api/emails/count',
    access: access.member('viewer', 'contacts:read'),
    summary: 'How many contacts a selection holds, counted exactly.',
    limits:
      'Two of these run at once for a workspace, and the others wait. Of one person or key, up to ' +
      '50 wait. A call that is given up ends its count.',
    tag: 'Contacts',
    body: selectionWith(added),
    response: z.object({ count: z.number().int() }),
    writesLittle: true,
  }),
});

/** The same for callers. The server decides which filters there are. */
export const { listContacts, countSelection } = audienceCalls({});
