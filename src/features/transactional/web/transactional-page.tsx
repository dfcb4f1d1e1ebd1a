import { IconReceipt } from '@tabler/icons-react';
import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useOlder } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listSent, messageStates, type SentMessage } from '../contract.ts';
import { HowToSend } from './how-to-send.tsx';
import { SentDialog } from './sent-dialog.tsx';
import { transactionalSearch } from './transactional-search.ts';
import { stateLabels } from './words.ts';

const words: ListWords = {
  label: 'Messages',
  errorTitle: 'The messages could not be loaded',
  older: 'Show older messages',
  empty: {
    icon: IconReceipt,
    title: 'No messages yet',
    description: 'Receipts, resets and notices that your programs send show here.',
    action: <HowToSend />,
  },
  nothingFound: { title: 'No message fits', description: 'Write the beginning of another address.' },
};

const State = ({ state }: Pick<SentMessage, 'state'>) => (
  <StatusBadge status={state} label={stateLabels[state]} />
);

const columns: Column<SentMessage>[] = [
  { key: 'to', head: 'To', width: '30%', tone: 'strong', cell: ({ to }) => <AddressText address={to} /> },
  { key: 'subject', head: 'Subject', cell: ({ subject }) => subject },
  { key: 'state', head: 'State', width: 160, cell: State },
  {
    key: 'date',
    head: 'Date',
    width: 120,
    numeric: true,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
];

const onPhone = ({ to, subject, state, createdAt }: SentMessage): PhoneRow => ({
  title: <AddressText address={to} />,
  aside: <DateText value={createdAt} />,
  second: (
    <span>
      {state !== 'sent' && <State state={state} />} {subject}
    </span>
  ),
});

/** Messages that programs have sent with `POST /api/send`. */
export default function TransactionalPage() {
  const [search, change] = useUrlState(transactionalSearch);
  const { first: _first, ...list } = useOlder(listSent, {
    query: {
      ...(search.search ? { search: search.search } : {}),
      ...(search.state ? { state: search.state } : {}),
    },
    rowsOf: ({ items }) => items,
    after: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    staleTime: 2_000,
  });
  return (
    <ListPage
      title="Transactional"
      purpose="Messages that your programs send to one person at a time. They leave before campaigns."
      filters={{
        state: search,
        change,
        search: { field: 'search', placeholder: 'Search recipients' },
        fields: [
          {
            key: 'state',
            label: 'State',
            options: messageStates.map((value) => ({ value, label: stateLabels[value] })),
          },
        ],
      }}
      list={list}
      words={words}
      columns={columns}
      phone={onPhone}
      rowKey={({ id }) => id}
      rowLabel={({ to }) => to}
      expectedRows={10}
      onOpen={({ id }) => change({ open: id })}
      openKey={search.open}
    >
      <SentDialog id={search.open} onClose={() => change({ open: undefined })} />
    </ListPage>
  );
}
