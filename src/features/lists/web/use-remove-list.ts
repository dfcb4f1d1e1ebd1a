import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usesInWords } from '#features/memberships/rules/uses-in-words.ts';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { deleteList, type List, restoreList } from '../contract.ts';
import { refreshLists } from './refresh-lists.ts';

/** Deletes a list at once, and offers to take that back. */
export function useRemoveList(): (list: List) => void {
  const queryClient = useQueryClient();
  return useMemo(() => {
    const bringBack = async ({ id, name }: List) => {
      try {
        await call(restoreList, { params: { id } });
        toastDone({ title: 'List Restored', message: `${name} is back with its contacts.` });
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, 'Failed to restore list') });
      }
      await refreshLists(queryClient);
    };
    return async (list: List) => {
      try {
        const { usedBy } = await call(deleteList, { params: { id: list.id } });
        toastDone({
          title: 'List Deleted',
          message: `${list.name} is deleted. Its contacts stay.${usesInWords(usedBy)}`,
          action: { label: 'Undo', onClick: () => bringBack(list) },
          joins: true,
        });
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, 'Failed to delete list') });
      }
      await refreshLists(queryClient);
    };
  }, [queryClient]);
}
