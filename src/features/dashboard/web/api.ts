import { keepPreviousData } from '@tanstack/react-query';
import { listActivities } from '#features/activities/contract.ts';
import { listContacts } from '#features/audience/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';

/** Rows of the email preview. */
export const previewRows = 5;

/** The newest contacts, or the newest whose address contains `search`. */
export const previewOptions = (search: string) => ({
  ...queryOptionsFor(listContacts, {
    query: { limit: previewRows, ...(search === '' ? {} : { search }) },
  }),
  placeholderData: keepPreviousData,
});

/** Recent activities. */
export const recentActivitiesOptions = {
  ...queryOptionsFor(listActivities, { query: { limit: 20 } }),
  staleTime: 60_000,
};
