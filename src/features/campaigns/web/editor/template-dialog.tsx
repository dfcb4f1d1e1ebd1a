import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getTemplate, listTemplates, type Template } from '#features/templates/contract.ts';
import type { EmailContent } from '#features/templates/web/index.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { type Draft, designed } from './draft.ts';

interface Props {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
  onClose: () => void;
}

/** Copies a template of the workspace into the campaign. What was there can be taken back. */
export function TemplateDialog({ draft, onChange, onClose }: Props) {
  const { data } = useQuery(
    queryOptionsFor(listTemplates, { query: { limit: 100, content: 'false' as never } }),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const template = await call(getTemplate, { params: { id: Number(chosen) } });
      const { writing, design, preheader, textContent } = draft;
      onChange({
        ...designed({ ...draft, design: null }, contentOf(template)),
        writing: 'design',
        textContent: template.textContent ?? '',
      });
      toastDone({
        title: 'Template Copied',
        message: `The campaign begins with ${template.name}.`,
        action: { label: 'Undo', onClick: () => onChange({ writing, design, preheader, textContent }) },
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
      error={error}
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
        data={(data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}

function contentOf({ mode, document, mjml, htmlContent }: Template): EmailContent {
  if (mode === 'visual' && document) return { mode, document };
  return mode === 'mjml' ? { mode, mjml: mjml ?? '' } : { mode: 'html', htmlContent };
}
