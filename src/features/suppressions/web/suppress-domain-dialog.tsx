import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { DomainEffect } from './domain-effect.tsx';
import { useSuppressDomain } from './use-suppress-domain.ts';
import { refusalOf } from './words.ts';

/**
 * Puts a whole domain on the suppression list, and says before whom that affects. A blank field is
 * ignored.
 */
export function SuppressDomainDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [domain, setDomain] = useState('');
  const { mutate, reset, isPending, error } = useSuppressDomain(onClose);
  useEffect(() => {
    if (!opened) return;
    setDomain('');
    reset();
  }, [opened, reset]);
  const submit = () => {
    if (domain.trim() !== '') mutate(domain.trim());
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Suppress a domain"
      submitLabel="Suppress domain"
      pendingLabel="Suppressing..."
      pending={isPending}
      onSubmit={submit}
      submitDisabled={domain.trim() === ''}
    >
      <TextInput
        label="Domain"
        description="Its subdomains are suppressed too. Nobody there is mailed until you lift it."
        placeholder="example.co.uk"
        value={domain}
        error={refusalOf(error, 'domains')}
        disabled={isPending}
        data-autofocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        maxLength={1000}
        onChange={(event) => {
          setDomain(event.currentTarget.value);
          if (error) reset();
        }}
      />
      <DomainEffect typed={domain} />
    </FormDialog>
  );
}
