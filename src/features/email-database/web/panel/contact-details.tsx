import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import {
  type ContactChange,
  longestName,
  longestPartOfName,
  longestValue,
} from '#features/contacts/rules/contact-change.ts';
import { EditableText } from '#platform/web/components/editable-text.tsx';
import { useMay } from '#platform/web/current-user.ts';
import classes from './contact-panel.module.css';
import { useChangeContact } from './use-change-contact.ts';

const ownFields = [
  { field: 'name', label: 'Name', maxLength: longestName },
  { field: 'firstName', label: 'First name', maxLength: longestPartOfName },
  { field: 'lastName', label: 'Last name', maxLength: longestPartOfName },
  { field: 'notes', label: 'Notes', maxLength: longestValue },
] as const;

/** What people know about a contact: its names and its notes. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const mayEdit = useMay('editor');
  const change = useChangeContact(contact);
  return (
    <DataList labelWidth={104} gap={8} className={classes.facts}>
      {ownFields.map(({ field, label, maxLength }) =>
        mayEdit ? (
          <Row key={field} label={label}>
            <EditableText
              label={label}
              value={contact[field]}
              isLong={field === 'notes'}
              maxLength={maxLength}
              onSave={(text, seen) => change(one(field, text || null), one(field, seen))}
            />
          </Row>
        ) : (
          contact[field] && (
            <Row key={field} label={label}>
              {contact[field]}
            </Row>
          )
        ),
      )}
    </DataList>
  );
}

const one = (field: (typeof ownFields)[number]['field'], value: string | null): ContactChange => ({
  [field]: value,
});

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
