import { Button, Checkbox, CopyButton, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Scope } from '#platform/shared/contract.ts';
import { allScopes } from '#platform/shared/feature-words.ts';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useFeatures } from '#platform/web/router.tsx';
import { createApiKey } from '../contract.ts';
import classes from './api-keys-page.module.css';

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Never' },
];

interface Props {
  onClose: () => void;
  onMade: () => Promise<unknown>;
}

/** First name, scopes and expiry; then the key, shown only this once. */
export function NewKeyDialog({ onClose, onMade }: Props) {
  const offered = allScopes(useFeatures().map(({ words: said }) => said ?? {}));
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [days, setDays] = useState('365');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [key, setKey] = useState<string | null>(null);
  const fields: Record<string, string> = error instanceof ApiError ? error.fields : {};
  const submit = async () => {
    if (key !== null) return onClose();
    setPending(true);
    setError(null);
    try {
      const expiresInDays = days === '' ? null : Number(days);
      setKey((await call(createApiKey, { body: { name, scopes, expiresInDays } })).key);
      await onMade();
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      width={620}
      title={key === null ? 'New API key' : 'Your new API key'}
      submitLabel={key === null ? 'Make key' : 'Done'}
      pendingLabel="Making..."
      pending={pending}
      isChanged={key === null && (name.trim() !== '' || scopes.length > 0)}
      shownOnce={key !== null}
      error={error !== null && !fields.name && !fields.scopes ? words(error) : null}
      onSubmit={() => void submit()}
    >
      {key !== null ? (
        <>
          <Note title="It is shown this once">
            Keep it like a password. Whoever has it can do what its scopes say.
          </Note>
          <div className={classes.key}>
            <TextInput label="Key" readOnly value={key} classNames={{ input: classes.keyText }} />
            <CopyButton value={key}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </div>
        </>
      ) : (
        <>
          <TextInput
            label="Name"
            description="What uses it: “Website sign-up form”."
            data-autofocus
            value={name}
            error={fields.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group
            label="Scopes"
            description="Give a key no more than it needs."
            error={fields.scopes}
            value={scopes}
            onChange={(values) => setScopes(values)}
          >
            <div className={classes.scopes}>
              {offered.map(({ scope, words: label }) => (
                <Checkbox key={scope} value={scope} label={label} description={scope} />
              ))}
            </div>
          </Checkbox.Group>
          <Select
            label="Runs out after"
            allowDeselect={false}
            data={lives}
            value={days}
            onChange={(value) => setDays(value ?? '')}
          />
        </>
      )}
    </FormDialog>
  );
}
