import { IconBan, IconDownload, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ContactFilter, ContactSelection } from '#features/audience/contract.ts';
import { SelectionDialog } from '#features/audience/web/index.ts';
import { useDeleteEmails } from '#features/bin/web/index.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import type { ExportInclude } from '#features/exports/contract.ts';
import { downloadContacts } from '#features/exports/web/index.ts';
import { suppressContacts } from '#features/suppressions/contract.ts';
import { type Outcome, startTask } from '#features/tasks/web/index.ts';
import { useVerify } from '#features/verification/web/index.ts';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import type { Selection } from '#platform/web/components/use-selection.ts';
import { useMay } from '#platform/web/current-user.ts';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

interface BulkOptions {
  selection: Selection<number>;
  filter: ContactFilter;
  /** About how many match the filter. */
  total: number | undefined;
  /** After contacts were removed. */
  onRemoved: () => void;
  /** What else an export is to hold. */
  include: ExportInclude;
}

/** What can be done with the chosen contacts. An action with nothing chosen says so instead. */
export function useBulkActions({ selection, filter, total, onRemoved, include }: BulkOptions): {
  actions: BulkAction[];
  dialogs: ReactNode;
} {
  const mayEdit = useMay('editor');
  const queryClient = useQueryClient();
  const [suppressing, setSuppressing] = useState<ContactSelection | null>(null);
  const verify = useVerify();
  const [exporting, setExporting] = useState(false);
  const finish = () => {
    selection.clear();
    onRemoved();
  };
  const removal = useDeleteEmails({ onDone: finish });

  const chosen = (): ContactSelection | null => {
    if (selection.everything) return { filter };
    if (selection.keys.size > 0) return { ids: [...selection.keys] };
    toastFailed({
      title: 'No Emails Selected',
      message: 'Please select at least one email to perform this action',
    });
    return null;
  };
  const withChosen = (act: (selected: ContactSelection) => void) => () => {
    const selected = chosen();
    if (selected) act(selected);
  };

  const suppress = async (selected: ContactSelection) => {
    try {
      const { outcome } = await startTask(queryClient, suppressContacts, { body: selected });
      selection.clear();
      // Not awaited: the dialog closes, and the tray shows how far it is.
      void outcome.then(announceSuppressed);
    } catch {
      toastFailed({ title: 'Error', message: 'Failed to perform bulk action. Please try again.' });
    }
  };
  const announceSuppressed = ({ status, body }: Outcome<{ suppressed: number }>) => {
    if (status === 'failed') {
      toastFailed({ title: 'Error', message: 'Failed to perform bulk action. Please try again.' });
    } else {
      const title = status === 'cancelled' ? 'Suppressing Cancelled' : 'Bulk Action Complete';
      toastDone({ title, message: suppressedWords(body?.suppressed ?? 0, status === 'cancelled') });
    }
    void refreshContacts(queryClient);
  };
  const download = async (selected: ContactSelection) => {
    setExporting(true);
    await downloadContacts(selected, 'ids' in selected ? selected.ids.length : total, { include });
    setExporting(false);
    selection.clear();
  };

  return {
    actions: [
      ...(mayEdit
        ? [
            {
              label: 'Verify',
              icon: IconShieldCheck,
              onClick: withChosen((selected) => void verify(selected).then(selection.clear)),
            },
          ]
        : []),
      ...(mayEdit ? [{ label: 'Suppress', icon: IconBan, onClick: withChosen(setSuppressing) }] : []),
      {
        label: 'Export',
        icon: IconDownload,
        onClick: withChosen((selected) => void download(selected)),
        pending: exporting,
      },
      ...(mayEdit
        ? [{ label: 'Delete', icon: IconTrash, danger: true, onClick: withChosen(removal.askMany) }]
        : []),
    ],
    dialogs: (
      <>
        {removal.dialog}
        <SelectionDialog
          selection={suppressing}
          title="Suppress these contacts?"
          verb="Suppress"
          danger={false}
          onClose={() => setSuppressing(null)}
          onConfirm={() => (suppressing ? suppress(suppressing) : Promise.resolve())}
        >
          <p>
            Their addresses go on the suppression list: nobody mails them any more, and imports leave them
            out. They stay in the database, shown as suppressed.
          </p>
        </SelectionDialog>
      </>
    ),
  };
}

const suppressedWords = (count: number, isPart: boolean): string =>
  count === 0 && !isPart
    ? 'All of them were on the suppression list already.'
    : `${formatNumber(count)} ${count === 1 ? 'address was' : 'addresses were'} put on the suppression list.`;
