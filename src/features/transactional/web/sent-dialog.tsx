import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { keptReply } from '#features/sending/rules/kept-reply.ts';
import { previewPage } from '#features/templates/rules/preview-page.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { EmailFrame } from '#platform/web/components/email-frame.tsx';
import { ErrorState, NoPermission, Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { readsContent, showSent } from '../contract.ts';
import classes from './transactional.module.css';
import { stateLabels } from './words.ts';

/** One message: where it stands and, for those who may know, how its reader sees it. */
export const SentDialog = ({ id, onClose }: { id: number | undefined; onClose: () => void }) => (
  <Modal opened={id !== undefined} onClose={onClose} title="Message" size={760}>
    {id !== undefined && <Sent id={id} />}
  </Modal>
);

function Sent({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(showSent, { params: { id } }));
  if (error)
    return (
      <ErrorState title="The message could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <CentredSpinner />;
  const { to, subject, state, reason, reply, createdAt, html } = data;
  return (
    <div className={classes.body}>
      <div className={classes.facts}>
        <b>{subject}</b>
        <span>
          To {to}, <DateText value={createdAt} />
        </span>
        <span>
          <StatusBadge status={state} label={stateLabels[state]} /> {reason}
        </span>
        {reply !== null && (
          <span>
            {reply.endsWith(keptReply)
              ? 'Kept in the outbox: no mail server is set up.'
              : `The mail server said: ${reply}`}
          </span>
        )}
      </div>
      <Content to={to} html={html} />
    </div>
  );
}

function Content({ to, html }: { to: string; html: string | null }) {
  const mayRead = useMay(readsContent.role);
  if (!mayRead)
    return (
      <NoPermission
        title="Reading a message needs the editor role"
        description="Ask an owner or admin. You can still see where it stands."
      />
    );
  if (html !== null) return <EmailFrame to={to} page={previewPage(html)} />;
  return (
    <Note tone="info" title="The message is not kept any more">
      It was sent, and what was written in it has been deleted.
    </Note>
  );
}
