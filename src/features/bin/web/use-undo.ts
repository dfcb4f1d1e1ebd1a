import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** The undo of a removal, for a toast. Undefined when nothing was removed. */
export function useUndoOf(): (
  removalId: number | null,
) => { label: string; onClick: () => void } | undefined {
  const queryClient = useQueryClient();
  return useCallback(
    (removalId) =>
      removalId === null
        ? undefined
        : {
            label: 'Undo',
            // Other features use this from the feature's entry, which is part of the first page
            // load.
            onClick: () =>
              void import('./restore-removal.ts').then(({ restoreAndTell }) =>
                restoreAndTell(queryClient, removalId),
              ),
          },
    [queryClient],
  );
}
