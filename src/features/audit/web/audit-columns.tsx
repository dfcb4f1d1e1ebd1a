import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import type { AuditLine } from '../contract.ts';
import { type AuditLanguage, subjectWords } from '../rules.ts';

const whatOf = ({ detailWords }: AuditLanguage, { details, subject }: AuditLine): string =>
  detailWords(details) || subjectWords(subject);
const whoDid = ({ actor }: AuditLine): string => actor ?? 'Email Manager';

export const auditColumns = (language: AuditLanguage): Column<AuditLine>[] => [
  {
    key: 'what',
    head: 'What',
    tone: 'strong',
    width: '24%',
    cell: ({ action }) => language.actionWords(action),
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
    cell: (line) => <span title={language.detailWords(line.details)}>{whatOf(language, line)}</span>,
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

export const auditOnPhone = (language: AuditLanguage, line: AuditLine): PhoneRow => ({
  title: language.actionWords(line.action),
  aside: <DateText value={line.createdAt} />,
  second: (
    <>
      <span>{whatOf(language, line)}</span>
      <span>{whoDid(line)}</span>
    </>
  ),
  wraps: true,
});
