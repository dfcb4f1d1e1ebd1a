import { IconMailX } from '@tabler/icons-react';
import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { useOlder } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type BounceMail, listBounceMails } from '../contract.ts';
import { bouncesSearch } from './bounces-search.ts';
import { MailDialog } from './mail-dialog.tsx';
import { readingLabels } from './words.ts';

const words: ListWords = {
  label: 'Returned mail',
  errorTitle: 'The returned mail could not be loaded',
  older: 'Show older mail',
  empty: {
    icon: IconMailX,
    title: 'Nothing to read',
    description: 'Bounces and complaints are read as they arrive. What no rule understands waits here.',
  },
  nothingFound: { title: 'None was read yet', description: 'Mail that somebody has read shows here.' },
};

const subjectOf = ({ subject }: BounceMail) => subject || 'No subject';
const recipientOf = ({ to }: BounceMail) => (to === null ? '—' : <AddressText address={to} />);

const columns: Column<BounceMail>[] = [
  { key: 'subject', head: 'Subject', tone: 'strong', cell: subjectOf },
  { key: 'to', head: 'About a message to', width: '28%', cell: recipientOf },
  { key: 'mailing', head: 'Campaign', width: '18%', tone: 'dim', cell: ({ mailing }) => mailing ?? '—' },
  {
    key: 'read',
    head: 'Read as',
    width: 130,
    tone: 'dim',
    cell: ({ readAs }) => (readAs === null ? 'Not read' : readingLabels[readAs]),
  },
  {
    key: 'date',
    head: 'Date',
    width: 120,
    numeric: true,
    tone: 'dim',
    cell: ({ receivedAt }) => <DateText value={receivedAt} />,
  },
];

const onPhone = (mail: BounceMail): PhoneRow => ({
  title: subjectOf(mail),
  aside: <DateText value={mail.receivedAt} />,
  second: recipientOf(mail),
});

/** Mails that came back and that no rule understands. */
export default function BouncesPage() {
  const [state, change] = useUrlState(bouncesSearch);
  const { first: _first, ...list } = useOlder(listBounceMails, {
    query: { state: state.state ?? 'open' },
    rowsOf: ({ items }) => items,
    after: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    staleTime: 5_000,
  });
  return (
    <ListPage
      title="Returned mail"
      parent={{ label: 'Suppressions', to: '/suppressions' }}
      purpose="What came back to your messages and no rule understands. Say what it means."
      filters={{
        state,
        change,
        fields: [{ key: 'state', label: 'Show', options: [{ value: 'read', label: 'Read' }] }],
      }}
      list={list}
      words={words}
      columns={columns}
      phone={onPhone}
      rowKey={({ id }) => id}
      rowLabel={subjectOf}
      expectedRows={6}
      onOpen={({ id }) => change({ open: id })}
      openKey={state.open}
    >
      <MailDialog id={state.open} onClose={() => change({ open: undefined })} />
    </ListPage>
  );
}
