import { Button, CopyButton, Modal, SegmentedControl } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { fromThisHost } from '#features/images/rules/address.ts';
import { emailPage } from '#platform/shared/email-page.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { EmailFrame } from '#platform/web/components/email-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import type { Mail } from '../contract.ts';
import classes from './mail-dialog.module.css';
import { MailStatus } from './outbox-columns.tsx';

interface MailDialogProps {
  /** Undefined while the dialog is closed. */
  mail: Mail | undefined;
  onClose: () => void;
  /** Null when it cannot be sent again. */
  onSend: (() => Promise<void>) | null;
}

/** One mail: what happened to it, and its text as far as it may be read here. */
export const MailDialog = ({ mail, onClose, onSend }: MailDialogProps) => (
  <Modal
    opened={mail !== undefined}
    onClose={onClose}
    title={mail?.subject ?? ''}
    size={mail?.html ? 760 : 600}
  >
    {mail && <MailBody mail={mail} onSend={onSend} />}
  </Modal>
);

function MailBody({ mail, onSend }: { mail: Mail; onSend: MailDialogProps['onSend'] }) {
  const { to, kind, status, text, html, link, error, attempts } = mail;
  return (
    <div className={classes.body}>
      <div className={classes.facts}>
        <span>To {to}</span>
        <MailStatus status={status} />
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
            : kind === 'invitation'
              ? 'An invitation is shown only to members who may give its role.'
              : 'Mail about an account is shown to its reader only.'}
        </p>
      ) : (
        <MailWords to={to} text={text} html={html} />
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

const forms = ['As it looks', 'Text'] as const;

/** What it says. A test of an email has a look as well. */
function MailWords({ to, text, html }: { to: string; text: string; html: string | null }) {
  const [form, setForm] = useState<(typeof forms)[number]>('As it looks');
  if (html === null) return <pre className={classes.text}>{text}</pre>;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Show"
        data={[...forms]}
        value={form}
        onChange={(value) => setForm(value as typeof form)}
      />
      {form === 'Text' ? (
        <pre className={classes.text}>{text}</pre>
      ) : (
        <EmailFrame to={to} page={emailPage(fromThisHost(html))} />
      )}
    </>
  );
}

function attemptWords(status: Mail['status'], attempts: number): string {
  const times = attempts === 1 ? 'once' : `${attempts} times`;
  return status === 'failed' ? `Given up after it was tried ${times}` : `Tried ${times}, and will be again`;
}
