import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { addSender, changeSender, listSenders, type SenderAddress } from '../contract.ts';

interface Props {
  /** Null: a new one. */
  edited: (SenderAddress & { id: number }) | null;
  onClose: () => void;
}

const inputs: { field: 'name' | 'address' | 'replyTo'; label: string; hint: string; placeholder: string }[] =
  [
    { field: 'name', label: 'Name', hint: 'Readers see it beside the address.', placeholder: 'Anna at Acme' },
    { field: 'address', label: 'Address', hint: '', placeholder: 'hello@yourbusiness.co.uk' },
    {
      field: 'replyTo',
      label: 'Reply-to',
      hint: 'Where replies go. Empty: to the address itself.',
      placeholder: '',
    },
  ];

/** Writes a sender address. */
export function AddressDialog({ edited, onClose }: Props) {
  const queryClient = useQueryClient();
  const [first] = useState({
    name: edited?.name ?? '',
    address: edited?.address ?? '',
    replyTo: edited?.replyTo ?? '',
  });
  const [values, setValues] = useState(first);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faults = error instanceof ApiError ? error.fields : {};
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      await (edited
        ? call(changeSender, { params: { id: edited.id }, body: values })
        : call(addSender, { body: values }));
      await queryClient.invalidateQueries({ queryKey: [listSenders.path] });
      toastDone({
        title: edited ? 'Address Updated' : 'Address Added',
        message: `Campaigns can be sent from ${values.address.trim()}.`,
      });
      onClose();
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={edited ? `Edit ${edited.address}` : 'Add a sender address'}
      submitLabel={edited ? 'Save' : 'Add address'}
      pendingLabel={edited ? 'Saving...' : 'Adding...'}
      pending={pending}
      isChanged={hasChanges(first, values)}
      error={error !== null && !inputs.some(({ field }) => faults[field]) ? words(error) : null}
      onSubmit={() => void submit()}
    >
      {inputs.map(({ field, hint, ...rest }, index) => (
        <TextInput
          key={field}
          {...rest}
          description={hint}
          {...(index === 0 ? { 'data-autofocus': true } : {})}
          autoComplete="off"
          value={values[field]}
          error={faults[field]}
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [field]: value }))}
        />
      ))}
    </FormDialog>
  );
}
