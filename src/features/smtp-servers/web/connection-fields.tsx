import { NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import type { ShownServer } from '../contract.ts';
import classes from './servers.module.css';

export interface Values
  extends Pick<
    ShownServer,
    | 'name'
    | 'host'
    | 'port'
    | 'tls'
    | 'username'
    | 'weight'
    | 'isFallback'
    | 'isActive'
    | 'perHour'
    | 'perMinute'
  > {
  password: string;
}
export type Change = (given: Partial<Values>) => void;

interface Props {
  values: Values;
  change: Change;
  faults: Record<string, string>;
  /** Whether there is a password that may stay. */
  keepsPassword: boolean;
}

const usualPorts = { starttls: 587, implicit: 465, none: 25 } as const;
const encryptions = [
  { value: 'starttls', label: 'STARTTLS (usual at 587)' },
  { value: 'implicit', label: 'TLS from the start (usual at 465)' },
  { value: 'none', label: 'None' },
];

/** How to reach a server and sign in to it. */
export function ConnectionFields({ values, change, faults, keepsPassword }: Props) {
  const text = (field: 'name' | 'host' | 'username') => ({
    ...{ value: values[field], error: faults[field], autoComplete: 'off' },
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) =>
      change({ [field]: value }),
  });
  const setTls = (tls: Values['tls']) => {
    // A port that somebody has chosen stays.
    const isUsual = values.port === usualPorts[values.tls];
    change({ tls, ...(isUsual ? { port: usualPorts[tls] } : {}) });
  };
  return (
    <>
      <TextInput label="Name" placeholder="Main relay" data-autofocus {...text('name')} />
      <div className={classes.pair}>
        <TextInput label="Host" placeholder="smtp.yourbusiness.co.uk" {...text('host')} />
        <NumberInput
          label="Port"
          {...{ min: 1, max: 65_535, allowDecimal: false, allowNegative: false, hideControls: true }}
          {...{ value: values.port, error: faults.port }}
          onChange={(value) => change({ port: Number(value) })}
        />
      </div>
      <NativeSelect
        label="Encryption"
        {...(values.tls === 'none' && values.username !== ''
          ? { description: 'The password goes over the network as it is.' }
          : {})}
        {...{ data: encryptions, value: values.tls, error: faults.tls }}
        onChange={({ currentTarget: { value } }) => setTls(value as Values['tls'])}
      />
      <TextInput label="User name" description="Empty: without signing in." {...text('username')} />
      <PasswordInput
        label="Password"
        placeholder={keepsPassword ? 'Kept. Leave it empty to keep it' : ''}
        {...{ autoComplete: 'new-password', value: values.password, error: faults.password }}
        onChange={({ currentTarget: { value } }) => change({ password: value })}
      />
    </>
  );
}
