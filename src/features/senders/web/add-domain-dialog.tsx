import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { domainIn } from '#features/addresses/rules/domain-in.ts';
import { getSettings } from '#features/settings/contract.ts';
import { ApiError, call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { addSenderDomain, listSenderDomains } from '../contract.ts';

interface Props {
  onClose: () => void;
  onAdded: (id: number) => void;
}

/** Asks for a domain. The one of the sender in the settings is offered. */
export function AddDomainDialog({ onClose, onAdded }: Props) {
  const { data: settings, error: unread } = useQuery(queryOptionsFor(getSettings));
  const { data: domains } = useQuery(queryOptionsFor(listSenderDomains));
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const own = domainIn(settings?.sender.fromAddress ?? '');
  const offered = domains?.items.some(({ domain }) => domain === own) ? '' : own;
  const domain = typed ?? offered;
  const fieldError = error instanceof ApiError ? error.fields.domain : undefined;
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const { id } = await call(addSenderDomain, { body: { domain } });
      await queryClient.invalidateQueries({ queryKey: [listSenderDomains.path] });
      onAdded(id);
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Add a sender domain"
      submitLabel="Add domain"
      pendingLabel="Making a key..."
      pending={pending}
      error={error !== null && !fieldError ? words(error) : null}
      onSubmit={() => void submit()}
    >
      {unread && <ErrorLine title="The sender of the settings could not be read." error={unread} />}
      <TextInput
        label="Domain"
        description="What follows the @ in the addresses that you send from."
        placeholder="yourbusiness.co.uk"
        data-autofocus
        value={domain}
        error={fieldError}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
