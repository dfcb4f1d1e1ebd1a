import { useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, type NotCompleted } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

/** Says how work ended: done, cancelled, or failed after doing part of it. */
export function tellEnd(
  ended: { status: 'completed' } | NotCompleted,
  done: string,
  cancelled: string,
  said: Pick<Parameters<typeof toastDone>[0], 'action'> & { message: string },
): void {
  if (ended.status === 'failed') {
    // What was done is not known either, where it is not known how it ended.
    toastFailed({ ...said, ...failureOf(ended, { message: `${ended.message} ${said.message}` }) });
  } else {
    toastDone({ ...said, title: ended.status === 'cancelled' ? cancelled : done });
  }
}

/**
 * A button waits for work within the call. It does not wait for long work, which continues in the
 * tray.
 */
export const unlessLong = (taskId: number | null, outcome: Promise<void>): Promise<void> | undefined =>
  taskId === null ? outcome : undefined;

/**
 * Does the work of a decision, says if it failed, and rereads whatever it may have changed. Never
 * rejects.
 */
export function useAttempt() {
  const queryClient = useQueryClient();
  const refresh = () => refreshContacts(queryClient);
  const attempt = async (work: () => Promise<void>, failure: string) => {
    try {
      await work();
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, failure) });
    }
    await refresh();
  };
  return { queryClient, refresh, attempt };
}
