import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { SelectionDialog } from '#features/audience/web/index.ts';
import type { Contact } from '#features/contacts/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { call } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { deleteContact, deleteContacts } from '../contract.ts';
import { useBinPeriod } from './use-bin-period.ts';
import { useUndoOf } from './use-undo.ts';

const failed = 'Failed to perform bulk action. Please try again.';

type Asked =
  | { kind: 'one'; contact: Pick<Contact, 'id' | 'address'> }
  | { kind: 'many'; selection: ContactSelection };

interface DeleteEmails {
  /** Asks whether to remove one contact. */
  askOne: (contact: Pick<Contact, 'id' | 'address'>) => void;
  /** Counts the selected contacts and asks whether to remove them. */
  askMany: (selection: ContactSelection) => void;
  /** Render it once on the screen. */
  dialog: ReactNode;
}

/**
 * Removes contacts: asks with the exact count, moves them to the bin, says so, and offers to bring
 * them back.
 */
export function useDeleteEmails({ onDone }: { onDone?: () => void } = {}): DeleteEmails {
  const queryClient = useQueryClient();
  const undoOf = useUndoOf();
  const binPeriod = useBinPeriod();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = useCallback(() => setAsked(null), []);

  const removeOne = async ({ id, address }: Pick<Contact, 'id' | 'address'>) => {
    try {
      const { removalId } = await call(deleteContact, { params: { id } });
      onDone?.();
      const action = undoOf(removalId);
      toastDone({
        title: 'Email Deleted',
        message: `${address} was moved to the bin.`,
        ...(action ? { action } : {}),
      });
    } catch {
      toastFailed({ title: 'Error', message: 'Failed to delete email. Please try again.' });
    }
    void refreshContacts(queryClient);
  };
  const removeMany = async (selection: ContactSelection) => {
    try {
      const { outcome } = await startTask(queryClient, deleteContacts, { body: selection });
      onDone?.();
      // Not awaited: the dialog closes, and the tray shows the progress.
      void outcome.then(announce);
    } catch {
      toastFailed({ title: 'Error', message: failed });
    }
  };

  const announce = (ended: Outcome<{ removed: number; removalId: number | null }>) => {
    const action = undoOf(ended.body?.removalId ?? null);
    if (ended.status === 'failed') {
      toastFailed(failureOf(ended, { message: failed }));
    } else {
      toastDone({
        title: ended.status === 'cancelled' ? 'Delete Cancelled' : 'Bulk Action Complete',
        message: `${formatCount(ended.body?.removed ?? 0, 'contact')} moved to the bin.`,
        ...(action ? { action } : {}),
      });
    }
    void refreshContacts(queryClient);
  };

  return {
    askOne: useCallback((contact) => setAsked({ kind: 'one', contact }), []),
    askMany: useCallback((selection) => setAsked({ kind: 'many', selection }), []),
    dialog: (
      <SelectionDialog
        selection={selectionOf(asked)}
        title={asked?.kind === 'one' ? 'Remove this contact?' : 'Remove these contacts?'}
        verb="Remove"
        danger
        onClose={close}
        onConfirm={() =>
          asked?.kind === 'one'
            ? removeOne(asked.contact)
            : asked
              ? removeMany(asked.selection)
              : Promise.resolve()
        }
      >
        <p>
          {asked?.kind === 'one' ? <strong>{asked.contact.address}</strong> : 'They'} will go to the bin and
          can be brought back {binPeriod}. The suppression list stays as it is.
        </p>
      </SelectionDialog>
    ),
  };
}

const selectionOf = (asked: Asked | null): ContactSelection | null =>
  asked === null ? null : asked.kind === 'one' ? { ids: [asked.contact.id] } : asked.selection;
