import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf } from '#platform/web/api.ts';
import { downloadLarge } from '#platform/web/transfer.ts';
import { exportRecipients } from '../../contract.ts';
import type { ShownRecipients } from './use-recipients.ts';

/** Downloads the recipients that the list shows. */
export function ExportButton({ id, shown }: { id: number; shown: ShownRecipients }) {
  const { state, did, link, count } = shown;
  const query = { ...(state ? { state } : {}), ...(did ? { did } : {}), ...(link ? { link } : {}), count };
  const name = [state, link ? 'clicked' : did].filter(Boolean).join('-') || 'recipients';
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} />}
      onClick={() =>
        downloadLarge(addressOf(exportRecipients, { params: { id }, query }), `campaign-${id}-${name}.csv`)
      }
    >
      Export CSV
    </Button>
  );
}
