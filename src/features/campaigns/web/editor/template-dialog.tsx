import { Select } from '@mantine/core';
import { useState } from 'react';
import { words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { useBeginnings } from '../use-beginnings.ts';
import { type Draft, designed } from './draft.ts';

interface Props {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
  onClose: () => void;
}

/** Copies a template or a preset into the campaign. What was there can be taken back. */
export function TemplateDialog({ draft, onChange, onClose }: Props) {
  const { groups, find, error: failure } = useBeginnings();
  const [chosen, setChosen] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    const begun = chosen === null ? undefined : find(chosen);
    if (!begun) return;
    setPending(true);
    setError(null);
    try {
      const copied = await begun.content();
      const { writing, design, preheader, textContent } = draft;
      onChange({
        ...designed({ ...draft, design: null }, copied.content),
        writing: 'design',
        textContent: copied.textContent,
      });
      toastDone({
        title: 'Template Copied',
        message: `The campaign begins with ${begun.name}.`,
        action: { label: 'Undo', onClick: () => onChange({ writing, design, preheader, textContent }) },
        isOfDraft: true,
      });
      onClose();
    } catch (failure) {
      setError(words(failure, 'The template could not be loaded.'));
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Begin with a template"
      submitLabel="Copy it"
      pendingLabel="Copying..."
      pending={pending}
      error={error ?? (failure ? words(failure, 'The templates could not be loaded.') : null)}
      submitDisabled={chosen === null}
      onSubmit={() => void submit()}
    >
      <Select
        data-autofocus
        label="Template"
        description="The campaign gets a copy of its own. Later changes to the template leave it alone."
        placeholder="Choose a template"
        searchable
        nothingFoundMessage="No template has this name"
        data={groups}
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
