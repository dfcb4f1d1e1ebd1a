import { z } from 'zod';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules.ts';
import { contactSorts, mostGroups } from '#features/audience/contract.ts';
import { bases, contactStatuses } from '#features/contacts/contract.ts';
import { columnKeys } from '#features/views/contract.ts';
import { plainColumns } from '#features/views/rules.ts';
import { choiceField, idField, numberField, pageField } from '#platform/web/url-state.ts';

export const pageSizes = [20, 50, 100, 200] as const;

const groupsField = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((given) => [...new Set([given].flat().map(Number))])
  .pipe(z.array(z.number().int().positive()).min(1).max(mostGroups))
  .optional()
  .catch(undefined);

const basesField = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [...new Set([given].flat())])
  .pipe(z.array(z.enum(bases)).min(1))
  .optional()
  .catch(undefined);

/**
 * The Email Database's address: the search and the filters, the sorting, the place in the list, and
 * what is open.
 */
export const emailDatabaseSearch = z.object({
  page: pageField,
  search: z.string().max(320).catch(''),
  status: z.enum(contactStatuses).optional().catch(undefined),
  domain: z
    .string()
    .max(253)
    .regex(/[^\s\0]/)
    .optional()
    .catch(undefined),
  verdict: z.enum(verdicts).optional().catch(undefined),
  reason: z.enum(verdictReasons).optional().catch(undefined),
  kind: z.enum(addressKinds).optional().catch(undefined),
  uk: z.enum(ukClasses).optional().catch(undefined),
  riskFrom: numberField(0, 100),
  riskTo: numberField(0, 100),
  source: z.string().min(1).max(1000).optional().catch(undefined),
  /** The number of an import. */
  import: idField,
  /** Lists and tags by their numbers: `list=3&list=4`. */
  list: groupsField,
  tag: groupsField,
  basis: basesField,
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  sort: choiceField(contactSorts),
  /** Absent means newest first, or A to Z. */
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).catch(20),
  /** The record beside the table. */
  open: idField,
  /** The open view. `all` if another would otherwise open by itself. */
  view: z
    .union([z.literal('all'), z.coerce.number().int().positive()])
    .optional()
    .catch(undefined),
  /** Columns other than the person's own, in order: `columns=status&columns=name`. */
  columns: z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat())
    .pipe(columnKeys)
    .transform(plainColumns)
    .optional()
    .catch(undefined),
  dialog: z.enum(['add', 'clean']).optional().catch(undefined),
});
export type EmailDatabaseState = z.output<typeof emailDatabaseSearch>;

/** Parts of the address that do not decide whom the screen shows. */
const otherParts = new Set(['page', 'sort', 'order', 'size', 'open', 'view', 'columns', 'dialog']);
/** What mailing and advertising services add to links. */
const addedByOthers = /^(utm_|mc_|[a-z]*cl(k|)id$)/;

/**
 * The names of filters in an address that this version does not know, or whose value it does not
 * understand. Without them the screen would show more people than the link is about.
 */
export function unreadFilters(raw: Record<string, unknown>): string[] {
  const fields: Record<string, z.ZodType> = emailDatabaseSearch.shape;
  return Object.entries(raw)
    .filter(([name, value]) => value !== '' && !otherParts.has(name) && !addedByOthers.test(name))
    .filter(([name, value]) => {
      const field = fields[name];
      return !(field instanceof z.ZodCatch && z.safeParse(field.def.innerType, value).success);
    })
    .map(([name]) => name);
}
