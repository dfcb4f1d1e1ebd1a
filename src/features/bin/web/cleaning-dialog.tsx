import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { type ApiError, call } from '#platform/web/api.ts';
import type { DialogProps } from '#platform/web/components/deferred.tsx';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type CleanReasonView, type cleanContacts, usualReasons } from '../contract.ts';
import { CleanPreview } from './clean-preview.tsx';
import { type CleanCounts, countsOf, queryOf, removeWords } from './clean-words.ts';
import { useUndoOf } from './use-undo.ts';

/** What a cleaning has done: the counts, and the removal by which they come back. */
export type Cleaned = CleanCounts & {
  removalId: number | null;
  letIn: number;
  reasons?: CleanReasonView[] | undefined;
};

interface CleaningDialogProps<Result extends Cleaned> extends DialogProps {
  /** Cleans, or counts what it would clean when `preview` is asked for. */
  endpoint: { method: 'POST'; path: string };
  title: string;
  /** The button when there is no contact to remove, and whether it can be pressed all the same. */
  nothing: { label: string; isEnabled: boolean };
  danger?: (counts: Result | undefined) => boolean;
  /** The toasts' titles. */
  titles: { done: string; cancelled: string };
  failure: { title: string; message: string };
  /** What the toast adds to the counts of contacts. */
  tellMore?: (result: Partial<Result>) => string[];
  onEnded?: () => void;
  /** Shown below the preview. */
  children?: (counts: Result | undefined) => ReactNode;
}

/**
 * Shows what a cleaning would remove, and does it. The dialog closes at once. The tray shows the
 * progress, and a toast at the end offers to bring everything back.
 */
export function CleaningDialog<Result extends Cleaned>(props: CleaningDialogProps<Result>) {
  const { opened, onClose, endpoint, title, nothing, danger, titles, failure, children } = props;
  const queryClient = useQueryClient();
  const undoOf = useUndoOf();
  const definition = endpoint as unknown as typeof cleanContacts;
  const preview = useQuery<Result, ApiError>({
    queryKey: [endpoint.path, 'preview'],
    // Never a task: a preview is answered when it is there.
    queryFn: ({ signal }) =>
      call(definition, { query: { preview: 'true' }, signal }) as unknown as Promise<Result>,
    enabled: opened,
    // The counts are right only at the moment somebody asks.
    staleTime: 0,
    gcTime: 0,
  });
  const [chosen, choose] = useState(usualReasons);
  useEffect(() => {
    if (opened) choose(usualReasons);
  }, [opened]);
  const found = preview.isFetching ? undefined : preview.data;
  const counts = found && { ...found, ...countsOf(found.reasons ?? [], chosen) };

  const announce = (ended: Outcome<Result>) => {
    props.onEnded?.();
    if (ended.status === 'failed') return toastFailed(failureOf(ended, failure));
    const result: Partial<Result> = ended.body ?? {};
    const action = undoOf(result.removalId ?? null);
    toastDone({
      title: ended.status === 'cancelled' ? titles.cancelled : titles.done,
      message: [sentence(result), ...(props.tellMore?.(result) ?? [])].join(' '),
      ...(action ? { action } : {}),
    });
  };
  const start = async () => {
    try {
      const { outcome } = await startTask(queryClient, definition, { query: queryOf(chosen) });
      // Not awaited: the dialog closes.
      void outcome.then((ended) => announce(ended as unknown as Outcome<Result>));
    } catch {
      toastFailed(failure);
    }
  };

  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={title}
      width={520}
      confirmLabel={labelOf(counts, nothing.label)}
      confirmDisabled={counts === undefined || (removeWords(counts) === null && !nothing.isEnabled)}
      {...(danger ? { danger: danger(counts) } : {})}
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
          <CleanPreview reasons={found?.reasons} counts={counts} chosen={chosen} onChoose={choose} />
          {children?.(counts)}
        </>
      )}
    </ConfirmDialog>
  );
}

function labelOf(counts: CleanCounts | undefined, nothing: string): string {
  if (counts === undefined) return 'Counting…';
  return removeWords(counts) ?? nothing;
}

const sentence = ({
  removed = 0,
  duplicates = 0,
  invalid = 0,
  nonUk = 0,
  letIn = 0,
}: Partial<Cleaned>): string =>
  `${formatCount(removed, 'contact')} removed: ${formatCount(duplicates, 'duplicate')}, ` +
  `${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK.` +
  (letIn > 0 ? ` ${formatNumber(letIn)} outside the UK setting kept, as their import chose.` : '');
