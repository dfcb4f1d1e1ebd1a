import { useEffect, useState } from 'react';
import { hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { Note } from '#platform/web/components/states.tsx';
import type { SaidBasis } from '../contract.ts';
import { BasisFields, type BasisForm, saidIn } from './basis-fields.tsx';

interface SaidBasisDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What is chosen now. */
  said: SaidBasis | undefined;
  /** What the choice means, beyond the words of the fields. */
  note: string;
  /** Undefined: nothing is said. */
  onChoose: (said: SaidBasis | undefined) => void;
}

const formOf = (said: SaidBasis | undefined): BasisForm => ({
  basis: said?.basis ?? 'consent',
  source: said?.source ?? '',
  givenOn: said?.givenOn ?? null,
});

/** Chooses a marketing basis for contacts that are not there yet. Unknown takes the choice back. */
export function SaidBasisDialog({ opened, onClose, title, said, note, onChoose }: SaidBasisDialogProps) {
  const [form, setForm] = useState(() => formOf(said));
  useEffect(() => {
    if (opened) setForm(formOf(said));
  }, [opened]);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      submitLabel="Choose marketing basis"
      pending={false}
      isChanged={hasChanges(formOf(said), form)}
      onSubmit={() => {
        onChoose(form.basis === 'unknown' ? undefined : saidIn(form));
        onClose();
      }}
    >
      <BasisFields form={form} onChange={(some) => setForm((before) => ({ ...before, ...some }))} />
      <Note tone="info">{note}</Note>
    </FormDialog>
  );
}
