import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { restoreRemoval } from '../contract.ts';
import { refreshContacts } from './contact-queries.ts';

/** The undo of a removal, for a toast. None when nothing was removed. */
export function useUndoOf(): (
  removalId: number | null,
) => { label: string; onClick: () => void } | undefined {
  const queryClient = useQueryClient();
  const restore = useCallback(
    async (removalId: number) => {
      try {
        const { outcome } = await startTask(queryClient, restoreRemoval, { params: { id: removalId } });
        const ended = await outcome;
        const restored = ended.body?.restored ?? 0;
        if (ended.status === 'failed') toastFailed({ title: 'Error', message: ended.message });
        else {
          toastDone({
            title: ended.status === 'cancelled' ? 'Restore Cancelled' : 'Contacts Restored',
            message: `${formatCount(restored, 'contact')} brought back.`,
          });
        }
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, 'Failed to restore. Please try again.') });
      }
      await refreshContacts(queryClient);
    },
    [queryClient],
  );
  return useCallback(
    (removalId) =>
      removalId === null ? undefined : { label: 'Undo', onClick: () => void restore(removalId) },
    [restore],
  );
}
