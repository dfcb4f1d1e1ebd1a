import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconFileImport } from '@tabler/icons-react';
import { addressOf } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { downloadLarge } from '#platform/web/transfer.ts';
import { exportSuppressions } from '../contract.ts';
import type { Tab } from './suppressions-search.ts';

const forms = [
  { form: 'plain', label: 'Addresses' },
  { form: 'sha256', label: 'SHA-256 hashes' },
  { form: 'sha1', label: 'SHA-1 hashes' },
  { form: 'md5', label: 'MD5 hashes' },
] as const;

/** Import and export of whole lists. */
export function ListActions({
  tab,
  mayEdit,
  onImport,
}: {
  tab: Tab;
  mayEdit: boolean;
  onImport: () => void;
}) {
  const icon = <IconDownload size={16} stroke={1.6} />;
  return (
    <>
      {tab === 'domains' ? (
        <Button variant="default" leftSection={icon} onClick={() => void download('domains', 'plain')}>
          Export
        </Button>
      ) : (
        <Menu width={190} position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={icon}
              rightSection={<IconChevronDown size={14} stroke={1.6} />}
            >
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {forms.map(({ form, label }) => (
              <Menu.Item key={form} onClick={() => void download('emails', form)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {mayEdit && (
        <Button variant="default" leftSection={<IconFileImport size={16} stroke={1.6} />} onClick={onImport}>
          Import list
        </Button>
      )}
    </>
  );
}

async function download(kind: Tab, form: (typeof forms)[number]['form']): Promise<void> {
  try {
    await downloadLarge(addressOf(exportSuppressions, { query: { kind, form } }), `suppressed-${kind}.csv`);
    toastDone({ title: 'Export Started', message: 'The list is being saved as a CSV file.' });
  } catch {
    toastFailed({ title: 'Error', message: 'Failed to export the list. Please try again.' });
  }
}
