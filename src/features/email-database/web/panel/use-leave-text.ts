import { useRouter } from '@tanstack/react-router';
import type { Contact } from '#features/contacts/contract.ts';
import type { LeftText } from '#platform/web/components/editable-text.tsx';
import { toastFailed } from '#platform/web/toast.tsx';
import { useKeepText } from './left-texts.ts';

/**
 * Keeps what was typed into a field of a contact and is not saved, tells it, and leads back to it.
 * `label` is the field's name for a person. Null: it is saved, or given up.
 */
export function useLeaveText({
  id,
  address,
}: Pick<Contact, 'id' | 'address'>): (field: string, label: string, left: LeftText | null) => void {
  const router = useRouter();
  const keepText = useKeepText(id);
  const open = () => {
    const { pathname, search } = router.state.location;
    const beside = pathname === '/email-database' ? search : {};
    void router.navigate({ to: '/email-database' as string, search: { ...beside, open: id } as never });
  };
  return (field, label, left) => {
    if (!keepText(field, left) || left === null) return;
    toastFailed({
      title: 'Not Saved',
      message: `${label} of ${address}: ${left.why}`,
      action: { label: 'Open the contact', onClick: open },
    });
  };
}
