import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { liftEmailSuppression, suppressContact } from '#features/suppressions/contract.ts';
import { call } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

/**
 * Puts a contact's address on the suppression list, says so, and offers to undo it. Never rejects.
 * Not for a contact that is already suppressed: its entry may come from an unsubscription.
 */
export function useSuppressEmail(): (contact: Pick<Contact, 'id' | 'address'>) => Promise<void> {
  const queryClient = useQueryClient();
  const lift = useCallback(
    async (id: number, address: string) => {
      try {
        await call(liftEmailSuppression, { params: { id }, body: { reason: 'Undone at once' } });
        toastDone({ title: 'Suppression Removed', message: `${address} may be mailed again.` });
      } catch {
        toastFailed({
          title: 'Error',
          message: 'Failed to remove email or domain suppression. Please try again.',
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
          ...(entry.isNew ? { action: { label: 'Undo', onClick: () => void lift(entry.id, address) } } : {}),
        });
      } catch {
        toastFailed({ title: 'Error', message: 'Failed to suppress email. Please try again.' });
      }
      await refreshContacts(queryClient);
    },
    [queryClient, lift],
  );
}
