import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { Tone } from '#platform/web/theme-colours.ts';
import type { Mail } from '../contract.ts';

const tones: Record<Mail['status'], Tone> = {
  kept: 'neutral',
  waiting: 'warning',
  sent: 'success',
  failed: 'error',
};

export const MailStatus = ({ status }: Pick<Mail, 'status'>) => (
  <StatusBadge status={status} tone={tones[status]} />
);

/** What the mail server said about a mail that has not left. */
const whyNot = ({ status, error }: Pick<Mail, 'status' | 'error'>): string =>
  status === 'sent' ? '' : (error ?? '');

const whyColumn: Column<Mail> = {
  key: 'why',
  head: 'Why not',
  width: '26%',
  tone: 'dim',
  cell: (mail) => <span title={whyNot(mail)}>{whyNot(mail)}</span>,
};

/** Shows why a mail has not left only if there is a mail server to say so. */
export const outboxColumns = (hasMailServer: boolean): Column<Mail>[] => [
  {
    key: 'to',
    head: 'To',
    cell: ({ to }) => <AddressText address={to} />,
    tone: 'strong',
    width: '24%',
  },
  { key: 'subject', head: 'Subject', cell: ({ subject }) => subject },
  { key: 'status', head: 'Status', width: 130, cell: MailStatus },
  ...(hasMailServer ? [whyColumn] : []),
  {
    key: 'date',
    head: 'Date',
    width: 120,
    numeric: true,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
];

export const mailOnPhone = ({ to, subject, status, error, createdAt }: Mail): PhoneRow => ({
  title: <AddressText address={to} />,
  aside: <DateText value={createdAt} />,
  second: (
    <>
      <MailStatus status={status} />
      <span>{[subject, whyNot({ status, error })].filter(Boolean).join(': ')}</span>
    </>
  ),
});
