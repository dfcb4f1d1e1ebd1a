import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { restoreRemoval } from '../contract.ts';
import { restoredInWords } from '../rules/restored-in-words.ts';

/** Restores a removal of any size and says so. Never rejects. */
export async function restoreAndTell(queryClient: QueryClient, removalId: number): Promise<void> {
  try {
    const { outcome } = await startTask(queryClient, restoreRemoval, { params: { id: removalId } });
    const ended = await outcome;
    const done = ended.body ?? {};
    if (ended.status === 'failed') toastFailed(failureOf(ended));
    else if (ended.status === 'completed' && ended.body.restored === 0)
      toastFailed({ title: 'Nothing Restored', message: `${restoredInWords(done)}.` });
    else {
      toastDone({
        title: ended.status === 'cancelled' ? 'Restore Cancelled' : 'Contacts Restored',
        message: `${restoredInWords(done)}.`,
      });
    }
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to restore. Please try again.') });
  }
  await refreshContacts(queryClient);
}
