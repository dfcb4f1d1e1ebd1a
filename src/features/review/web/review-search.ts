import { z } from 'zod';
import { choiceField, idField, pageField } from '#platform/web/url-state.ts';

export const tabs = ['corrections', 'duplicates', 'history', 'runs'] as const;
export type Tab = (typeof tabs)[number];

/**
 * The review's address: the part, the place in it, the pattern whose contacts are shown, and the
 * run that is shown.
 */
export const reviewSearch = z.object({
  tab: choiceField(tabs),
  page: pageField,
  from: z.string().max(253).optional().catch(undefined),
  to: z.string().max(253).optional().catch(undefined),
  run: idField,
  /** The correction whose contacts are shown. */
  correction: idField,
});
export type ReviewState = z.output<typeof reviewSearch>;
