import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { startVerification, type VerificationResult } from '../contract.ts';

/**
 * Verifies contacts in the background and says how it ended. Resolves once it has begun. Never
 * rejects.
 */
export function useVerify(): (selection: ContactSelection) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async (selection) => {
      const isAll = 'filter' in selection && Object.keys(selection.filter).length === 0;
      try {
        const { outcome } = await startTask(queryClient, startVerification, {
          body: isAll ? {} : { selection },
        });
        void outcome.then(async (ended) => {
          await refreshContacts(queryClient);
          if (ended.status === 'completed') {
            toastDone({ title: 'Verification Complete', message: resultWords(ended.body) });
          } else if (ended.isUnknown) {
            // How it ended otherwise, the tray says. It has let go of this one.
            toastFailed(failureOf(ended));
          }
        });
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, 'Failed to verify. Please try again.') });
      }
    },
    [queryClient],
  );
}

function resultWords({ contacts, verdicts }: VerificationResult): string {
  const { risky = 0, invalid = 0 } = verdicts;
  return `${formatCount(contacts, 'contact')} verified: ${formatNumber(risky)} risky, ${formatNumber(invalid)} invalid.`;
}
