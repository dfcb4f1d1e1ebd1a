import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { deferred } from '#platform/web/components/deferred.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { setFields, type WhatChanges } from '../contract.ts';

const SetFieldsDialog = deferred(async () => (await import('./set-fields-dialog.tsx')).SetFieldsDialog);

interface SetFields {
  /** Asks which field of these contacts gets which value. */
  ask: (selection: ContactSelection) => void;
  /** Render it once on the screen. */
  dialog: ReactNode;
}

type Result = { changed: number; leftOut: number; changeId: number | null };

/**
 * Sets a field of many contacts: asks, reports the result and offers to undo it. `onBegun` is
 * called once the work is on its way.
 */
export function useSetFields({ onBegun }: { onBegun: () => void }): SetFields {
  const queryClient = useQueryClient();
  const [selection, setSelection] = useState<ContactSelection | null>(null);
  const [wanted, setWanted] = useState(false);
  const set = async (selected: ContactSelection, what: WhatChanges) => {
    const { outcome } = await startTask(queryClient, setFields, { body: { ...selected, ...what } });
    onBegun();
    // Not awaited: the dialog closes, and the tray shows the progress.
    void outcome.then(announce);
  };
  const undo = (id: number) =>
    void import('./undo-and-tell.ts').then(({ undoAndTell }) => undoAndTell(queryClient, id));
  const announce = (ended: Outcome<Result>) => {
    const { status, body } = ended;
    const { changed = 0, leftOut = 0, changeId = null } = body ?? {};
    if (status === 'failed')
      toastFailed(failureOf(ended, { message: 'Failed to perform bulk action. Please try again.' }));
    else {
      toastDone({
        title: status === 'cancelled' ? 'Change Cancelled' : 'Bulk Action Complete',
        message: changedWords(changed, leftOut),
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
    dialog: wanted && (
      <SetFieldsDialog selection={selection} onClose={() => setSelection(null)} onSet={set} />
    ),
  };
}

function changedWords(changed: number, leftOut: number): string {
  const full = leftOut === 0 ? '' : ` ${formatCount(leftOut, 'has', 'have')} too many extra fields already.`;
  return changed === 0
    ? `Nothing was changed: all of them have this value already.${full}`
    : `${formatCount(changed, 'contact was', 'contacts were')} changed.${full}`;
}
