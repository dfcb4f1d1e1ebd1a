import { Button, CopyButton, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { renderSVG } from 'uqr';
import { getCurrentUser } from '#features/sign-in/contract.ts';
import { call } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { About, Fact } from '#platform/web/components/fact.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { readAgain } from '#platform/web/query-client.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import {
  type Account,
  confirmTwoFactor,
  getAccount,
  renewRecoveryCodes,
  startTwoFactor,
  stopTwoFactor,
} from '../contract.ts';
import classes from './account-page.module.css';
import { accountSearch } from './account-search.ts';
import { accountTopic } from './account-topic.ts';
import { OwnPassword } from './own-password.tsx';

/** Whether signing in also needs a code, and how many recovery codes are left. */
export function TwoFactorCard({ account }: { account: Account }) {
  const { password, provider } = account.signIn;
  if (provider && password !== 'set') {
    return (
      <Card title="Two-factor sign-in">
        You have no password here. {provider.name} asks for a second factor itself, if it is set up there.
      </Card>
    );
  }
  return <OwnFactor account={account} />;
}

function OwnFactor({ account }: { account: Account }) {
  const [{ open }, change] = useUrlState(accountSearch);
  const [asking, setAsking] = useState<'off' | 'codes' | null>(null);
  const { on, recoveryCodesLeft: left } = account.twoFactor;
  return (
    <Card title="Two-factor sign-in">
      <Fact
        actions={
          <>
            {on && (
              <Button variant="default" onClick={() => setAsking('codes')}>
                New recovery codes
              </Button>
            )}
            {on ? (
              <Button variant="default" onClick={() => setAsking('off')}>
                Turn off
              </Button>
            ) : (
              <Button variant="default" onClick={() => change({ open: 'two-factor' })}>
                Set up
              </Button>
            )}
          </>
        }
      >
        {on ? (
          <>
            <StatusBadge status="active" label="On" />{' '}
            <About>
              {left === 0 ? 'No recovery code is left.' : `${formatCount(left ?? 0, 'recovery code')} left.`}
            </About>
          </>
        ) : (
          'Besides the password, a code from an app on your phone. A stolen password alone then opens nothing.'
        )}
      </Fact>
      {account.signIn.provider?.connected && (
        <About>It is asked for after your password. {account.signIn.provider.name} sees to its own.</About>
      )}
      {on && (left ?? 0) < 3 && (
        <Note title={left === 0 ? 'No recovery code is left' : 'Few recovery codes are left'}>
          Make new ones: without them and without your phone nobody can let you in.
        </Note>
      )}
      {open === 'two-factor' && !on && <SetUpDialog onClose={() => change({ open: '' })} />}
      {asking === 'off' && <TurnOffDialog onClose={() => setAsking(null)} />}
      {asking === 'codes' && <NewCodesDialog onClose={() => setAsking(null)} />}
    </Card>
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  // Also reads again who is signed in: the workspace may let them in now, or no longer.
  return () =>
    Promise.all([
      ...[getAccount, getCurrentUser].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
      readAgain(queryClient, accountTopic),
    ]);
}

interface Setup {
  uri: string;
  secret: string;
  recoveryCodes: string[];
}

const setUpTitles = ['Set up two-factor sign-in', 'Add it to your app', 'Keep your recovery codes'];

/** First the password, then the QR code with the first code, then the recovery codes. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [setup, setSetup] = useState<Setup | null>(null);
  const [code, setCode] = useState('');
  const [done, setDone] = useState(false);
  const { pending, fields, error, send } = useSending();
  const refresh = useRefresh();
  const finish = async () => {
    await refresh();
    onClose();
  };
  const submit = () => {
    if (done) return void finish();
    void send(async () => {
      if (!setup) return setSetup(await call(startTwoFactor, { body: { password } }));
      await call(confirmTwoFactor, { body: { code } });
      setDone(true);
    });
  };
  const step = done ? 2 : setup ? 1 : 0;
  return (
    <FormDialog
      opened
      onClose={done ? () => void finish() : onClose}
      width={500}
      title={setUpTitles[step] ?? ''}
      submitLabel={['Continue', 'Turn on', 'I have kept them'][step] ?? ''}
      shownOnce={done}
      pending={pending}
      error={error}
      onSubmit={submit}
    >
      {step === 0 && (
        <OwnPassword autoFocus value={password} error={fields.password} onChange={setPassword} />
      )}
      {step === 1 && setup && <AppStep setup={setup} code={code} error={fields.code} onCode={setCode} />}
      {step === 2 && setup && <Codes codes={setup.recoveryCodes} />}
    </FormDialog>
  );
}

interface AppStepProps {
  setup: Setup;
  code: string;
  error: string | undefined;
  onCode: (code: string) => void;
}

function AppStep({ setup: { uri, secret }, code, error, onCode }: AppStepProps) {
  const image = useMemo(() => renderSVG(uri, { border: 2 }), [uri]);
  return (
    <>
      <div className={classes.qr}>
        {/* Drawn here from our own server's text; nothing in it is markup. */}
        <div
          role="img"
          aria-label="QR code for the authenticator app"
          dangerouslySetInnerHTML={{ __html: image }}
        />
        <ol className={classes.steps}>
          <li>Open an authenticator app on your phone.</li>
          <li>Scan the picture, or type in the key below.</li>
          <li>Enter the six digits it shows.</li>
        </ol>
      </div>
      <p className={classes.secret} style={{ margin: 0 }}>
        Key: <Mono>{secret}</Mono>
      </p>
      <TextInput
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        error={error}
        onChange={(event) => onCode(event.currentTarget.value)}
      />
    </>
  );
}

function Codes({ codes }: { codes: string[] }) {
  const text = `${codes.join('\n')}\n`;
  const file = useMemo(() => `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`, [text]);
  return (
    <>
      <Note title="They are shown this once">
        Each lets you in once without your phone. Keep them where you keep other passwords.
      </Note>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <Mono>{code}</Mono>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button variant="default" component="a" href={file} download="email-manager-recovery-codes.txt">
          Download
        </Button>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
    </>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useCurrentUser();
  const [password, setPassword] = useState('');
  const { pending, fields, error, send } = useSending();
  const refresh = useRefresh();
  const submit = () =>
    send(async () => {
      await call(stopTwoFactor, { body: { password } });
      await refresh();
      toastDone({ title: 'Two-Factor Sign-In Is Off' });
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Turn two-factor sign-in off"
      submitLabel="Turn off"
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      {workspace.requiresTwoFactor && (
        <Note>{workspace.name} asks for it: you could not work there until you set it up again.</Note>
      )}
      <OwnPassword autoFocus value={password} error={fields.password} onChange={setPassword} />
    </FormDialog>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [codes, setCodes] = useState<string[] | null>(null);
  const { pending, fields, error, send } = useSending();
  const refresh = useRefresh();
  const submit = () => {
    if (codes) return onClose();
    void send(async () => {
      setCodes((await call(renewRecoveryCodes, { body: { password } })).recoveryCodes);
      await refresh();
    });
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      width={500}
      title="New recovery codes"
      submitLabel={codes ? 'I have kept them' : 'Make new codes'}
      shownOnce={codes !== null}
      pending={pending}
      error={error}
      onSubmit={submit}
    >
      {codes ? (
        <Codes codes={codes} />
      ) : (
        <>
          <p style={{ margin: 0 }}>The codes you have now stop working.</p>
          <OwnPassword autoFocus value={password} error={fields.password} onChange={setPassword} />
        </>
      )}
    </FormDialog>
  );
}
