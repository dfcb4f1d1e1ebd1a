import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Contact, changeContact, getContact } from '#features/contacts/contract.ts';
import {
  type ContactChange,
  type ContactFields,
  fieldsInWords,
  fieldsThatDiffer,
  takenBack,
  withoutChange,
} from '#features/contacts/rules/contact-change.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { ApiError, call, queryOptionsFor, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

/**
 * Changes fields of a contact, says so and offers to take it back. `seen` is what the person saw in
 * these fields. Rejects when nothing was saved, and has then read what stands there now.
 */
export function useChangeContact(
  contact: Contact,
): (change: ContactChange, seen: ContactChange) => Promise<void> {
  const queryClient = useQueryClient();
  return async (change, seen) => {
    try {
      const after = await store(queryClient, contact.id, { ...change, expected: seen });
      const before = withoutChange(contact, change, after);
      if (fieldsThatDiffer(before, after).length > 0) tellChanged(queryClient, before, after);
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0)
        await queryClient.refetchQueries({ queryKey: keyOf(contact.id) });
      throw error;
    }
  };
}

const keyOf = (id: number) => queryOptionsFor(getContact, { params: { id } }).queryKey;

async function store(
  queryClient: QueryClient,
  id: number,
  body: ContactChange & { expected: ContactChange },
): Promise<Contact> {
  const after = await call(changeContact, { params: { id }, body });
  queryClient.setQueryData(keyOf(id), after);
  void refreshContacts(queryClient);
  return after;
}

function tellChanged(queryClient: QueryClient, before: ContactFields, after: Contact): void {
  const { id, address } = after;
  toastDone({
    title: 'Email Changed',
    message: `${address}: ${fieldsInWords(fieldsThatDiffer(before, after))}.`,
    action: {
      label: 'Undo',
      onClick: () => {
        store(queryClient, id, takenBack(before, after)).then(
          () => toastDone({ title: 'Change Undone', message: `${address} is as it was.` }),
          (error) => {
            toastFailed({
              title: 'Nothing Undone',
              message: words(error, 'Failed to undo. Please try again.'),
            });
            void refreshContacts(queryClient);
          },
        );
      },
    },
  });
}
