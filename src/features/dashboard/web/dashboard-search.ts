import { z } from 'zod';
import { choiceField, textField } from '#platform/web/url-state.ts';

/** The dashboard's address: what the email preview is searched for, and which dialog is open. */
export const dashboardSearch = z.object({
  search: textField,
  open: choiceField(['', 'add-email', 'clean', 'suppress-domain']),
});

export type DashboardDialog = z.output<typeof dashboardSearch>['open'];
