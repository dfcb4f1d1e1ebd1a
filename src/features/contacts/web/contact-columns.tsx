import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatShortDate } from '#platform/web/format.ts';
import type { Contact } from '../contract.ts';
import { ukClassLabels, verdictLabels, verdictTones } from './contact-words.ts';

const withTitle = (text: string | null) => text && <span title={text}>{text}</span>;

const name: Column<Contact> = {
  key: 'name',
  head: 'Name',
  cell: (contact) => withTitle(contact.name),
  width: '17%',
  tone: 'dim',
};
const source: Column<Contact> = {
  key: 'source',
  head: 'Source',
  cell: (contact) => withTitle(contact.source),
  width: '14%',
  tone: 'dim',
};

const ukClass: Column<Contact> = {
  key: 'ukClass',
  head: 'UK class',
  cell: (contact) =>
    contact.ukClass === 'uk' ? (
      ukClassLabels.uk
    ) : (
      <span style={{ color: 'var(--ui-dim)' }}>{ukClassLabels[contact.ukClass]}</span>
    ),
  width: 88,
  skeleton: 40,
};

const verdict: Column<Contact> = {
  key: 'verdict',
  head: 'Verdict',
  cell: ({ verification }) =>
    verification ? (
      <StatusBadge
        status={verification.verdict}
        label={verdictLabels[verification.verdict]}
        tone={verdictTones[verification.verdict]}
      />
    ) : (
      <span style={{ color: 'var(--ui-dim)' }}>–</span>
    ),
  width: 96,
  skeleton: 48,
};

/** The table's columns: the address, its status and when it was added always, the others where there is room for them. */
export const contactColumns = (room: {
  verdict: boolean;
  ukClass: boolean;
  name: boolean;
  source: boolean;
}): Column<Contact>[] => [
  {
    key: 'address',
    head: 'Address',
    cell: (contact) => withTitle(contact.address),
    tone: 'strong',
    sortable: true,
  },
  {
    key: 'status',
    head: 'Status',
    cell: (contact) => <StatusBadge status={contact.status} />,
    width: 118,
    skeleton: 58,
  },
  ...(room.verdict ? [verdict] : []),
  ...(room.ukClass ? [ukClass] : []),
  ...(room.name ? [name] : []),
  ...(room.source ? [source] : []),
  {
    key: 'createdAt',
    head: 'Added',
    cell: (contact) => <DateText value={contact.createdAt} />,
    width: 112,
    numeric: true,
    tone: 'dim',
    sortable: true,
  },
];

/** Only what asks for attention: there is little room. */
const verdictOnPhone = ({ verification }: Contact): string | undefined =>
  verification && verification.verdict !== 'valid' ? verdictLabels[verification.verdict] : undefined;

export const contactOnPhone = (contact: Contact): PhoneRow => ({
  title: contact.address,
  aside: formatShortDate(contact.createdAt),
  second: (
    <>
      <StatusBadge status={contact.status} />
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {[verdictOnPhone(contact), ukClassLabels[contact.ukClass], contact.source]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  ),
});
