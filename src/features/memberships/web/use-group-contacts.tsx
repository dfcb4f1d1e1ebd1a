import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import type { GroupCalls } from './group-calls.ts';

const GroupContactsDialog = lazy(async () => ({
  default: (await import('./group-contacts-dialog.tsx')).GroupContactsDialog,
}));

interface GroupContacts {
  /** Asks which list or tag these contacts get, or lose. */
  ask: (selection: ContactSelection) => void;
  /** Render it once on the screen. */
  dialog: ReactNode;
}

/**
 * Puts many contacts on a list or gives them a tag, or takes it away. `onBegun` is called once the
 * work is on its way.
 */
export function useGroupContacts(calls: GroupCalls, onBegun: () => void): GroupContacts {
  const queryClient = useQueryClient();
  const [selection, setSelection] = useState<ContactSelection | null>(null);
  const [wanted, setWanted] = useState(false);
  return {
    ask: (selected) => {
      setWanted(true);
      setSelection(selected);
    },
    dialog: (
      <Suspense fallback={null}>
        {wanted && (
          <GroupContactsDialog
            calls={calls}
            selection={selection}
            onClose={() => setSelection(null)}
            onChange={async (change) => {
              const { changeAndTell } = await import('./change-and-tell.ts');
              await changeAndTell(queryClient, calls, change, onBegun);
            }}
          />
        )}
      </Suspense>
    ),
  };
}
