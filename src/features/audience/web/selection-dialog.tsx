import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { type ApiError, call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
import { type ContactSelection, countSelection } from '../contract.ts';

interface SelectionDialogProps {
  /** What will be changed. Null while the dialog is closed. */
  selection: ContactSelection | null;
  title: string;
  /** For example "Remove": the button then says "Remove 1,204 contacts". */
  verb: string;
  danger: boolean;
  onClose: () => void;
  /** Must not reject. */
  onConfirm: () => Promise<unknown>;
  /** What will happen, in plain words. */
  children: ReactNode;
}

/** Asks before many contacts are changed, and shows an exact, current count of them. */
export function SelectionDialog(props: SelectionDialogProps) {
  const { selection, onClose } = props;
  const opened = selection !== null;
  const counted = useQuery<{ count: number }, ApiError>({
    queryKey: [countSelection.path, selection],
    queryFn: ({ signal }) => call(countSelection, { body: selection ?? { filter: {} }, signal }),
    enabled: opened,
    // Only a fresh count is useful here.
    staleTime: 0,
    gcTime: 0,
  });
  // The words stay while the dialog fades out.
  const last = useRef(props);
  if (opened) last.current = props;
  const { title, verb, danger, onConfirm, children } = last.current;
  const count = counted.isFetching ? undefined : counted.data?.count;
  const label =
    count === undefined
      ? 'Counting…'
      : count === 0
        ? 'Nothing to do'
        : `${verb} ${formatCount(count, 'contact')}`;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={title}
      confirmLabel={counted.isError ? verb : label}
      confirmDisabled={count === undefined || count === 0}
      danger={danger}
      onConfirm={onConfirm}
    >
      {counted.isError ? (
        <ErrorState
          title="The contacts could not be counted"
          error={counted.error}
          description="Nothing was changed."
          onRetry={() => void counted.refetch()}
        />
      ) : (
        children
      )}
    </ConfirmDialog>
  );
}
