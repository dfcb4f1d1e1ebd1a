import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { GroupCalls } from './group-calls.ts';
import type { GroupContactsDialogProps } from './group-contacts-dialog.tsx';

type Asked = Omit<GroupContactsDialogProps, 'calls'>;

interface GroupContacts {
  /** Asks which list or tag these contacts get, or lose. */
  ask: (selection: ContactSelection) => void;
  /** Render it once on the screen. */
  dialog: ReactNode;
}

/**
 * Makes a hook that puts many contacts on a list or gives them a tag, or takes it away. `onBegun`
 * is called once the work is on its way. The calls are fetched with the dialog: with them, the
 * schemas of lists and tags would be part of the first page load.
 */
export function groupContactsOf(load: () => Promise<GroupCalls>): (onBegun: () => void) => GroupContacts {
  const Dialog = deferred(async () => {
    const [calls, { GroupContactsDialog }] = await Promise.all([
      load(),
      import('./group-contacts-dialog.tsx'),
    ]);
    return (props: Asked) => <GroupContactsDialog calls={calls} {...props} />;
  });
  return function useGroupContacts(onBegun) {
    const queryClient = useQueryClient();
    const [selection, setSelection] = useState<ContactSelection | null>(null);
    const [wanted, setWanted] = useState(false);
    return {
      ask: (selected) => {
        setWanted(true);
        setSelection(selected);
      },
      dialog: wanted && (
        <Dialog
          selection={selection}
          onClose={() => setSelection(null)}
          onChange={async (change) => {
            const { changeAndTell } = await import('./change-and-tell.ts');
            await changeAndTell(queryClient, await load(), change, onBegun);
          }}
        />
      ),
    };
  };
}
