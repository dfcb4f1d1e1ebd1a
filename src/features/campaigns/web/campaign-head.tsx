import { SegmentedControl } from '@mantine/core';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { Campaign } from '../contract.ts';
import classes from './campaigns.module.css';

type Count = 'people' | 'all';

interface CountChoiceProps {
  /** Whether the opens and clicks of machines are counted too. */
  count: Count;
  onCount: (count: Count) => void;
}

/** Where a campaign stands and since when. */
export const CampaignHead = ({ campaign }: { campaign: Campaign }) => (
  <span className={classes.head}>
    <StatusBadge status={campaign.status} />
    <When campaign={campaign} />
    {campaign.keptMailingId !== null && (
      <TextLink to="/outbox/messages" search={{ mailing: String(campaign.keptMailingId) }}>
        Kept messages
      </TextLink>
    )}
  </span>
);

/** Whether the opens and clicks of machines count. */
export const CountChoice = ({ count, onCount }: CountChoiceProps) => (
  <SegmentedControl
    size="xs"
    aria-label="How opens and clicks are counted"
    data={[
      { value: 'people', label: 'People' },
      { value: 'all', label: 'People and machines' },
    ]}
    value={count}
    onChange={(value) => onCount(value as Count)}
  />
);

function When({ campaign: { sentAt, sendAt, status, byRecipientZone } }: { campaign: Campaign }) {
  if (sentAt !== null)
    return (
      <span>
        {byRecipientZone && sendAt !== null ? (
          <>
            Sent for <DateText value={sendAt} />, by each recipient’s clock
          </>
        ) : (
          <>
            Sent <DateText value={sentAt} />
          </>
        )}
      </span>
    );
  if (status === 'scheduled' && sendAt !== null)
    return (
      <span>
        Leaves <DateText value={sendAt} />
        {byRecipientZone && ', by each recipient’s clock'}
      </span>
    );
  return <span>Not sent yet</span>;
}
