import { useQuery, useQueryClient } from '@tanstack/react-query';
import { binPeriod } from '#features/bin/rules.ts';
import { failureOf, startTask } from '#features/tasks/web/index.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type ImportRecord, undoImport } from '../contract.ts';
import { undoneInWords } from '../rules/undone-in-words.ts';
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
  const groups = groupsInWords(record?.addedTo ?? []);
  const undo = async () => {
    if (!record) return;
    const { outcome } = await startTask(queryClient, undoImport, { params: { id: record.id } });
    // Not awaited: the dialog closes, and the tray shows how far it is.
    void outcome.then(async (ended) => {
      await refreshAfterImport(queryClient);
      const moved = undoneInWords(ended.body ?? {}, kept);
      if (ended.status === 'completed') toastDone({ title: 'Import undone', message: moved });
      else if (ended.status === 'cancelled') toastDone({ title: 'Undo cancelled', message: moved });
      else toastFailed(failureOf(ended, { title: 'The import could not be undone' }));
    });
  };
  return (
    <ConfirmDialog
      opened={record !== null}
      onClose={onClose}
      title="Undo this import?"
      confirmLabel={imported > 0 ? `Remove ${formatCount(imported, 'contact')}` : 'Undo the import'}
      onConfirm={undo}
      failure="The import could not be undone. Please try again."
    >
      {imported > 0 && (
        <p>
          The {formatCount(imported, 'contact')} that {record?.fileName} added go to the bin, where they stay{' '}
          {kept}, with those from rows that were corrected since. Contacts that somebody has changed since are
          kept.
        </p>
      )}
      {groups === '' ? (
        <p>Contacts that were there before, and the suppression list, stay.</p>
      ) : (
        <p>
          Contacts that stay, such as those that were there before, are taken off {groups}, unless they got
          there another way. The suppression list stays as it is.
        </p>
      )}
      {record?.options.basis && <p>What was said of their marketing basis with this file is taken back.</p>}
    </ConfirmDialog>
  );
}

/** "the list “Fair” and the tag “VIP”". Empty for none. */
function groupsInWords(groups: ImportRecord['addedTo']): string {
  const named = groups.map(({ kind, name }) => `the ${kind} “${name}”`);
  return new Intl.ListFormat('en-GB').format(named);
}
