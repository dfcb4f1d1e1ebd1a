import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { tryServer } from '../contract.ts';
import type { Values } from './connection-fields.tsx';
import classes from './servers.module.css';

interface Props {
  values: Values;
  /** The id of the saved server. */
  id: number | undefined;
  onFault: (error: unknown) => void;
}

/** Tries the values that stand there, and shows what the server answers. */
export function TestButton({ values, id, onFault }: Props) {
  const [sendMessage, setSendMessage] = useState(false);
  const [result, setResult] = useState<{ ok: boolean; answer: string } | null>(null);
  const test = async () => {
    const { host, port, tls, username, password } = values;
    setResult(null);
    onFault(null);
    try {
      const typed = password === '' ? {} : { password };
      const saved = id === undefined ? {} : { id };
      const body = { host, port, tls, username, sendMessage, ...typed, ...saved };
      setResult(await call(tryServer, { body }));
    } catch (failure) {
      onFault(failure);
    }
  };
  return (
    <>
      <div className={classes.test}>
        <AsyncButton variant="default" onClick={test}>
          Test
        </AsyncButton>
        <Checkbox
          label="And send a message to my address"
          checked={sendMessage}
          onChange={({ currentTarget: { checked } }) => setSendMessage(checked)}
        />
      </div>
      <div role="status">{result && <Note tone={result.ok ? 'info' : 'warning'}>{result.answer}</Note>}</div>
    </>
  );
}
