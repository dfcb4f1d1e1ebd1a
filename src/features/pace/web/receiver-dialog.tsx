import { Autocomplete, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, words } from '#platform/web/api.ts';
import { hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import type { SendingPace } from '../contract.ts';
import { knownReceivers, namesOfReceiver } from '../rules/known-receivers.ts';

type Receiver = SendingPace['receivers'][number];

interface Props {
  /** Null: a new one. */
  edited: Receiver | null;
  onSave: (limit: Receiver) => Promise<void>;
  onClose: () => void;
}

/** Writes how many messages an hour a receiver gets. */
export function ReceiverDialog({ edited, onSave, onClose }: Props) {
  const [first] = useState<Receiver>(edited ?? { receiver: '', perHour: 1_000 });
  const [limit, setLimit] = useState(first);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faults = error instanceof ApiError ? error.fields : {};
  const faultOf = (field: string) => faults[`receiver.${field}`];
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      await onSave(limit);
      const message = `The limit of ${limit.receiver.trim()} was saved. It holds at once.`;
      toastDone({ title: 'Settings Updated', message });
      onClose();
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  const isToldBeside = ['receiver', 'perHour'].some(faultOf);
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={edited ? `Limit ${edited.receiver}` : 'Limit a receiver'}
      submitLabel="Save"
      pendingLabel="Saving..."
      pending={pending}
      isChanged={hasChanges(first, limit)}
      error={error !== null && !isToldBeside ? words(error) : null}
      onSubmit={() => void submit()}
    >
      <Autocomplete
        label="Receiver"
        description="The domain of its mail servers, or one after the @ of your contacts."
        placeholder="google.com"
        {...{ 'data-autofocus': true, autoComplete: 'off', error: faultOf('receiver') }}
        data={knownReceivers.map(({ receiver }) => receiver)}
        renderOption={({ option: { value } }) => `${value}: ${namesOfReceiver(value)}`}
        value={limit.receiver}
        onChange={(receiver) => setLimit((before) => ({ ...before, receiver }))}
      />
      <NumberInput
        label="Messages an hour"
        description="One minute’s worth may leave at once. What is on its way keeps its time for up to an hour."
        {...{ min: 1, allowDecimal: false, allowNegative: false, hideControls: true }}
        {...{ thousandSeparator: ',', error: faultOf('perHour'), value: limit.perHour || '' }}
        onChange={(value) => setLimit((before) => ({ ...before, perHour: Number(value) }))}
      />
    </FormDialog>
  );
}
