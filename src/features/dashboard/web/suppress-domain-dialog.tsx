import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { suppressDomain } from '#features/suppressions/contract.ts';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

/** Puts a whole domain on the suppression list. A blank field is ignored. */
export function SuppressDomainDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [domain, setDomain] = useState('');
  const queryClient = useQueryClient();
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (typed: string) => call(suppressDomain, { body: { domain: typed } }),
    onSuccess: ({ domain: name, affectedCount }) => {
      toastDone({ title: 'Domain Suppressed', message: whatHappened(name, affectedCount) });
      void refreshContacts(queryClient);
      onClose();
    },
    onError: () =>
      toastFailed({ title: 'Error', message: 'Failed to add domain suppression. Please try again.' }),
  });
  useEffect(() => {
    if (!opened) return;
    setDomain('');
    reset();
  }, [opened, reset]);
  const submit = () => {
    if (domain.trim() !== '') mutate(domain.trim());
  };
  const refusal = error === null ? null : refusalOf(error);
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
        error={refusal}
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
    </FormDialog>
  );
}

const refusalOf = (error: unknown): string =>
  (error instanceof ApiError && error.fields.domain) ||
  words(error, 'Failed to add domain suppression. Please try again.');

const whatHappened = (domain: string, affected: number): string =>
  affected === 0
    ? `${domain} is on the suppression list. You have no contacts there.`
    : `${domain} is on the suppression list: ${formatCount(affected, 'contact')} will not be mailed.`;
