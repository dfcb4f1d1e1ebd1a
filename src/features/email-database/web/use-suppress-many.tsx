import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { SelectionDialog } from '#features/audience/web/index.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { suppressContacts } from '#features/suppressions/contract.ts';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

const failed = 'Failed to perform bulk action. Please try again.';

interface SuppressMany {
  /** Counts the selected contacts and asks whether to suppress them. */
  ask: (selection: ContactSelection) => void;
  /** Render it once on the screen. */
  dialog: ReactNode;
}

/**
 * Suppresses many contacts: asks with the exact count, and reports the result. `onBegun` is called
 * once the work is on its way.
 */
export function useSuppressMany({ onBegun }: { onBegun: () => void }): SuppressMany {
  const queryClient = useQueryClient();
  const [suppressing, setSuppressing] = useState<ContactSelection | null>(null);
  const suppress = async (selected: ContactSelection) => {
    try {
      const { outcome } = await startTask(queryClient, suppressContacts, { body: selected });
      onBegun();
      // Not awaited: the dialog closes, and the tray shows the progress.
      void outcome.then(announceSuppressed);
    } catch {
      toastFailed({ title: 'Error', message: failed });
    }
  };
  const announceSuppressed = (ended: Outcome<{ suppressed: number }>) => {
    const { status, body } = ended;
    if (status === 'failed') {
      toastFailed(failureOf(ended, { message: failed }));
    } else {
      const title = status === 'cancelled' ? 'Suppressing Cancelled' : 'Bulk Action Complete';
      toastDone({ title, message: suppressedWords(body?.suppressed ?? 0, status === 'cancelled') });
    }
    void refreshContacts(queryClient);
  };
  return {
    ask: setSuppressing,
    dialog: (
      <SelectionDialog
        selection={suppressing}
        title="Suppress these contacts?"
        verb="Suppress"
        danger={false}
        onClose={() => setSuppressing(null)}
        onConfirm={() => (suppressing ? suppress(suppressing) : Promise.resolve())}
      >
        <p>
          Their addresses go on the suppression list: nobody mails them any more, and imports leave them out.
          They stay in the database, shown as suppressed.
        </p>
      </SelectionDialog>
    ),
  };
}

const suppressedWords = (count: number, isPart: boolean): string =>
  count === 0 && !isPart
    ? 'All of them were on the suppression list already.'
    : `${formatNumber(count)} ${count === 1 ? 'address was' : 'addresses were'} put on the suppression list.`;
