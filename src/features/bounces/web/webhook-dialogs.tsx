import { Button, CopyButton, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { ConfirmDialog, FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import {
  type BounceWebhook,
  deleteBounceWebhook,
  listBounceWebhooks,
  setBounceWebhook,
} from '../contract.ts';
import { aboutProviders } from '../rules/providers/providers.ts';
import classes from './webhooks.module.css';

interface Props {
  webhook: BounceWebhook;
  onClose: () => void;
}

/** What to paste at a service, and what proves its calls. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const { provider, name, url, isOn, hasSecret, topic } = webhook;
  const { steps, secret: about } = aboutProviders[provider];
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fault = error instanceof ApiError ? error.fields.secret : undefined;
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const body = secret.trim() === '' ? {} : { secret };
      queryClient.setQueryData(queryKey, await call(setBounceWebhook, { params: { provider }, body }));
      await queryClient.invalidateQueries({ queryKey });
      toastDone({
        title: isOn ? 'Email Service Updated' : 'Email Service Turned On',
        message: `${name} may tell of bounces and complaints.`,
      });
      onClose();
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={isOn ? name : `Set up ${name}`}
      width={560}
      submitLabel={isOn ? 'Save' : 'Turn on'}
      pendingLabel={isOn ? 'Saving...' : 'Turning on...'}
      pending={pending}
      isChanged={secret.trim() !== ''}
      error={error !== null && !fault ? words(error) : null}
      onSubmit={() => void submit()}
    >
      <p className={classes.steps}>{steps}</p>
      <div className={classes.address}>
        <TextInput
          label="Address"
          description="Nobody can guess it. Keep it to yourself and the service."
          readOnly
          value={url}
        />
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button variant="default" aria-label="Copy address" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
      {topic !== null && <p className={classes.steps}>Confirmed for {topic}.</p>}
      {about && (
        <PasswordInput
          label={about.isNeeded ? about.label : `${about.label} (optional)`}
          description={about.hint}
          placeholder={hasSecret ? 'Kept. Leave it empty to keep it' : ''}
          autoComplete="off"
          value={secret}
          error={fault}
          onChange={({ currentTarget: { value } }) => setSecret(value)}
        />
      )}
    </FormDialog>
  );
}

const queryKey = [listBounceWebhooks.path];

/** Asks before the address of a service stops working. */
export function EndWebhookDialog({ webhook: { provider, name }, onClose }: Props) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Turn off ${name}`}
      confirmLabel="Turn off"
      onConfirm={async () => {
        await call(deleteBounceWebhook, { params: { provider } });
        await queryClient.invalidateQueries({ queryKey });
        toastDone({ title: 'Email Service Turned Off', message: `${name} can tell nothing any more.` });
      }}
    >
      <p>Its address stops working for good. If you turn it on again, it gets another one.</p>
    </ConfirmDialog>
  );
}
