import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { TextButton } from '#platform/web/components/links.tsx';
import { PlainForm, Small } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { safePath } from '#platform/web/safe-path.ts';
import { secondFactor } from '../contract.ts';
import { refreshCurrentUser } from './session.ts';

/** The second step of signing in. */
export function SecondFactorForm({ next }: { next: string | undefined }) {
  const [kind, setKind] = useState<'authenticator' | 'recovery'>('authenticator');
  const [code, setCode] = useState('');
  const [trustDevice, setTrustDevice] = useState(false);
  const { pending, fields, error, send, forget } = useSending();
  const queryClient = useQueryClient();
  const router = useRouter();
  const recovery = kind === 'recovery';

  const submit = () => {
    if (pending || code.trim() === '') return;
    void send(async () => {
      await call(secondFactor, { body: { code, kind, trustDevice } });
      await refreshCurrentUser(queryClient);
      await router.navigate({ href: safePath(next), replace: true });
    });
  };
  const other = () => {
    setKind(recovery ? 'authenticator' : 'recovery');
    setCode('');
    forget();
  };
  return (
    <PlainForm onSubmit={submit}>
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
        error={fields.code}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          forget();
        }}
      />
      <Checkbox
        label="Do not ask on this device for 30 days"
        checked={trustDevice}
        onChange={(event) => setTrustDevice(event.currentTarget.checked)}
      />
      {error !== null && <Note tone="error">{error}</Note>}
      <Button type="submit" size="md" fullWidth loading={pending}>
        Sign in
      </Button>
      <Small>
        <TextButton onClick={other}>
          {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </TextButton>
      </Small>
    </PlainForm>
  );
}
