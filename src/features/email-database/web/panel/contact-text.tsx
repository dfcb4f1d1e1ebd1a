import { useRouter } from '@tanstack/react-router';
import type { Contact } from '#features/contacts/contract.ts';
import type { ContactChange } from '#features/contacts/rules/contact-change.ts';
import { EditableText, type LeftText } from '#platform/web/components/editable-text.tsx';
import { toastFailed } from '#platform/web/toast.tsx';
import { useKeepText, useLeftTexts } from './left-texts.ts';
import { useChangeContact } from './use-change-contact.ts';

interface ContactTextProps {
  contact: Contact;
  /** For example `notes`, and `attributes.phone` for an extra field. */
  field: string;
  label: string;
  value: string | null;
  isLong?: boolean;
  maxLength: number;
}

/**
 * A field of a contact that is edited where it stands. What could not be saved once another record
 * was open, or the session had ended, is told, kept, and stands in the field when the contact is
 * opened again.
 */
export function ContactText({ contact, field, ...shown }: ContactTextProps) {
  const { id, address } = contact;
  const router = useRouter();
  const change = useChangeContact(contact);
  const left = useLeftTexts(id)[field] ?? null;
  const keepText = useKeepText(id);
  const open = () => {
    const { pathname, search } = router.state.location;
    const beside = pathname === '/email-database' ? search : {};
    void router.navigate({ to: '/email-database' as string, search: { ...beside, open: id } as never });
  };
  const keep = (next: LeftText | null) => {
    if (!keepText(field, next) || next === null) return;
    toastFailed({
      title: 'Not Saved',
      message: `${shown.label} of ${address}: ${next.why}`,
      action: { label: 'Open the contact', onClick: open },
    });
  };
  return (
    <EditableText
      {...shown}
      left={left}
      onLeft={keep}
      onSave={(text, seen) => change(setting(field, text || null), setting(field, seen))}
    />
  );
}

const extra = 'attributes.';

const setting = (field: string, value: string | null): ContactChange =>
  field.startsWith(extra) ? { attributes: { [field.slice(extra.length)]: value } } : { [field]: value };
