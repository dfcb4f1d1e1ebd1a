import { Menu } from '@mantine/core';
import { IconBan, IconCopy, IconPencilCheck, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import type { Contact } from '#features/contacts/contract.ts';
import { needsEditor } from '#features/contacts/web/index.ts';
import { useMay } from '#platform/web/current-user.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { ContactActions } from './contact-actions.ts';

interface ContactMenuProps extends ContactActions {
  contact: Contact;
}

/** The items of a contact's menu, in its row and in its panel. */
export function ContactMenu({ contact, ...actions }: ContactMenuProps) {
  const mayEdit = useMay('editor');
  const { status, verification, address } = contact;
  const suppressed = status === 'suppressed';
  return (
    <>
      <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void copyAddress(address)}>
        Copy address
      </Menu.Item>
      {mayEdit && verification?.suggestion != null && (
        <Menu.Item
          leftSection={<IconPencilCheck size={16} stroke={1.6} />}
          disabled={actions.correcting.has(contact.id)}
          onClick={() => void actions.onUseSuggestion(contact)}
        >
          Use the suggestion
        </Menu.Item>
      )}
      {mayEdit && (
        <Menu.Item
          leftSection={<IconShieldCheck size={16} stroke={1.6} />}
          onClick={() => void actions.onVerify(contact)}
        >
          {verification ? 'Verify again' : 'Verify'}
        </Menu.Item>
      )}
      <Menu.Divider />
      {!mayEdit && <Menu.Label>{needsEditor}</Menu.Label>}
      <Menu.Item
        leftSection={<IconBan size={16} stroke={1.6} />}
        disabled={!mayEdit || suppressed}
        onClick={() => void actions.onSuppress(contact)}
      >
        {suppressed ? 'Suppressed already' : 'Suppress'}
      </Menu.Item>
      <Menu.Item
        data-danger
        leftSection={<IconTrash size={16} stroke={1.6} />}
        disabled={!mayEdit}
        onClick={() => actions.onDelete(contact)}
      >
        Delete
      </Menu.Item>
    </>
  );
}

async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    toastDone({ title: 'Address copied', message: address });
  } catch {
    // The clipboard exists only on secure pages, and only if the browser allows it.
    toastFailed({
      title: 'Not copied',
      message: 'The browser did not allow it. Mark the address and copy it by hand.',
    });
  }
}
