import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { undoFieldChange } from '../contract.ts';

/** Undoes a change of any size and says so. Never rejects. */
export async function undoAndTell(queryClient: QueryClient, id: number): Promise<void> {
  try {
    const { outcome } = await startTask(queryClient, undoFieldChange, { params: { id } });
    const ended = await outcome;
    const { undone = 0, leftAsIs = 0 } = ended.body ?? {};
    if (ended.status === 'failed') toastFailed(failureOf(ended));
    else {
      const left =
        leftAsIs === 0
          ? ''
          : ` ${formatCount(leftAsIs, 'was', 'were')} changed again since and stay as they are.`;
      toastDone({
        title: ended.status === 'cancelled' ? 'Undo Cancelled' : 'Change Undone',
        message: `${formatCount(undone, 'contact has its', 'contacts have their')} old values again.${left}`,
      });
    }
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to undo. Please try again.') });
  }
  await refreshContacts(queryClient);
}
