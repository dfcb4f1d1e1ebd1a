import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outcome, startTask } from '#features/tasks/web/index.ts';
import { type ApiError, call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { fates, SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { cleanContacts } from '../contract.ts';
import type { ContactDialogProps } from './contact-dialog-props.ts';
import { refreshContacts, statsOptions } from './contact-queries.ts';
import { useUndoOf } from './use-undo.ts';

type CleanCounts = Record<'removed' | 'duplicates' | 'invalid' | 'nonUk', number>;

/** Removes duplicate, invalid and non-UK contacts: shows how many of each first, and offers to bring them back. */
export function CleanDialog({ opened, onClose }: ContactDialogProps) {
  const queryClient = useQueryClient();
  const undoOf = useUndoOf();
  const preview = useQuery<CleanCounts, ApiError>({
    queryKey: [cleanContacts.path, 'preview'],
    // Never a task: a preview is answered when it is there.
    queryFn: ({ signal }) =>
      call(cleanContacts, { query: { preview: 'true' }, signal }) as Promise<CleanCounts>,
    enabled: opened,
    // What would go is worth something at the moment it is asked for.
    staleTime: 0,
    gcTime: 0,
  });
  const counts = preview.isFetching ? undefined : preview.data;

  const clean = async () => {
    try {
      const { outcome } = await startTask(queryClient, cleanContacts, {});
      // Not awaited: the dialog closes, and the tray shows how far it is.
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

/** What would go and what would stay, at one height while it is counted and after. */
function CleanPreview({ counts }: { counts: CleanCounts | undefined }) {
  const stats = useQuery(statsOptions);
  const kept = Math.max((stats.data?.totalEmails ?? 0) - (counts?.removed ?? 0), 0);
  if (counts?.removed === 0) {
    return (
      <p>
        There is nothing to remove: no duplicate, no invalid address, and none that your settings count as
        non-UK.
      </p>
    );
  }
  return (
    <>
      <p>
        Duplicates, invalid addresses and those that your settings count as non-UK go to the bin, where they
        can be brought back for 30 days. The suppression list stays as it is.
      </p>
      {counts === undefined ? (
        <Skeleton height={132} mt={12} />
      ) : (
        <div style={{ marginTop: 12, minHeight: 132 }}>
          <SegmentBar
            label={`What would become of ${formatNumber(kept + counts.removed)} contacts`}
            legend="list"
            segments={[
              { key: 'kept', label: 'Kept', colour: colourOf('imported'), value: kept },
              {
                key: 'duplicates',
                label: 'Duplicates',
                colour: colourOf('duplicates'),
                value: counts.duplicates,
              },
              { key: 'invalid', label: 'Invalid', colour: colourOf('invalid'), value: counts.invalid },
              { key: 'nonUk', label: 'Non-UK', colour: colourOf('nonUk'), value: counts.nonUk },
            ]}
          />
        </div>
      )}
    </>
  );
}

const colourOf = (key: (typeof fates)[number]['key']): string =>
  fates.find((fate) => fate.key === key)?.colour ?? 'var(--ui-track)';

const sentence = ({ removed, duplicates, invalid, nonUk }: CleanCounts): string =>
  `${formatCount(removed, 'contact')} removed: ${formatCount(duplicates, 'duplicate')}, ` +
  `${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK.`;
