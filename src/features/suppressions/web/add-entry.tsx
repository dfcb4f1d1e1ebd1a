import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { ApiError, call, words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { suppressAddress, suppressDomain } from '../contract.ts';
import classes from './add-entry.module.css';
import type { Tab } from './suppressions-search.ts';
import { failures } from './words.ts';

const fields = {
  emails: { type: 'email', label: 'Email address to suppress', placeholder: 'name@example.co.uk' },
  domains: { type: 'text', label: 'Domain to suppress', placeholder: 'example.co.uk' },
} as const;

/** Adds an address or a domain to its list by hand. Ignores blank input; Enter adds. */
export function AddEntry({ tab, onAdded }: { tab: Tab; onAdded: () => void }) {
  const [typed, setTyped] = useState('');
  const queryClient = useQueryClient();
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (text: string) => (tab === 'emails' ? addAddress(text) : addDomain(text)),
    onSuccess: (said) => {
      toastDone(said);
      setTyped('');
      onAdded();
      void refreshContacts(queryClient);
    },
    onError: () => toastFailed({ title: 'Error', message: failures[tab] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '' && !isPending) mutate(typed.trim());
  };
  const { type, label, placeholder } = fields[tab];
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field}
        type={type}
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        error={error === null ? null : refusalOf(error, tab)}
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

async function addAddress(email: string): Promise<{ title: string; message: string }> {
  const entry = await call(suppressAddress, { body: { email } });
  return { title: 'Email Suppressed', message: `${entry.email} will not be mailed.` };
}

async function addDomain(domain: string): Promise<{ title: string; message: string }> {
  const entry = await call(suppressDomain, { body: { domain } });
  const affected =
    entry.affectedCount === 0
      ? 'You have no contacts there.'
      : `${formatCount(entry.affectedCount, 'contact')} will not be mailed.`;
  return { title: 'Domain Suppressed', message: `${entry.domain} is on the list. ${affected}` };
}

function refusalOf(error: Error, tab: Tab): string {
  const field = tab === 'emails' ? 'email' : 'domain';
  return (error instanceof ApiError && error.fields[field]) || words(error, failures[tab]);
}
