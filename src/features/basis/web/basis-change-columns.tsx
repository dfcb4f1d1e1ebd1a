import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatCount, formatNumber, formatShortDate } from '#platform/web/format.ts';
import type { BasisChange } from '../contract.ts';
import { basisLabels } from '../rules.ts';
import { whereFrom } from './basis-words.ts';

const stateLabels: Record<BasisChange['state'], string> = {
  changing: 'At work',
  done: 'Can be undone',
  undone: 'Undone',
  expired: 'Kept',
};

const stateTones = { changing: 'primary', done: 'success', undone: 'neutral', expired: 'neutral' } as const;

export const basisChangeColumns: Column<BasisChange>[] = [
  {
    key: 'what',
    head: 'What',
    tone: 'strong',
    cell: ({ basis, contacts }) => `${basisLabels[basis]} for ${formatCount(contacts, 'contact')}`,
  },
  {
    key: 'from',
    head: 'Where it comes from',
    width: '24%',
    tone: 'dim',
    cell: (change) => <span title={whereFrom(change)}>{whereFrom(change)}</span>,
  },
  {
    key: 'who',
    head: 'Who',
    width: '16%',
    tone: 'dim',
    cell: ({ changedBy }) => changedBy && <AddressText address={changedBy} />,
  },
  {
    key: 'when',
    head: 'When',
    width: 96,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
  {
    key: 'undone',
    head: 'Undone',
    width: 92,
    numeric: true,
    cell: ({ undone, state }) => (state === 'undone' ? formatNumber(undone) : ''),
  },
  {
    key: 'state',
    head: 'State',
    width: 148,
    cell: ({ state }) => <StatusBadge status={state} label={stateLabels[state]} tone={stateTones[state]} />,
  },
];

export const changeOnPhone = (change: BasisChange): PhoneRow => ({
  title: `${basisLabels[change.basis]} for ${formatCount(change.contacts, 'contact')}`,
  aside: formatShortDate(change.createdAt),
  second: [stateLabels[change.state], whereFrom(change)].filter(Boolean).join(' · '),
  wraps: true,
});
