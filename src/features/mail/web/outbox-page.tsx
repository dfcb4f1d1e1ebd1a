import { Menu } from '@mantine/core';
import { IconMailbox, IconRefresh } from '@tabler/icons-react';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { NoPermission, Note } from '#platform/web/components/states.tsx';
import { useCurrentUser, useMay } from '#platform/web/current-user.ts';
import { useOlder } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listAllMail, listOutbox, type Mail } from '../contract.ts';
import { sendingAgainProblem } from '../rules.ts';
import { MailDialog } from './mail-dialog.tsx';
import { mailOnPhone, outboxColumns } from './outbox-columns.tsx';
import { outboxSearch } from './outbox-search.ts';
import { useSendAgain } from './use-send-again.ts';

/** The product's own mail: what was sent, what waits, and (without a mail server) its text. */
export default function OutboxPage() {
  const { isAdmin } = useCurrentUser();
  const mayRead = useMay('admin') || isAdmin;
  if (!mayRead) {
    return (
      <Page title="Outbox">
        <NoPermission
          title="The outbox needs the admin role"
          description="Ask an owner or admin of this workspace for the link you are waiting for."
        />
      </Page>
    );
  }
  return <OutboxList everything={isAdmin} />;
}

const words: ListWords = {
  label: 'Mail',
  errorTitle: 'The outbox could not be loaded',
  older: 'Show older mail',
  empty: {
    icon: IconMailbox,
    title: 'No mail yet',
    description: 'Invitations to this workspace appear here once somebody is invited.',
  },
};

const purposes = {
  everything: 'All mail that this installation writes to people: invitations, password resets, notices.',
  workspace: "Mail written in this workspace's name, such as invitations.",
};

function OutboxList({ everything }: { everything: boolean }) {
  const [{ open }, change] = useUrlState(outboxSearch);
  const { first, ...list } = useOlder(everything ? listAllMail : listOutbox, {
    query: {},
    rowsOf: ({ items }) => items,
    after: ({ next }) => (next === null ? undefined : { before: next }),
    staleTime: 10_000,
  });
  const sendAgain = useSendAgain(everything);
  const hasMailServer = first?.hasMailServer === true;
  const maySend = (mail: Mail) => sendingAgainProblem(mail, hasMailServer) === null;
  const shown = list.rows?.find(({ id }) => id === open);
  const rowMenu = (mail: Mail) =>
    maySend(mail) ? (
      <Menu.Item leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={() => void sendAgain(mail)}>
        Send again
      </Menu.Item>
    ) : (
      <Menu.Label>{mail.status === 'sent' ? 'It was sent' : 'It waits by itself'}</Menu.Label>
    );
  return (
    <ListPage
      title="Outbox"
      purpose={everything ? purposes.everything : purposes.workspace}
      note={first?.hasMailServer === false && <NoMailServer />}
      list={list}
      words={words}
      columns={outboxColumns(hasMailServer)}
      phone={mailOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ subject }) => subject}
      expectedRows={8}
      {...(hasMailServer ? { rowMenu } : {})}
      onOpen={({ id }) => change({ open: id })}
      openKey={open}
    >
      <MailDialog
        mail={shown}
        onClose={() => change({ open: undefined })}
        onSend={shown && maySend(shown) ? () => sendAgain(shown) : null}
      />
    </ListPage>
  );
}

const NoMailServer = () => (
  <Note tone="info" title="No mail server is set up">
    Mail is kept here and none leaves the machine. Open one and pass its link on yourself.
  </Note>
);
