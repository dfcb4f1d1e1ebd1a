import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { type Campaign, sendUncertainAgain } from '../../contract.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';

/** Sends all messages again whose answer was never seen, once somebody knows what that means. */
export function SendUncertainButton({ campaign: { id, uncertain } }: { campaign: Campaign }) {
  const [asks, setAsks] = useState(false);
  const refresh = useRefreshCampaigns();
  const send = async () => {
    await call(sendUncertainAgain, { params: { id } });
    await refresh();
    toastDone({ title: 'Sent Again', message: `${formatCount(uncertain, 'message')} on the way once more.` });
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.6} />}
        onClick={() => setAsks(true)}
      >
        {`Send all ${formatNumber(uncertain)} again…`}
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={`Send ${formatCount(uncertain, 'message')} again?`}
        confirmLabel="Send again"
        onConfirm={send}
        failure="Failed to send again"
      >
        A mail server was given these messages, and the connection broke before it answered. Some have arrived
        and some have not, and nobody can tell which. Those that have arrived will arrive twice.
      </ConfirmDialog>
    </>
  );
}
