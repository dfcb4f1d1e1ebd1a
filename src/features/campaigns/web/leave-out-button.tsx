import { Button } from '@mantine/core';
import { useState } from 'react';
import { call, words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type Campaign, type CampaignAudience, type CampaignCheck, updateCampaign } from '../contract.ts';
import { useRefreshCampaigns } from './use-campaign-steps.ts';
import { useMayChange } from './use-may-change.ts';

interface Props {
  campaign: Campaign;
  leaveOut: NonNullable<CampaignCheck['leaveOut']>;
}

/** Leaves out whoever would make too many messages come back. */
export function LeaveOutButton({ campaign, leaveOut: { verdicts, contacts } }: Props) {
  const { mayChange } = useMayChange(campaign.status);
  const refresh = useRefreshCampaigns();
  const [pending, setPending] = useState(false);
  if (!mayChange) return null;
  /** Changes the audience of what was seen, and nothing that somebody has changed since. */
  const put = async (seen: Campaign, audience: CampaignAudience, done: (put: Campaign) => void) => {
    setPending(true);
    try {
      const { id, updatedAt, status } = seen;
      const body = { audience, updatedAt, onlyDraft: status === 'draft' };
      done(await call(updateCampaign, { params: { id }, body }));
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to save the campaign') });
    }
    await refresh();
    setPending(false);
  };
  const leave = () =>
    put(campaign, { ...campaign.audience, leaveOutVerdicts: verdicts }, (changed) =>
      toastDone({
        title: 'Left Out',
        message: `${formatCount(contacts, 'contact does', 'contacts do')} not get this campaign.`,
        action: { label: 'Undo', onClick: () => void put(changed, campaign.audience, () => undefined) },
      }),
    );
  return (
    <Button size="xs" variant="default" loading={pending} onClick={() => void leave()}>
      Leave out {formatCount(contacts, 'contact')}
    </Button>
  );
}
