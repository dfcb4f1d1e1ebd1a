import { keepPreviousData } from '@tanstack/react-query';
import { listActivities } from '#features/activities/contract.ts';
import { listContacts } from '#features/contacts/contract.ts';
import { listImports } from '#features/imports/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';

/** Rows of the email preview. */
export const previewRows = 5;

/** The newest contacts, or the newest whose address holds `search`. */
export const previewOptions = (search: string) => ({
  ...queryOptionsFor(listContacts, {
    query: { limit: previewRows, ...(search === '' ? {} : { search }) },
  }),
  placeholderData: keepPreviousData,
});

/** The same question as the header's bell asks, so that it is asked once. */
export const recentActivitiesOptions = {
  ...queryOptionsFor(listActivities, { query: { limit: 20 } }),
  staleTime: 60_000,
};

/** As many activities as the server tells at once. */
export const allActivitiesOptions = {
  ...queryOptionsFor(listActivities, { query: { limit: 100 } }),
  staleTime: 60_000,
};

/** Whether anything was ever imported. */
export const anyImportOptions = queryOptionsFor(listImports, { query: { limit: 1 } });
