import { Radio, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ContactSelection } from '#features/audience/contract.ts';
import { words } from '#platform/web/api.ts';
import { hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { Note } from '#platform/web/components/states.tsx';
import type { SaidBasis } from '../contract.ts';
import { BasisFields, type BasisForm, saidIn } from './basis-fields.tsx';

export type SaidOfMany = SaidBasis & { onlyUnknown: boolean };

interface SetBasisDialogProps {
  /** Whose basis it is. Null while the dialog is closed. */
  selection: ContactSelection | null;
  onClose: () => void;
  /** Begins the work. Rejects when it could not be begun. */
  onSet: (selection: ContactSelection, said: SaidOfMany) => Promise<unknown>;
}

const atFirst: BasisForm = { basis: 'consent', source: '', givenOn: null };

/** Says on what basis many contacts may get marketing. */
export function SetBasisDialog({ selection, onClose, onSet }: SetBasisDialogProps) {
  const opened = selection !== null;
  const [form, setForm] = useState(atFirst);
  const [onlyUnknown, setOnlyUnknown] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (!opened) return;
    setForm(atFirst);
    setOnlyUnknown(true);
    setError(null);
  }, [opened]);
  const submit = async () => {
    if (!selection) return;
    setPending(true);
    try {
      // Somebody of whom nothing is known stays as they are.
      await onSet(selection, { ...saidIn(form), onlyUnknown: onlyUnknown && form.basis !== 'unknown' });
      onClose();
    } catch (failure) {
      setError(words(failure, 'Failed to perform bulk action. Please try again.'));
    } finally {
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Set the marketing basis"
      submitLabel="Set marketing basis"
      pending={pending}
      isChanged={hasChanges(atFirst, form)}
      error={error}
      onSubmit={() => void submit()}
    >
      <BasisFields
        form={form}
        onChange={(some) => {
          setForm((before) => ({ ...before, ...some }));
          setError(null);
        }}
      />
      {form.basis !== 'unknown' && (
        <Radio.Group
          label="Contacts that have a basis already"
          value={onlyUnknown ? 'stay' : 'replace'}
          onChange={(chosen) => setOnlyUnknown(chosen === 'stay')}
        >
          <Stack gap={8} mt={8}>
            <Radio value="stay" label="Keep theirs" />
            <Radio value="replace" label="Get this one" />
          </Stack>
        </Radio.Group>
      )}
      <Note tone="info">It can be undone for 30 days, and stays on the timeline of each contact.</Note>
    </FormDialog>
  );
}
