import { z } from 'zod';
import { choiceField, pageField, textField } from '#platform/web/url-state.ts';
import { taskViews, userStatuses } from '../contract.ts';

export const tabs = ['overview', 'users', 'queue', 'system'] as const;
export type Tab = (typeof tabs)[number];

/** The screen's address: the tab, and the place in its list. */
export const adminSearch = z.object({
  tab: choiceField(tabs),
  page: pageField,
  /** The page of the imports, which are shown below the tasks. */
  importsPage: pageField,
  search: textField,
  status: z.enum(userStatuses).optional().catch(undefined),
  view: choiceField(taskViews),
});
