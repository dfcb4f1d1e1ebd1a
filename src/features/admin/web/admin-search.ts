import { z } from 'zod';
import { choiceField, pageField, textField } from '#platform/web/url-state.ts';
import { taskViews, userStatuses } from '../contract.ts';

export const tabs = ['overview', 'users', 'queue', 'system'] as const;
export type Tab = (typeof tabs)[number];

/** The screen's address: which tab, and where in its list. */
export const adminSearch = z.object({
  tab: choiceField(tabs),
  page: pageField,
  /** Of the imports, which stand below the tasks. */
  importsPage: pageField,
  search: textField,
  status: z.enum(userStatuses).optional().catch(undefined),
  view: choiceField(taskViews),
});
