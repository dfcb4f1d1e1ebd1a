import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatNumber, formatShortDate } from '#platform/web/format.ts';
import type { FieldChange } from '../contract.ts';
import { changeInWords, valuesInWords } from '../rules.ts';

const stateLabels: Record<FieldChange['state'], string> = {
  changing: 'At work',
  done: 'Can be undone',
  undone: 'Undone',
  expired: 'Kept no more',
};

const stateTones = { changing: 'primary', done: 'success', undone: 'neutral', expired: 'neutral' } as const;

export const fieldChangeColumns: Column<FieldChange>[] = [
  {
    key: 'what',
    head: 'What',
    tone: 'strong',
    cell: ({ what, contacts }) => <span title={valuesInWords(what)}>{changeInWords(what, contacts)}</span>,
  },
  {
    key: 'value',
    head: 'Value',
    width: '22%',
    tone: 'dim',
    cell: ({ what }) => <span title={valuesInWords(what)}>{valuesInWords(what)}</span>,
  },
  {
    key: 'who',
    head: 'Who',
    width: '18%',
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
    key: 'expires',
    head: 'Undo until',
    width: 112,
    tone: 'dim',
    cell: ({ expiresAt, state }) => (state === 'done' ? <DateText value={expiresAt} /> : ''),
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

export const changeOnPhone = (change: FieldChange): PhoneRow => ({
  title: changeInWords(change.what, change.contacts),
  aside: formatShortDate(change.createdAt),
  second: [stateLabels[change.state], valuesInWords(change.what)].filter(Boolean).join(' · '),
  wraps: true,
});
