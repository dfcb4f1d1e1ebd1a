import { z } from 'zod';
import { choiceField, pageField } from '#platform/web/url-state.ts';
import { suppressionReasons } from '../contract.ts';

export const tabs = ['emails', 'domains'] as const;
export type Tab = (typeof tabs)[number];

export const pageSizes = [20, 50, 100, 200] as const;

/** The screen's address: which list, its search and filters, and the position in it. */
export const suppressionsSearch = z.object({
  tab: choiceField(tabs),
  page: pageField,
  search: z.string().max(320).catch(''),
  reason: z.enum(suppressionReasons).optional().catch(undefined),
  dialog: z.literal('import').optional().catch(undefined),
  /** With the dialog: the imported list whose result it shows. */
  list: z.coerce.number().int().positive().optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).catch(20),
});
export type SuppressionsState = z.output<typeof suppressionsSearch>;
