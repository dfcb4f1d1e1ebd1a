import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import type { AuditLine } from '../contract.ts';
import { actionWords, detailWords, subjectWords } from '../rules.ts';

const whatOf = ({ details, subject }: AuditLine): string => detailWords(details) || subjectWords(subject);
const whoDid = ({ actor }: AuditLine): string => actor ?? 'Email Manager';

export const auditColumns: Column<AuditLine>[] = [
  {
    key: 'what',
    head: 'What',
    tone: 'strong',
    width: '24%',
    cell: ({ action }) => actionWords(action),
  },
  {
    key: 'who',
    head: 'Who',
    width: '24%',
    cell: (line) => <AddressText address={whoDid(line)} />,
  },
  {
    key: 'details',
    head: 'Details',
    tone: 'dim',
    cell: (line) => <span title={detailWords(line.details)}>{whatOf(line)}</span>,
  },
  {
    key: 'when',
    head: 'When',
    width: 120,
    numeric: true,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
];

export const auditOnPhone = (line: AuditLine): PhoneRow => ({
  title: actionWords(line.action),
  aside: <DateText value={line.createdAt} />,
  second: (
    <>
      <span>{whatOf(line)}</span>
      <span>{whoDid(line)}</span>
    </>
  ),
  wraps: true,
});
