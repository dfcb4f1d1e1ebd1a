import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatCount, formatNumber, formatShortDate } from '#platform/web/format.ts';
import type { Tone } from '#platform/web/theme-colours.ts';
import type { SuppressionReason } from '../contract.ts';
import type { Tab } from './suppressions-search.ts';
import type { Entry } from './use-suppression-list.ts';
import { reasonLabels } from './words.ts';

/**
 * Coloured when a person asked for it or a mail server refused; plain for the business's own
 * decisions.
 */
const tones: Record<SuppressionReason, Tone> = {
  manual: 'neutral',
  imported: 'neutral',
  unsubscribed: 'warning',
  bounced: 'warning',
  complained: 'error',
  erased: 'accent',
};

const withTitle = (text: string | null) => text && <span title={text}>{text}</span>;

export const reasonOf = ({ reason }: Pick<Entry, 'reason'>) => (
  <StatusBadge status={reason} label={reasonLabels[reason]} tone={tones[reason]} />
);

const note: Column<Entry> = {
  key: 'note',
  head: 'Note',
  cell: (entry) => withTitle(entry.note),
  width: '20%',
  tone: 'dim',
};
const who: Column<Entry> = {
  key: 'createdBy',
  head: 'Added by',
  cell: ({ createdBy }) => createdBy && <AddressText address={createdBy} />,
  width: '15%',
  tone: 'dim',
};

/**
 * Always what is suppressed, why, and since when. Also the note and the person if there is room.
 */
export const entryColumns = (tab: Tab, room: { note: boolean; who: boolean }): Column<Entry>[] => [
  {
    key: 'name',
    head: tab === 'emails' ? 'Address' : 'Domain',
    cell: (entry) => <AddressText address={entry.name} />,
    tone: 'strong',
  },
  { key: 'reason', head: 'Reason', cell: reasonOf, width: 178, skeleton: 96 },
  ...(room.note ? [note] : []),
  ...(room.who ? [who] : []),
  {
    key: 'affectedCount',
    head: tab === 'emails' ? 'Contacts' : 'Affected contacts',
    cell: ({ affectedCount }) =>
      affectedCount === 0 ? <span style={{ color: 'var(--ui-dim)' }}>0</span> : formatNumber(affectedCount),
    width: tab === 'emails' ? 96 : 140,
    numeric: true,
    skeleton: 24,
  },
  {
    key: 'createdAt',
    head: 'Suppressed',
    cell: (entry) => <DateText value={entry.createdAt} />,
    width: 116,
    numeric: true,
    tone: 'dim',
  },
];

export const entryOnPhone =
  (tab: Tab) =>
  (entry: Entry): PhoneRow => ({
    title: <AddressText address={entry.name} />,
    aside: formatShortDate(entry.createdAt),
    second: (
      <>
        {reasonOf(entry)}
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {[
            tab === 'domains' || entry.affectedCount > 0 ? formatCount(entry.affectedCount, 'contact') : null,
            entry.createdBy,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </>
    ),
  });
