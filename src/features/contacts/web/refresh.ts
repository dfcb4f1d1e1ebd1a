import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from '#platform/web/query-client.ts';

/**
 * The topic of calls whose answers change when contacts are added, removed or changed, or when they
 * are put on the suppression list.
 */
export const contactsTopic = 'contacts';

/**
 * Rereads everything that shows contacts, their figures or their events. Resolves when the screen
 * is up to date.
 */
export const refreshContacts = (queryClient: QueryClient): Promise<void> =>
  readAgain(queryClient, contactsTopic);
