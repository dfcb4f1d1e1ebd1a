import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { NamedIcon } from '#platform/web/components/named-icon.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatShortDate } from '#platform/web/format.ts';
import type { Activity } from '../contract.ts';
import classes from './activities-page.module.css';

export const activityColumns: Column<Activity>[] = [
  {
    key: 'action',
    head: 'Action',
    width: 208,
    tone: 'strong',
    cell: ({ action, icon }) => (
      <span className={classes.action} title={action}>
        <NamedIcon name={icon} />
        <span>{action}</span>
      </span>
    ),
  },
  {
    key: 'details',
    head: 'Details',
    tone: 'dim',
    cell: ({ details }) => <span title={details}>{details}</span>,
  },
  {
    key: 'actor',
    head: 'Who',
    width: 224,
    tone: 'dim',
    cell: ({ actor }) => <AddressText address={actor ?? 'By itself'} />,
  },
  { key: 'status', head: 'Status', width: 120, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'date',
    head: 'Date',
    width: 104,
    numeric: true,
    tone: 'dim',
    cell: ({ timestamp }) => <DateText value={timestamp} />,
  },
];

export const activityOnPhone = (line: Activity): PhoneRow => ({
  title: line.action,
  aside: formatShortDate(line.timestamp),
  second: (
    <>
      {line.status !== 'completed' && <StatusBadge status={line.status} />}
      <span>{line.details}</span>
    </>
  ),
});
