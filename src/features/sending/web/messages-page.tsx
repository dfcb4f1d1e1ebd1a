import { IconMailbox } from '@tabler/icons-react';
import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useOlder } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type KeptMessage, listKeptMessages } from '../contract.ts';
import { MessageDialog } from './message-dialog.tsx';
import { messagesSearch } from './messages-search.ts';

const words: ListWords = {
  label: 'Messages',
  errorTitle: 'The messages could not be loaded',
  older: 'Show older messages',
  empty: {
    icon: IconMailbox,
    title: 'No messages yet',
    description: 'What campaigns send is kept here while no mail server is set.',
  },
  nothingFound: {
    title: 'No message fits',
    description: 'Write the beginning of another address, or take off the filter.',
  },
};

const columns: Column<KeptMessage>[] = [
  { key: 'to', head: 'To', width: '28%', tone: 'strong', cell: ({ to }) => <AddressText address={to} /> },
  { key: 'subject', head: 'Subject', cell: ({ subject }) => subject },
  { key: 'mailing', head: 'Campaign', width: '22%', tone: 'dim', cell: ({ mailing }) => mailing },
  {
    key: 'date',
    head: 'Date',
    width: 120,
    numeric: true,
    tone: 'dim',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
  },
];

const onPhone = ({ to, subject, createdAt }: KeptMessage): PhoneRow => ({
  title: <AddressText address={to} />,
  aside: <DateText value={createdAt} />,
  second: <span>{subject}</span>,
});

/** The one campaign that people came from. They can take it off, and choose no other here. */
const campaignField = (mailing: string, message?: KeptMessage) => ({
  key: 'mailing' as const,
  label: 'Campaign',
  options: [{ value: mailing, label: message?.mailing ?? mailing }],
});

/** Campaigns as their readers would see them, where no mail server is set. */
export default function MessagesPage() {
  const [state, change] = useUrlState(messagesSearch);
  const { search, mailing, open } = state;
  const { first, ...list } = useOlder(listKeptMessages, {
    query: { ...(search && { search }), ...(mailing && { mailingId: Number(mailing) }) },
    rowsOf: ({ items }) => items,
    after: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    staleTime: 5_000,
  });
  return (
    <ListPage
      title="Kept messages"
      parent={{ label: 'Outbox', to: '/outbox' }}
      purpose="What campaigns have sent, as each reader would see it."
      note={
        first?.hasMailServer === false && (
          <Note tone="info" title="No mail server is set up">
            Campaigns are kept here, and none leaves the machine.
          </Note>
        )
      }
      filters={{
        ...{ state, change, search: { field: 'search', placeholder: 'Search recipients' } },
        ...(mailing && { fields: [campaignField(mailing, first?.items[0])] }),
      }}
      list={list}
      words={words}
      columns={columns}
      phone={onPhone}
      rowKey={({ id }) => id}
      rowLabel={({ to }) => to}
      expectedRows={10}
      onOpen={({ id }) => change({ open: id })}
      openKey={open}
    >
      <MessageDialog id={open} onClose={() => change({ open: undefined })} />
    </ListPage>
  );
}
