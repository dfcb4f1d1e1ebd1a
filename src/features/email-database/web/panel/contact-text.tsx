import type { Contact } from '#features/contacts/contract.ts';
import type { ContactChange } from '#features/contacts/rules/contact-change.ts';
import { EditableText } from '#platform/web/components/editable-text.tsx';
import { useLeftTexts } from './left-texts.ts';
import { useChangeContact } from './use-change-contact.ts';
import { useLeaveText } from './use-leave-text.ts';

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
  const { id } = contact;
  const change = useChangeContact(contact);
  const left = useLeftTexts(id)[field] ?? null;
  const leave = useLeaveText(contact);
  return (
    <EditableText
      {...shown}
      left={left}
      onLeft={(next) => leave(field, shown.label, next)}
      onSave={(text, seen) => change(setting(field, text || null), setting(field, seen))}
    />
  );
}

const extra = 'attributes.';

const setting = (field: string, value: string | null): ContactChange =>
  field.startsWith(extra) ? { attributes: { [field.slice(extra.length)]: value } } : { [field]: value };
