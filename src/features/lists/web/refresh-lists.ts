import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';

/** Reads again what a changed list changes: the lists themselves and what contacts show of them. */
export const refreshLists = (queryClient: QueryClient): Promise<unknown> => refreshContacts(queryClient);
