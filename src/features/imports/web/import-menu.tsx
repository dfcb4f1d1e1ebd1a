import { Menu } from '@mantine/core';
import { IconArrowBackUp, IconDownload, IconEye } from '@tabler/icons-react';
import { words } from '#platform/web/api.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import type { ImportRecord } from '../contract.ts';
import { downloadReceipt, isBusy } from './api.ts';

interface ImportMenuProps {
  record: ImportRecord;
  mayImport: boolean;
  onOpen: (record: ImportRecord) => void;
  onUndo: (record: ImportRecord) => void;
}

/** The actions for one import. */
export function ImportMenu({ record, mayImport, onOpen, onUndo }: ImportMenuProps) {
  return (
    <>
      <Menu.Item leftSection={<IconEye size={16} stroke={1.6} />} onClick={() => onOpen(record)}>
        {isBusy(record) ? 'Show progress' : 'Open'}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDownload size={16} stroke={1.6} />}
        disabled={!record.hasReceipt}
        onClick={() => void saveReceipt(record)}
      >
        Download receipt
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowBackUp size={16} stroke={1.6} />}
        disabled={!record.canUndo || !mayImport}
        {...(mayImport ? {} : { title: 'Undoing an import needs the editor role' })}
        {...(record.canUndo && mayImport ? { 'data-danger': true } : {})}
        onClick={() => onUndo(record)}
      >
        Undo import
      </Menu.Item>
    </>
  );
}

/** Downloads the receipt, and says so when that fails. */
export const saveReceipt = (record: Pick<ImportRecord, 'id' | 'fileName'>): Promise<void> =>
  downloadReceipt(record).catch((error: unknown) =>
    toastFailed({ title: 'Error', message: words(error, 'The receipt could not be downloaded.') }),
  );
