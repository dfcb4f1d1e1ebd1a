import { Menu } from '@mantine/core';
import { IconDownload, IconRestore } from '@tabler/icons-react';
import { addressOf } from '#platform/web/api.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { downloadFrom } from '#platform/web/transfer.ts';
import { type Removal, removalReceipt } from '../contract.ts';

/** What can be done with one removal. */
export function RemovalMenu({
  removal,
  mayEdit,
  onRestore,
}: {
  removal: Removal;
  mayEdit: boolean;
  onRestore: (removal: Removal) => void;
}) {
  const inBin = removal.state === 'in-bin';
  return (
    <>
      {mayEdit && (
        <Menu.Item
          leftSection={<IconRestore size={16} stroke={1.6} />}
          disabled={!inBin}
          onClick={() => onRestore(removal)}
        >
          Restore
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconDownload size={16} stroke={1.6} />}
        disabled={!inBin}
        onClick={() => void downloadReceipt(removal.id)}
      >
        Download as CSV
      </Menu.Item>
    </>
  );
}

async function downloadReceipt(id: number): Promise<void> {
  try {
    await downloadFrom(addressOf(removalReceipt, { params: { id } }), `removed-${id}.csv`);
  } catch {
    toastFailed({ title: 'Error', message: 'The file could not be downloaded. Please try again.' });
  }
}
