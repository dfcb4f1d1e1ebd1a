import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { type Campaign, scheduleCampaign, sendCampaign } from '../contract.ts';
import { AudienceCount, useAudienceCount } from './audience-fields.tsx';
import classes from './campaigns.module.css';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

interface SendDialogProps {
  /** Null while it is closed. */
  campaign: Campaign | null;
  onClose: () => void;
}

/** Asks before a campaign leaves, with the number of people, or when it should. */
export function SendDialog({ campaign, onClose }: SendDialogProps) {
  return campaign && <Asked key={campaign.id} campaign={campaign} onClose={onClose} />;
}

function Asked({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { id, name, subject, audience } = campaign;
  const [later, setLater] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const refresh = useRefreshCampaigns();
  const { data } = useAudienceCount(audience);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      if (later === '') {
        await call(sendCampaign, { params: { id } });
        toastDone({ title: 'Campaign Sent', message: `${name} is on its way.` });
      } else {
        await call(scheduleCampaign, { params: { id }, body: { sendAt: new Date(later).toISOString() } });
        toastDone({ title: 'Campaign Scheduled', message: `${name} leaves by itself.` });
      }
      onClose();
    } catch (failure) {
      setError(words(failure, 'Failed to send campaign'));
    }
    setPending(false);
    await refresh();
  };
  const people = data ? ` to ${formatCount(data.recipients, 'person', 'people')}` : '';
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Send ${name}`}
      submitLabel={later === '' ? `Send now${people}` : 'Schedule'}
      pendingLabel={later === '' ? 'Sending...' : 'Scheduling...'}
      pending={pending}
      submitDisabled={data?.recipients === 0 && later === ''}
      error={error}
      onSubmit={() => void submit()}
    >
      <p className={classes.said}>
        Subject: <b>{subject}</b>
      </p>
      <AudienceCount audience={audience} />
      <TextInput
        type="datetime-local"
        label="When (optional)"
        description="On this computer's clock. Empty: now. Whoever is in the audience then gets it."
        value={later}
        onChange={({ currentTarget }) => setLater(currentTarget.value)}
      />
    </FormDialog>
  );
}
