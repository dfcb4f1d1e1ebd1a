import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { changedFields, hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { addSmtpServer, changeSmtpServer, listSmtpServers, type ShownServer } from '../contract.ts';
import { type Change, ConnectionFields, type Values } from './connection-fields.tsx';
import { ShareFields } from './share-fields.tsx';
import { TestButton } from './test-button.tsx';

interface Props {
  /** Null: a new one. */
  edited: ShownServer | null;
  onClose: () => void;
}

const fresh: Values = {
  ...{ name: '', host: '', port: 587, tls: 'starttls', username: '', password: '' },
  ...{ weight: 1, isFallback: false, isActive: true, perHour: null, perMinute: null },
};
const fields = Object.keys(fresh);

function valuesOf(server: ShownServer | null): Values {
  if (!server) return fresh;
  const { name, host, port, tls, username, weight, isFallback, isActive, perHour, perMinute } = server;
  return {
    ...{ name, host, port, tls, username, password: '' },
    ...{ weight, isFallback, isActive, perHour, perMinute },
  };
}

/** Writes an SMTP server, and tries it before it is saved. */
export function ServerDialog({ edited, onClose }: Props) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState(valuesOf(edited));
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faults = error instanceof ApiError ? error.fields : {};
  const change: Change = (given) => setValues((before) => ({ ...before, ...given }));
  const save = async (server: ShownServer) => {
    const body = changedFields(valuesOf(server), values);
    if (Object.keys(body).length === 0) return server;
    return call(changeSmtpServer, { params: { id: server.id }, body });
  };
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const { name, isActive } = edited ? await save(edited) : await call(addSmtpServer, { body: values });
      await queryClient.invalidateQueries({ queryKey: [listSmtpServers.path] });
      toastDone({
        title: edited ? 'Server Updated' : 'Server Added',
        message: isActive ? `Messages leave through ${name}.` : 'It is off.',
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
      isChanged={hasChanges(valuesOf(edited), values)}
      error={error !== null && !fields.some((field) => faults[field]) ? words(error) : null}
      onSubmit={() => void submit()}
    >
      <ConnectionFields {...{ values, change, faults }} keepsPassword={edited?.hasPassword === true} />
      <ShareFields {...{ values, change, faults }} />
      <Switch
        label="On"
        checked={values.isActive}
        onChange={({ currentTarget: { checked } }) => change({ isActive: checked })}
      />
      <TestButton {...{ values, onFault: setError }} id={edited?.id} />
    </FormDialog>
  );
}
