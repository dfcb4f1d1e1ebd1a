import { Button, CopyButton, Menu, Modal } from '@mantine/core';
import { IconMailbox, IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { call, words } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { EmptyState, NoPermission, Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useCurrentUser, useMay } from '#platform/web/current-user.ts';
import type { Tone } from '#platform/web/theme-colours.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import {
  listAllMail,
  listOutbox,
  type Mail,
  type Outbox,
  sendAnyMailAgain,
  sendMailAgain,
} from '../contract.ts';
import { sendingAgainProblem } from '../rules.ts';
import classes from './outbox-page.module.css';
import { outboxSearch } from './outbox-search.ts';

const tones: Record<Mail['status'], Tone> = {
  kept: 'neutral',
  waiting: 'warning',
  sent: 'success',
  failed: 'error',
};

/** The product's own mail: what was sent, what waits, and (without a mail server) what it says. */
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

function OutboxList({ everything }: { everything: boolean }) {
  const endpoint = everything ? listAllMail : listOutbox;
  const [{ open }, change] = useUrlState(outboxSearch);
  const query = useInfiniteQuery({
    queryKey: [endpoint.path],
    staleTime: 10_000,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(endpoint, { query: { before: pageParam }, signal }) as Promise<Outbox>,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const queryClient = useQueryClient();
  const sendAgain = async ({ id, to }: Mail) => {
    try {
      await call(everything ? sendAnyMailAgain : sendMailAgain, { params: { id } });
      toastDone({ title: 'Mail Sent Again', message: `The mail to ${to} is on its way to the mail server.` });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to send the mail. Please try again.') });
    }
    await queryClient.invalidateQueries({ queryKey: [endpoint.path] });
  };
  const hasMailServer = query.data?.pages[0]?.hasMailServer === true;
  const maySend = (mail: Mail) => sendingAgainProblem(mail, hasMailServer) === null;
  const rows = query.data?.pages.flatMap(({ items }) => items);
  const shown = rows?.find(({ id }) => id === open);
  return (
    <Page
      title="Outbox"
      purpose={
        everything
          ? 'All mail that this installation writes to people: invitations, password resets, notices.'
          : "Mail written in this workspace's name, such as invitations."
      }
    >
      {query.data?.pages[0]?.hasMailServer === false && (
        <Note tone="info" title="No mail server is set up">
          Mail is kept here and none leaves the machine. Open one and pass its link on yourself.
        </Note>
      )}
      <DataTable<Mail, number>
        label="Mail"
        rows={rows}
        state={query}
        rowKey={({ id }) => id}
        rowLabel={({ subject }) => subject}
        errorTitle="The outbox could not be loaded"
        expectedRows={8}
        {...(hasMailServer
          ? {
              rowMenu: (mail: Mail) =>
                maySend(mail) ? (
                  <Menu.Item
                    leftSection={<IconRefresh size={16} stroke={1.6} />}
                    onClick={() => void sendAgain(mail)}
                  >
                    Send again
                  </Menu.Item>
                ) : (
                  <Menu.Label>{mail.status === 'sent' ? 'It was sent' : 'It waits by itself'}</Menu.Label>
                ),
            }
          : {})}
        onOpen={({ id }) => change({ open: id })}
        openKey={open}
        empty={
          <EmptyState
            icon={IconMailbox}
            title="No mail yet"
            description="Invitations to this workspace appear here once somebody is invited."
          />
        }
        columns={[
          {
            key: 'to',
            head: 'To',
            cell: ({ to }) => <AddressText address={to} />,
            tone: 'strong',
            width: '24%',
          },
          { key: 'subject', head: 'Subject', cell: ({ subject }) => subject },
          {
            key: 'status',
            head: 'Status',
            width: 130,
            cell: ({ status }) => <StatusBadge status={status} tone={tones[status]} />,
          },
          ...(hasMailServer ? [whyColumn] : []),
          {
            key: 'date',
            head: 'Date',
            width: 120,
            numeric: true,
            tone: 'dim',
            cell: ({ createdAt }) => <DateText value={createdAt} />,
          },
        ]}
        phone={({ to, subject, status, error, createdAt }) => ({
          title: <AddressText address={to} />,
          aside: <DateText value={createdAt} />,
          second: (
            <>
              <StatusBadge status={status} tone={tones[status]} />
              <span>{[subject, whyNot({ status, error })].filter(Boolean).join(': ')}</span>
            </>
          ),
        })}
      />
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show older mail
          </Button>
        </div>
      )}
      <Modal
        opened={shown !== undefined}
        onClose={() => change({ open: undefined })}
        title={shown?.subject ?? ''}
        size={600}
      >
        {shown && <MailBody mail={shown} onSend={maySend(shown) ? () => sendAgain(shown) : null} />}
      </Modal>
    </Page>
  );
}

/** What the mail server said of a mail that has not left. */
const whyNot = ({ status, error }: Pick<Mail, 'status' | 'error'>): string =>
  status === 'sent' ? '' : (error ?? '');

const whyColumn: Column<Mail> = {
  key: 'why',
  head: 'Why not',
  width: '26%',
  tone: 'dim',
  cell: (mail) => <span title={whyNot(mail)}>{whyNot(mail)}</span>,
};

/** `onSend`: null where it cannot be sent again. */
function MailBody({ mail, onSend }: { mail: Mail; onSend: (() => Promise<void>) | null }) {
  const { to, status, text, link, error, attempts } = mail;
  return (
    <div className={classes.body}>
      <div className={classes.facts}>
        <span>To {to}</span>
        <StatusBadge status={status} tone={tones[status]} />
      </div>
      {error !== null && (
        <Note tone={status === 'failed' ? 'error' : 'warning'} title={attemptWords(status, attempts)}>
          {error}
        </Note>
      )}
      {onSend !== null && (
        <div>
          <AsyncButton leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={onSend}>
            Send again
          </AsyncButton>
        </div>
      )}
      {text === null ? (
        <p className={classes.gone}>
          {status === 'sent'
            ? 'The mail server took it. What was sent is not kept.'
            : 'Mail about an account is shown to its reader only.'}
        </p>
      ) : (
        <pre className={classes.text}>{text}</pre>
      )}
      {link !== null && (
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy the link'}
            </Button>
          )}
        </CopyButton>
      )}
    </div>
  );
}

function attemptWords(status: Mail['status'], attempts: number): string {
  const times = attempts === 1 ? 'once' : `${attempts} times`;
  return status === 'failed' ? `Given up after it was tried ${times}` : `Tried ${times}, and will be again`;
}
