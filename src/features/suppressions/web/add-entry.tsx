import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import classes from './add-entry.module.css';
import { DomainEffect } from './domain-effect.tsx';
import type { Tab } from './suppressions-search.ts';
import { useSuppressAddress } from './use-suppress-address.ts';
import { useSuppressDomain } from './use-suppress-domain.ts';
import { refusalOf } from './words.ts';

const fields = {
  emails: { type: 'email', label: 'Email address to suppress', placeholder: 'name@example.co.uk' },
  domains: { type: 'text', label: 'Domain to suppress', placeholder: 'example.co.uk' },
} as const;

/**
 * Adds an address or a domain to its list by hand. Ignores blank input; Enter adds. For a
 * domain it says before whom that affects.
 */
export function AddEntry({ tab, onAdded }: { tab: Tab; onAdded: () => void }) {
  const [typed, setTyped] = useState('');
  const done = () => {
    setTyped('');
    onAdded();
  };
  const address = useSuppressAddress(done);
  const domain = useSuppressDomain(done);
  const { mutate, reset, isPending, error } = tab === 'emails' ? address : domain;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '' && !isPending) mutate(typed.trim());
  };
  const { type, label, placeholder } = fields[tab];
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.field}>
        <TextInput
          type={type}
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          error={refusalOf(error, tab)}
          disabled={isPending}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={1000}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            if (error) reset();
          }}
        />
        {tab === 'domains' && typed !== '' && !error && <DomainEffect typed={typed} />}
      </div>
      <Button
        type="submit"
        className={classes.button}
        loading={isPending}
        leftSection={<IconPlus size={16} stroke={1.8} />}
      >
        {tab === 'emails' ? 'Suppress email' : 'Suppress domain'}
      </Button>
    </form>
  );
}
