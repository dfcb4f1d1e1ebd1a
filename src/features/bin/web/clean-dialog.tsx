import { useQuery, useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { type Outcome, startTask } from '#features/tasks/web/index.ts';
import { type ApiError, call } from '#platform/web/api.ts';
import type { DialogProps } from '#platform/web/components/deferred-dialog.tsx';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { cleanContacts } from '../contract.ts';
import { type CleanCounts, CleanPreview } from './clean-preview.tsx';
import { useUndoOf } from './use-undo.ts';

/**
 * Removes duplicate, invalid and non-UK contacts. Shows how many of each first, and offers to bring
 * them back.
 */
export function CleanDialog({ opened, onClose }: DialogProps) {
  const queryClient = useQueryClient();
  const undoOf = useUndoOf();
  const preview = useQuery<CleanCounts, ApiError>({
    queryKey: [cleanContacts.path, 'preview'],
    // Never becomes a task: the answer comes when the preview is ready.
    queryFn: ({ signal }) =>
      call(cleanContacts, { query: { preview: 'true' }, signal }) as Promise<CleanCounts>,
    enabled: opened,
    // Only a fresh count is useful here.
    staleTime: 0,
    gcTime: 0,
  });
  const counts = preview.isFetching ? undefined : preview.data;

  const clean = async () => {
    try {
      const { outcome } = await startTask(queryClient, cleanContacts, {});
      // Not awaited: the dialog closes, and the tray shows the progress.
      void outcome.then(announce);
    } catch {
      toastFailed({ title: 'Error', message: 'Failed to clean database. Please try again.' });
    }
  };

  const announce = (ended: Outcome<CleanCounts & { removalId: number | null }>) => {
    const action = undoOf(ended.body?.removalId ?? null);
    const { removed = 0, duplicates = 0, invalid = 0, nonUk = 0 } = ended.body ?? {};
    const message = sentence({ removed, duplicates, invalid, nonUk });
    if (ended.status === 'completed') {
      toastDone({ title: 'Database Cleaned', message, ...(action ? { action } : {}) });
    } else if (ended.status === 'cancelled') {
      toastDone({ title: 'Clean Cancelled', message, ...(action ? { action } : {}) });
    } else {
      toastFailed({ title: 'Error', message: 'Failed to clean database. Please try again.' });
    }
    void refreshContacts(queryClient);
  };

  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Clean the database"
      confirmLabel={
        counts === undefined
          ? 'Counting…'
          : counts.removed === 0
            ? 'Nothing to remove'
            : `Remove ${formatCount(counts.removed, 'contact')}`
      }
      confirmDisabled={counts === undefined || counts.removed === 0}
      onConfirm={clean}
    >
      {preview.isError ? (
        <ErrorState
          title="The database could not be checked"
          error={preview.error}
          description="Nothing was removed."
          onRetry={() => void preview.refetch()}
        />
      ) : (
        <CleanPreview counts={counts} />
      )}
    </ConfirmDialog>
  );
}

const sentence = ({ removed, duplicates, invalid, nonUk }: CleanCounts): string =>
  `${formatCount(removed, 'contact')} removed: ${formatCount(duplicates, 'duplicate')}, ` +
  `${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK.`;
