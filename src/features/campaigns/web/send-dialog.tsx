import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import { call, isChangedMeanwhile, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount, formatLondonTime } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { type Campaign, scheduleCampaign, sendCampaign, updateCampaign } from '../contract.ts';
import { AudienceCount, useAudienceCount } from './audience-fields.tsx';
import classes from './campaigns.module.css';
import { CheckFindings } from './check-findings.tsx';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

interface SendDialogProps {
  /** Null while it is closed. */
  campaign: Campaign | null;
  /** When it is suggested to leave. */
  at?: string | null | undefined;
  onClose: () => void;
}

/** Asks before a campaign leaves, with the number of people, or when it should. */
export function SendDialog({ campaign, at = null, onClose }: SendDialogProps) {
  return campaign && <Asked key={campaign.id} campaign={campaign} at={at} onClose={onClose} />;
}

/** What is shown is read anew as this is said. */
const changed = 'Somebody has changed this campaign meanwhile. Look at it again before it leaves.';

interface AskedProps {
  campaign: Campaign;
  at: string | null;
  onClose: () => void;
}

function Asked({ campaign, at, onClose }: AskedProps) {
  const { id, name, subject, audience } = campaign;
  const [later, setLater] = useState(at === null ? '' : londonClock(new Date(at)));
  // As the campaign has it, until they are chosen here.
  const [chosenHours, setHours] = useState<number | null>();
  const [chosenZoned, setZoned] = useState<boolean>();
  const hours = chosenHours === undefined ? campaign.spreadHours : chosenHours;
  const zoned = chosenZoned ?? campaign.byRecipientZone;
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const refresh = useRefreshCampaigns();
  const { data } = useAudienceCount(audience);
  const moment = londonMoment(later);
  const mayBeZoned = hours === null && campaign.abTest === null;
  const byRecipientZone = zoned && mayBeZoned;
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const params = { id };
      let { updatedAt } = campaign;
      if (hours !== campaign.spreadHours)
        ({ updatedAt } = await call(updateCampaign, { params, body: { spreadHours: hours, updatedAt } }));
      if (moment === null) {
        await call(sendCampaign, { params, body: { updatedAt } });
        toastDone({ title: 'Campaign Sent', message: `${name} is on its way.` });
      } else {
        const sendAt = moment.toISOString();
        await call(scheduleCampaign, { params, body: { sendAt, byRecipientZone, updatedAt } });
        toastDone({
          title: 'Campaign Scheduled',
          message: `${name} leaves on ${formatLondonTime(moment)}, ${byRecipientZone ? 'by each recipient’s clock' : 'London'}.`,
        });
      }
      onClose();
    } catch (failure) {
      setError(isChangedMeanwhile(failure) ? changed : words(failure, 'Failed to send campaign'));
    }
    await refresh();
    setPending(false);
  };
  const people = data ? ` to ${formatCount(data.recipients, 'person', 'people')}` : '';
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Send ${name}`}
      submitLabel={moment === null ? `Send now${people}` : 'Schedule'}
      pendingLabel={moment === null ? 'Sending...' : 'Scheduling...'}
      pending={pending}
      submitDisabled={data?.recipients === 0 && moment === null}
      error={error}
      onSubmit={() => void submit()}
    >
      <p className={classes.said}>
        Subject: <b>{subject}</b>
      </p>
      <AudienceCount audience={audience} />
      <CheckFindings id={id} />
      <TextInput
        type="datetime-local"
        label="When (optional)"
        description={
          moment === null
            ? 'London time. Empty: now. Whoever is in the audience then gets it.'
            : `${formatLondonTime(moment)}, London. Whoever is in the audience then gets it.`
        }
        value={later}
        onChange={({ currentTarget }) => setLater(currentTarget.value)}
      />
      {moment !== null && (
        <Switch
          label="At this time by each recipient’s clock"
          description={
            mayBeZoned
              ? 'Contacts with an extra field Time zone, such as Europe/Paris, get it by that; all others by London. It begins up to 14 hours before.'
              : `Not together with ${campaign.abTest ? 'an A/B test' : 'hours to spread it over'}.`
          }
          disabled={!mayBeZoned}
          checked={byRecipientZone}
          onChange={({ currentTarget }) => setZoned(currentTarget.checked)}
        />
      )}
      <HoursField value={hours} onChange={setHours} />
    </FormDialog>
  );
}

interface HoursFieldProps {
  value: number | null;
  onChange: (hours: number | null) => void;
}

const HoursField = ({ value, onChange }: HoursFieldProps) => (
  <NumberInput
    label="Over how many hours (optional)"
    description="Leaves evenly, some each minute. Empty: as fast as the mail server takes it."
    {...{ min: 1, max: 72, clampBehavior: 'strict', allowDecimal: false, allowNegative: false }}
    value={value ?? ''}
    onChange={(hours) => onChange(hours === '' ? null : Number(hours))}
  />
);
