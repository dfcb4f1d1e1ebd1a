import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { restoreRemoval } from '../contract.ts';

/** Restores a removal of any size and says so. Never rejects. */
export async function restoreAndTell(queryClient: QueryClient, removalId: number): Promise<void> {
  try {
    const { outcome } = await startTask(queryClient, restoreRemoval, { params: { id: removalId } });
    const ended = await outcome;
    if (ended.status === 'failed') toastFailed({ title: 'Error', message: ended.message });
    else {
      toastDone({
        title: ended.status === 'cancelled' ? 'Restore Cancelled' : 'Contacts Restored',
        message: `${formatCount(ended.body?.restored ?? 0, 'contact')} brought back.`,
      });
    }
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to restore. Please try again.') });
  }
  await refreshContacts(queryClient);
}
