import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf } from '#platform/web/api.ts';
import { downloadLarge } from '#platform/web/transfer.ts';
import { type CampaignRecipient, exportRecipients } from '../contract.ts';

interface Props {
  id: number;
  /** Absent: those in every state. */
  state: CampaignRecipient['state'] | undefined;
}

/** Downloads the recipients in the state that the list shows. */
export function ExportButton({ id, state }: Props) {
  const address = addressOf(exportRecipients, { params: { id }, query: state ? { state } : {} });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} />}
      onClick={() => downloadLarge(address, `campaign-${id}-${state ?? 'recipients'}.csv`)}
    >
      Export CSV
    </Button>
  );
}
