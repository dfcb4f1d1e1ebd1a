import { Modal, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { previewPage } from '#features/templates/rules/preview-page.ts';
import { addressOf, queryOptionsFor } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { EmailFrame } from '#platform/web/components/email-frame.tsx';
import { AwayLink } from '#platform/web/components/links.tsx';
import { ErrorState, NoPermission } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { contentRole, downloadKeptMessage, showKeptMessage } from '../contract.ts';
import classes from './messages.module.css';

/** One message, for those who may read it: how it looks, its text, and its header. */
export function MessageDialog({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const mayRead = useMay(contentRole);
  return (
    <Modal opened={id !== undefined} onClose={onClose} title="Message" size={760}>
      {!mayRead && (
        <NoPermission
          title="Reading a message needs the editor role"
          description="Ask an owner or admin. You can still see who got it."
        />
      )}
      {mayRead && id !== undefined && <Message id={id} />}
    </Modal>
  );
}

const forms = ['As it looks', 'Text', 'Header'] as const;

function Message({ id }: { id: number }) {
  const [form, setForm] = useState<(typeof forms)[number]>('As it looks');
  const { data, error, refetch } = useQuery(queryOptionsFor(showKeptMessage, { params: { id } }));
  if (error)
    return (
      <ErrorState title="The message could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <CentredSpinner />;
  const { to, subject, html, text, headers } = data;
  return (
    <div className={classes.body}>
      <div className={classes.facts}>
        <b>{subject}</b>
        <span>To {to}</span>
      </div>
      <div className={classes.facts}>
        <SegmentedControl
          size="xs"
          aria-label="Show"
          data={[...forms]}
          value={form}
          onChange={(value) => setForm(value as typeof form)}
        />
        <AwayLink href={addressOf(downloadKeptMessage, { params: { id } })}>Download the source</AwayLink>
      </div>
      {form === 'As it looks' && <EmailFrame to={to} page={previewPage(html)} />}
      {form === 'Text' && <pre className={classes.text}>{text}</pre>}
      {form === 'Header' && (
        <pre className={classes.text}>{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
      )}
    </div>
  );
}
