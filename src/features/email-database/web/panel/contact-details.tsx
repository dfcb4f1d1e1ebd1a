import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { longestName, longestPartOfName, longestValue } from '#features/contacts/rules/contact-change.ts';
import { useMay } from '#platform/web/current-user.ts';
import classes from './contact-panel.module.css';
import { ContactText } from './contact-text.tsx';

const ownFields = [
  { field: 'name', label: 'Name', maxLength: longestName },
  { field: 'firstName', label: 'First name', maxLength: longestPartOfName },
  { field: 'lastName', label: 'Last name', maxLength: longestPartOfName },
  { field: 'notes', label: 'Notes', maxLength: longestValue },
] as const;

/** A field as the panel calls it: `notes` as Notes, `attributes.phone` as phone. */
export const nameOfField = (field: string): string =>
  ownFields.find((own) => own.field === field)?.label ?? field.replace('attributes.', '');

/** What people know about a contact: its names and its notes. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const mayEdit = useMay('editor');
  return (
    <DataList labelWidth={104} gap={8} className={classes.facts}>
      {ownFields.map(({ field, label, maxLength }) =>
        mayEdit ? (
          <Row key={field} label={label}>
            <ContactText
              contact={contact}
              field={field}
              label={label}
              value={contact[field]}
              isLong={field === 'notes'}
              maxLength={maxLength}
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

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
