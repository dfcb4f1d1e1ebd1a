import { useQuery, useQueryClient } from '@tanstack/react-query';
import { binPeriod } from '#features/bin/rules.ts';
import { startTask } from '#features/tasks/web/index.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type ImportRecord, undoImport } from '../contract.ts';
import { refreshAfterImport, settingsQuery } from './api.ts';

interface UndoDialogProps {
  /** The import to undo; null keeps the dialog closed. */
  record: ImportRecord | null;
  onClose: () => void;
}

/** Asks before undoing an import, and says what goes and what stays. */
export function UndoDialog({ record, onClose }: UndoDialogProps) {
  const queryClient = useQueryClient();
  const kept = binPeriod(useQuery(settingsQuery).data?.retention.binDays);
  const imported = record?.results?.imported ?? 0;
  const undo = async () => {
    if (!record) return;
    const { outcome } = await startTask(queryClient, undoImport, { params: { id: record.id } });
    // Not awaited: the dialog closes, and the tray shows how far it is.
    void outcome.then(async (ended) => {
      await refreshAfterImport(queryClient);
      const moved = `${formatCount(ended.body?.removed ?? 0, 'contact')} moved to the bin ${kept}.`;
      if (ended.status === 'completed') toastDone({ title: 'Import undone', message: moved });
      else if (ended.status === 'cancelled') toastDone({ title: 'Undo cancelled', message: moved });
      else toastFailed({ title: 'The import could not be undone', message: ended.message });
    });
  };
  return (
    <ConfirmDialog
      opened={record !== null}
      onClose={onClose}
      title="Undo this import?"
      confirmLabel={`Remove ${formatCount(imported, 'contact')}`}
      onConfirm={undo}
      failure="The import could not be undone. Please try again."
    >
      <p>
        The {formatCount(imported, 'contact')} that {record?.fileName} added go to the bin, where they stay{' '}
        {kept}. Contacts that somebody has changed since are kept.
      </p>
      <p>Contacts that were there before, and the suppression list, stay as they are.</p>
    </ConfirmDialog>
  );
}
