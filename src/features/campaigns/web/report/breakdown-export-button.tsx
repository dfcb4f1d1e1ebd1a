import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf } from '#platform/web/api.ts';
import { downloadLarge } from '#platform/web/transfer.ts';
import { type BreakdownPart, type Campaign, exportBreakdown } from '../../contract.ts';
import { useBreakdown } from './use-breakdown.ts';

interface BreakdownExportButtonProps {
  campaign: Campaign;
  what: BreakdownPart;
}

/** Downloads the links or the receiving domains of a report. It waits until they are counted. */
export function BreakdownExportButton({ campaign, what }: BreakdownExportButtonProps) {
  const { data } = useBreakdown(campaign);
  const { id } = campaign;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} />}
      disabled={!data?.countedAt}
      aria-label={`Export CSV of ${what}`}
      onClick={() =>
        downloadLarge(
          addressOf(exportBreakdown, { params: { id }, query: { what } }),
          `campaign-${id}-${what}.csv`,
        )
      }
    >
      Export CSV
    </Button>
  );
}
