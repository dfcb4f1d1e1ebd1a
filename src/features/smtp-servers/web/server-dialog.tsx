import { Checkbox, NumberInput, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { addSmtpServer, changeSmtpServer, listSmtpServers, type ShownServer } from '../contract.ts';
import { type Change, ConnectionFields, type Values } from './connection-fields.tsx';
import { TestButton } from './test-button.tsx';

interface Props {
  /** Null: a new one. */
  edited: ShownServer | null;
  onClose: () => void;
}

const fresh: Values = {
  ...{ name: '', host: '', port: 587, tls: 'starttls', username: '', password: '' },
  ...{ weight: 1, isFallback: false, isActive: true },
};
const fields = Object.keys(fresh);

function valuesOf(server: ShownServer | null): Values {
  if (!server) return fresh;
  const { name, host, port, tls, username, weight, isFallback, isActive } = server;
  return { name, host, port, tls, username, password: '', weight, isFallback, isActive };
}

/** Writes an SMTP server, and tries it before it is saved. */
export function ServerDialog({ edited, onClose }: Props) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState(valuesOf(edited));
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faults = error instanceof ApiError ? error.fields : {};
  const change: Change = (given) => setValues((before) => ({ ...before, ...given }));
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const { password, ...rest } = values;
      const body = password === '' ? rest : values;
      await (edited
        ? call(changeSmtpServer, { params: { id: edited.id }, body })
        : call(addSmtpServer, { body }));
      await queryClient.invalidateQueries({ queryKey: [listSmtpServers.path] });
      toastDone({
        title: edited ? 'Server Updated' : 'Server Added',
        message: values.isActive ? `Messages leave through ${values.name.trim()}.` : 'It is off.',
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
      title={edited ? `Edit ${edited.name}` : 'Add an SMTP server'}
      width={520}
      submitLabel={edited ? 'Save' : 'Add server'}
      pendingLabel={edited ? 'Saving...' : 'Adding...'}
      pending={pending}
      error={error !== null && !fields.some((field) => faults[field]) ? words(error) : null}
      onSubmit={() => void submit()}
    >
      <ConnectionFields {...{ values, change, faults }} keepsPassword={edited?.hasPassword === true} />
      <NumberInput
        label="Weight"
        description="Of weights 3 and 1, the first server gets three messages of four."
        {...{ min: 1, max: 100, allowDecimal: false, allowNegative: false, disabled: values.isFallback }}
        {...{ value: values.weight, error: faults.weight }}
        onChange={(value) => change({ weight: Number(value) })}
      />
      <Checkbox
        label="Fallback"
        description="Used only while none of the others can be."
        checked={values.isFallback}
        onChange={({ currentTarget: { checked } }) => change({ isFallback: checked })}
      />
      <Switch
        label="On"
        checked={values.isActive}
        onChange={({ currentTarget: { checked } }) => change({ isActive: checked })}
      />
      <TestButton {...{ values, onFault: setError }} id={edited?.id} />
    </FormDialog>
  );
}
