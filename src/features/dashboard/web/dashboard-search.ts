import { z } from 'zod';
import { choiceField, textField } from '#platform/web/url-state.ts';

/** The dashboard's address: the search in the email preview, and the open dialog. */
export const dashboardSearch = z.object({
  search: textField,
  open: choiceField(['', 'add-email', 'clean', 'suppress-domain']),
});

export type DashboardDialog = z.output<typeof dashboardSearch>['open'];
