import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatNumber, formatShortDate } from '#platform/web/format.ts';
import type { Removal } from '../contract.ts';
import { stateLabels, whatWas, whyWas } from './bin-words.ts';

export const binColumns: Column<Removal>[] = [
  { key: 'what', head: 'What', width: 144, tone: 'strong', cell: whatWas },
  {
    key: 'contacts',
    head: 'Contacts',
    width: 104,
    numeric: true,
    cell: ({ contacts }) => formatNumber(contacts),
  },
  {
    key: 'why',
    head: 'Why',
    wraps: true,
    cell: whyWas,
  },
  {
    key: 'who',
    head: 'Who',
    width: '17%',
    tone: 'dim',
    cell: ({ removedBy }) => removedBy && <AddressText address={removedBy} />,
  },
  {
    key: 'when',
    head: 'When',
    width: 96,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
  {
    key: 'expires',
    head: 'Kept until',
    width: 96,
    tone: 'dim',
    cell: ({ expiresAt, state }) => (state === 'in-bin' ? <DateText value={expiresAt} /> : ''),
  },
  {
    key: 'state',
    head: 'State',
    width: 128,
    cell: ({ state }) => (
      <StatusBadge
        status={state}
        label={stateLabels[state]}
        tone={state === 'restored' ? 'success' : state === 'removing' ? 'primary' : 'neutral'}
      />
    ),
  },
];

/** Beside an open removal, which says the rest itself. */
export const narrowBinColumns = binColumns.filter(({ key }) => key !== 'who' && key !== 'expires');

export const removalOnPhone = (removal: Removal): PhoneRow => ({
  title: `${whatWas(removal)}, ${formatNumber(removal.contacts)}`,
  aside: formatShortDate(removal.createdAt),
  second: [stateLabels[removal.state], whyWas(removal)].join(' · '),
  wraps: true,
});
