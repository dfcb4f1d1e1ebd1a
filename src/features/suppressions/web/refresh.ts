import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { suppressionSummary } from '../contract.ts';

/** Reads everything again that shows the lists, and the contacts that they suppress. */
export async function refreshSuppressions(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    refreshContacts(queryClient),
    queryClient.invalidateQueries({ queryKey: [suppressionSummary.path] }),
  ]);
}
