import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { safePath } from '#platform/web/safe-path.ts';
import { secondFactor } from '../contract.ts';
import classes from './auth-page.module.css';
import { refreshCurrentUser } from './session.ts';

/** The second step of signing in. */
export function SecondFactorForm({ next }: { next: string | undefined }) {
  const [kind, setKind] = useState<'authenticator' | 'recovery'>('authenticator');
  const [code, setCode] = useState('');
  const [trustDevice, setTrustDevice] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const queryClient = useQueryClient();
  const router = useRouter();
  const recovery = kind === 'recovery';
  const atField = error instanceof ApiError ? error.fields.code : undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || code.trim() === '') return;
    setPending(true);
    try {
      await call(secondFactor, { body: { code, kind, trustDevice } });
      await refreshCurrentUser(queryClient);
      await router.navigate({ href: safePath(next), replace: true });
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  const other = () => {
    setKind(recovery ? 'authenticator' : 'recovery');
    setCode('');
    setError(null);
  };
  return (
    <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        key={kind}
        size="md"
        autoFocus
        label={recovery ? 'Recovery code' : 'Code of your authenticator app'}
        description={
          recovery ? 'One of the ten you kept. Each works once.' : 'Six digits, new every 30 seconds.'
        }
        autoComplete="one-time-code"
        inputMode={recovery ? 'text' : 'numeric'}
        spellCheck={false}
        value={code}
        error={atField}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          setError(null);
        }}
      />
      <Checkbox
        label="Do not ask on this device for 30 days"
        checked={trustDevice}
        onChange={(event) => setTrustDevice(event.currentTarget.checked)}
      />
      {error !== null && !atField && <Note tone="error">{words(error)}</Note>}
      <Button type="submit" size="md" fullWidth loading={pending}>
        Sign in
      </Button>
      <div className={classes.offer}>
        <TextButton onClick={other}>
          {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </TextButton>
      </div>
    </form>
  );
}
