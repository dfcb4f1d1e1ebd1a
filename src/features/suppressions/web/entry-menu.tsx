import { Menu } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { Entry } from './use-suppression-list.ts';

interface EntryMenuProps {
  entry: Entry;
  mayEdit: boolean;
  onRemove: (entry: Entry) => void;
}

/** The actions for one entry. */
export function EntryMenu({ entry, mayEdit, onRemove }: EntryMenuProps): ReactNode {
  return (
    <>
      <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void copy(entry.name)}>
        Copy
      </Menu.Item>
      {mayEdit && (
        <>
          <Menu.Divider />
          <Menu.Item
            data-danger
            leftSection={<IconTrash size={16} stroke={1.6} />}
            onClick={() => onRemove(entry)}
          >
            Remove
          </Menu.Item>
        </>
      )}
    </>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toastDone({ title: 'Copied', message: text });
  } catch {
    // The clipboard exists only on secure pages, and only if the browser allows it.
    toastFailed({ title: 'Not copied', message: 'The browser did not allow it. Copy it by hand.' });
  }
}
