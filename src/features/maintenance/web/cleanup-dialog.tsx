import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CleanPreview, useUndoOf } from '#features/bin/web/index.ts';
import { type Outcome, startTask } from '#features/tasks/web/index.ts';
import { type ApiError, call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type CleanupResult, cleanUp } from '../contract.ts';

const failure = {
  title: 'Cleanup Failed',
  message: 'There was an error cleaning up the database. Please try again.',
};

/**
 * Shows what a cleanup would do, and does it. It is offered even with no contacts to remove,
 * because there may be files to tidy.
 */
export function CleanupDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const undoOf = useUndoOf();
  const preview = useQuery<CleanupResult, ApiError>({
    queryKey: [cleanUp.path, 'preview'],
    // Never becomes a task: the answer comes when the preview is ready.
    queryFn: ({ signal }) => call(cleanUp, { query: { preview: 'true' }, signal }) as Promise<CleanupResult>,
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
  });
  const counts = preview.isFetching ? undefined : preview.data;

  const announce = (ended: Outcome<CleanupResult>) => {
    const action = undoOf(ended.body?.removalId ?? null);
    if (ended.status === 'failed') return toastFailed(failure);
    toastDone({
      title: ended.status === 'cancelled' ? 'Cleanup Cancelled' : 'Database Cleanup Complete',
      message: sentence(ended.body ?? {}),
      ...(action ? { action } : {}),
    });
  };
  const start = async () => {
    try {
      const { outcome } = await startTask(queryClient, cleanUp, {});
      // Not awaited: the dialog closes, and the tray shows the progress.
      void outcome.then(announce);
    } catch {
      toastFailed(failure);
    }
  };

  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Clean up the database"
      confirmLabel={
        counts === undefined
          ? 'Counting…'
          : counts.removed === 0
            ? 'Tidy up'
            : `Remove ${formatCount(counts.removed, 'contact')}`
      }
      confirmDisabled={counts === undefined}
      danger={(counts?.removed ?? 0) > 0}
      onConfirm={start}
    >
      {preview.isError ? (
        <ErrorState
          title="The database could not be checked"
          error={preview.error}
          description="Nothing was removed."
          onRetry={() => void preview.refetch()}
        />
      ) : (
        <>
          <CleanPreview counts={counts} />
          {(counts?.expired ?? 0) > 0 && (
            <p>
              {formatCount(counts?.expired ?? 0, 'contact')} in the bin can no longer be restored and go for
              good.
            </p>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

const sentence = ({
  removed = 0,
  duplicates = 0,
  invalid = 0,
  nonUk = 0,
  expired = 0,
  files = 0,
}: Partial<CleanupResult>) =>
  [
    `${formatCount(removed, 'contact')} removed: ${formatCount(duplicates, 'duplicate')}, ${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK.`,
    expired > 0 && `${formatNumber(expired)} expired.`,
    files > 0 && `${formatCount(files, 'old file')} deleted.`,
  ]
    .filter(Boolean)
    .join(' ');
