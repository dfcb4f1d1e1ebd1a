import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { deferred } from '#platform/web/components/deferred.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { setBases } from '../contract.ts';
import type { SaidOfMany } from './set-basis-dialog.tsx';

const SetBasisDialog = deferred(async () => (await import('./set-basis-dialog.tsx')).SetBasisDialog);

interface SetBasis {
  /** Asks which marketing basis these contacts have. */
  ask: (selection: ContactSelection) => void;
  /** Render it once on the screen. */
  dialog: ReactNode;
}

type Result = { changed: number; changeId: number | null };

/**
 * Sets the marketing basis of many contacts: asks, reports the result and offers to undo it.
 * `onBegun` is called once the work is on its way.
 */
export function useSetBasis({ onBegun }: { onBegun: () => void }): SetBasis {
  const queryClient = useQueryClient();
  const [selection, setSelection] = useState<ContactSelection | null>(null);
  const [wanted, setWanted] = useState(false);
  const set = async (selected: ContactSelection, said: SaidOfMany) => {
    const { outcome } = await startTask(queryClient, setBases, { body: { ...selected, ...said } });
    onBegun();
    // Not awaited: the dialog closes, and the tray shows the progress.
    void outcome.then(announce);
  };
  const undo = (id: number) =>
    void import('./undo-and-tell.ts').then(({ undoAndTell }) => undoAndTell(queryClient, id));
  const announce = (ended: Outcome<Result>) => {
    const { status, body } = ended;
    const { changed = 0, changeId = null } = body ?? {};
    if (status === 'failed')
      toastFailed(failureOf(ended, { message: 'Failed to perform bulk action. Please try again.' }));
    else {
      toastDone({
        title: status === 'cancelled' ? 'Change Cancelled' : 'Bulk Action Complete',
        message:
          changed === 0
            ? 'Nothing was changed: all of them have a marketing basis or this one already.'
            : `The marketing basis of ${formatCount(changed, 'contact')} was set.`,
        ...(changeId === null ? {} : { action: { label: 'Undo', onClick: () => undo(changeId) } }),
      });
    }
    void refreshContacts(queryClient);
  };
  return {
    ask: (selected) => {
      setWanted(true);
      setSelection(selected);
    },
    dialog: wanted && <SetBasisDialog selection={selection} onClose={() => setSelection(null)} onSet={set} />,
  };
}
