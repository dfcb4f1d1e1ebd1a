import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount, formatLondonTime } from '#platform/web/format.ts';
import type { Campaign } from '../contract.ts';
import { AudienceCount, useAudienceCount } from './audience-fields.tsx';
import classes from './campaigns.module.css';
import { CheckFindings } from './check-findings.tsx';
import { useDeparture } from './use-departure.ts';

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
  const departure = useDeparture(campaign, onClose);
  const { data, error } = useAudienceCount(audience);
  const moment = londonMoment(later);
  const mayBeZoned = hours === null && campaign.abTest === null;
  const byRecipientZone = zoned && mayBeZoned;
  // Whoever sends now knows to how many.
  const isCounting = moment === null && !data && !error;
  const people = data ? ` to ${formatCount(data.recipients, 'person', 'people')}` : '';
  const label = moment !== null ? 'Schedule' : isCounting ? 'Counting…' : `Send now${people}`;
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Send ${name}`}
      submitLabel={departure.isChanged && !isCounting ? 'I have looked' : label}
      pendingLabel={moment === null ? 'Sending...' : 'Scheduling...'}
      pending={departure.pending}
      submitDisabled={departure.isGone || isCounting || (data?.recipients === 0 && moment === null)}
      error={departure.error}
      onSubmit={() => void departure.submit({ moment, byRecipientZone, hours })}
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
