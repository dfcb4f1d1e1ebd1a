import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { liftEmailSuppression, type PutOnList, suppressContact } from '#features/suppressions/contract.ts';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

/**
 * Puts a contact's address on the suppression list, says so, and offers to undo it. Never rejects.
 * Not for a contact that is already suppressed: its entry may come from an unsubscription.
 */
export function useSuppressEmail(): (contact: Pick<Contact, 'id' | 'address'>) => Promise<void> {
  const queryClient = useQueryClient();
  const lift = useCallback(
    async ({ id, reason }: PutOnList, address: string) => {
      try {
        // Another reason by now is their own wish, or what their mail server says.
        const body = { reason: 'Undone at once', expected: reason };
        await call(liftEmailSuppression, { params: { id }, body });
        toastDone({ title: 'Suppression Removed', message: `${address} may be mailed again.` });
      } catch (error) {
        toastFailed({
          title: 'Error',
          message: words(error, 'Failed to remove email or domain suppression. Please try again.'),
        });
      }
      await refreshContacts(queryClient);
    },
    [queryClient],
  );
  return useCallback(
    async ({ id, address }) => {
      try {
        const entry = await call(suppressContact, { body: { emailId: id } });
        toastDone({
          title: 'Email Suppressed',
          message: `${address} will not be mailed.`,
          // An entry that was there before may be somebody's own wish.
          ...(entry.isNew ? { action: { label: 'Undo', onClick: () => void lift(entry, address) } } : {}),
        });
      } catch {
        toastFailed({ title: 'Error', message: 'Failed to suppress email. Please try again.' });
      }
      await refreshContacts(queryClient);
    },
    [queryClient, lift],
  );
}
