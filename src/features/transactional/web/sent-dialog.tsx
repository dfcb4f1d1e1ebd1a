import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { keptReply } from '#features/sending/rules/kept-reply.ts';
import { previewPage } from '#features/templates/rules/preview-page.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { EmailFrame } from '#platform/web/components/email-frame.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { showSent } from '../contract.ts';
import classes from './transactional.module.css';
import { stateLabels } from './words.ts';

/** One message: where it stands, and how its reader sees it. */
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
      {html === null ? (
        <Note tone="info" title="The message is not kept any more">
          It was sent, and what was written in it has been deleted.
        </Note>
      ) : (
        <EmailFrame to={to} page={previewPage(html)} />
      )}
    </div>
  );
}
