import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call } from '#platform/web/api.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { liftEmailSuppression, suppressAddress } from '../contract.ts';
import { takeBack } from './take-back.ts';
import { failures, tellFailure } from './words.ts';

/**
 * Puts an address on the list, says what that did, and offers the way back. The form shows a
 * failure itself.
 */
export function useSuppressAddress(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => call(suppressAddress, { body: { email } }),
    onSuccess: ({ id, email, reason, isNew }) => {
      toastDone({
        title: 'Email Suppressed',
        message: isNew ? `${email} will not be mailed.` : `${email} was on the list already.`,
        // What was there before stays: it may be that person's own wish.
        ...(isNew && {
          action: {
            label: 'Undo',
            onClick: () => void takeBack(queryClient, liftEmailSuppression, { id, name: email, reason }),
          },
        }),
      });
      void refreshContacts(queryClient);
      onDone();
    },
    onError: (error) => tellFailure(error, failures.emails),
  });
}
