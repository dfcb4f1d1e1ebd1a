import { type ReactNode, useCallback, useState } from 'react';
import { CleanDialog, useDeleteEmails } from '#features/bin/web/index.ts';
import { AddEmailDialog } from '#features/contacts/web/index.ts';
import type { ExportFormat } from '#features/exports/contract.ts';
import { downloadContacts } from '#features/exports/web/index.ts';
import { useVerify } from '#features/verification/web/index.ts';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import type { Selection } from '#platform/web/components/use-selection.ts';
import { useMay } from '#platform/web/current-user.ts';
import type { ContactActions } from './contact-actions.ts';
import type { PageActionsProps } from './page-actions.tsx';
import { useBulkActions } from './use-bulk-actions.tsx';
import type { ContactList } from './use-contact-list.ts';
import { useSuggestion } from './use-suggestion.ts';
import { useSuppressEmail } from './use-suppress-email.ts';

interface ListActions {
  /** For what the table shows. */
  forAll: PageActionsProps;
  /** For the chosen contacts. */
  forChosen: BulkAction[];
  forOne: ContactActions;
  /** Render them once on the screen. */
  dialogs: ReactNode;
}

/**
 * Everything that can be done on the screen, and the dialogs that ask first. `onRemoved` is called
 * after contacts were removed.
 */
export function useListActions(
  { state, change, filter, query }: ContactList,
  selection: Selection<number>,
  onRemoved: () => void,
): ListActions {
  const mayEdit = useMay('editor');
  const found = query.data?.totalCount;
  const [withVerdicts, setWithVerdicts] = useState(false);
  const include = withVerdicts ? ('verdict' as const) : undefined;
  const verify = useVerify();
  const removal = useDeleteEmails({ onDone: onRemoved });
  const bulk = useBulkActions({ selection, filter, total: found, onRemoved, include });
  const forOne: ContactActions = {
    onSuppress: useSuppressEmail(),
    onVerify: ({ id }) => verify({ ids: [id] }),
    ...useSuggestion(),
    onDelete: removal.askOne,
  };
  const closeDialog = useCallback(() => change({ dialog: undefined }), [change]);
  return {
    forAll: {
      onVerify: () => verify({ filter }),
      onAdd: () => change({ dialog: 'add' }),
      onClean: () => change({ dialog: 'clean' }),
      onExport: (format?: ExportFormat) => downloadContacts({ filter }, found, { format, include }),
      withVerdicts,
      onWithVerdicts: setWithVerdicts,
    },
    forChosen: bulk.actions,
    forOne,
    dialogs: (
      <>
        <AddEmailDialog opened={state.dialog === 'add'} onClose={closeDialog} />
        <CleanDialog opened={mayEdit && state.dialog === 'clean'} onClose={closeDialog} />
        {bulk.dialogs}
        {removal.dialog}
      </>
    ),
  };
}
