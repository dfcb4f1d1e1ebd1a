import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from '#platform/web/query-client.ts';

/**
 * What calls name whose answers change when contacts come, go, change, or are put on the
 * suppression list.
 */
export const contactsTopic = 'contacts';

/**
 * Reads again whatever shows contacts, their figures, or what happened to them. Resolves when what
 * is on screen is new.
 */
export const refreshContacts = (queryClient: QueryClient): Promise<void> =>
  readAgain(queryClient, contactsTopic);
