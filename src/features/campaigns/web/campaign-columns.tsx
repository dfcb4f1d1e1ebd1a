import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import type { ListWords } from '#platform/web/components/list-page.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { Campaign } from '../contract.ts';

/** Before it is sent there is nothing to count. */
const figure = (value: number, { sentAt }: Campaign) => (sentAt === null ? '' : formatNumber(value));
const dateOf = ({ sentAt, sendAt, createdAt }: Campaign) => sentAt ?? sendAt ?? createdAt;

export const campaignColumns: Column<Campaign>[] = [
  { key: 'name', head: 'Name', cell: ({ name }) => name, tone: 'strong', width: '22%' },
  { key: 'subject', head: 'Subject', cell: ({ subject }) => subject, tone: 'dim' },
  { key: 'status', head: 'Status', width: 120, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'recipients',
    head: 'Recipients',
    width: 104,
    numeric: true,
    cell: (campaign) => figure(campaign.totalRecipients, campaign),
  },
  {
    key: 'sent',
    head: 'Sent',
    width: 88,
    numeric: true,
    cell: (campaign) => figure(campaign.sent, campaign),
  },
  {
    key: 'opened',
    head: 'Opened',
    width: 88,
    numeric: true,
    cell: (campaign) => figure(campaign.opened, campaign),
  },
  {
    key: 'clicked',
    head: 'Clicked',
    width: 88,
    numeric: true,
    cell: (campaign) => figure(campaign.clicked, campaign),
  },
  {
    key: 'date',
    head: 'Date',
    width: 120,
    numeric: true,
    tone: 'dim',
    cell: (campaign) => <DateText value={dateOf(campaign)} />,
  },
];

export const campaignOnPhone = (campaign: Campaign): PhoneRow => ({
  title: campaign.name,
  aside: <DateText value={dateOf(campaign)} />,
  second: (
    <>
      <StatusBadge status={campaign.status} />
      <span>
        {campaign.sentAt === null
          ? campaign.subject
          : `${formatNumber(campaign.sent)} of ${formatCount(campaign.totalRecipients, 'recipient')}`}
      </span>
    </>
  ),
});

/** Only drafts have a Send button. */
export const withSend = (onSend: (id: number) => void) => [
  ...campaignColumns,
  {
    key: 'send',
    head: '',
    width: 84,
    cell: ({ id, name, status }: Campaign) =>
      status === 'draft' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Send ${name}`}
          onClick={(event) => {
            event.stopPropagation();
            onSend(id);
          }}
        >
          Send
        </Button>
      ),
  },
];

export const campaignsInWords: ListWords = {
  label: 'Campaigns',
  errorTitle: 'The campaigns could not be loaded',
  errorHint: 'What is being sent goes on.',
  older: 'Show older campaigns',
  empty: {
    icon: IconSend,
    title: 'No campaigns yet',
    description: 'Write an email once, and send it to a list, a segment or everybody.',
  },
  nothingFound: {
    title: 'No campaign fits',
    description: 'Search for something else, or clear the filters.',
  },
};
