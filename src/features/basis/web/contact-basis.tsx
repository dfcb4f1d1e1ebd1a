import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { deferred } from '#platform/web/components/deferred.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { basisLabels } from '../rules.ts';
import classes from './basis.module.css';
import { whereFrom } from './basis-words.ts';

const ContactBasisDialog = deferred(
  async () => (await import('./contact-basis-dialog.tsx')).ContactBasisDialog,
);

/** A contact's marketing basis, with where it comes from. Editors can change it. */
export function ContactBasis({ contact }: { contact: Contact }) {
  const mayEdit = useMay('editor');
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const from = whereFrom(contact.marketing);
  return (
    <div className={classes.ofContact}>
      <span>
        {basisLabels[contact.marketing.basis]}
        {from !== '' && <span className={classes.dim}> {from}</span>}
      </span>
      {mayEdit && (
        <Tooltip label="Change the marketing basis">
          <ActionIcon
            size={24}
            aria-label={`Change the marketing basis: ${basisLabels[contact.marketing.basis].toLowerCase()}`}
            onClick={() => {
              setWanted(true);
              setOpened(true);
            }}
          >
            <IconPencil size={14} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      {wanted && <ContactBasisDialog contact={contact} opened={opened} onClose={() => setOpened(false)} />}
    </div>
  );
}
