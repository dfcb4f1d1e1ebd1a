import { Autocomplete, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ContactSelection, listFields } from '#features/audience/contract.ts';
import {
  longestAttributeName,
  longestPartOfName,
  longestValue,
} from '#features/contacts/rules/contact-change.ts';
import { type ApiError, call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { type FieldChangePreview, previewFieldChange, type WhatChanges } from '../contract.ts';
import {
  emptyForm,
  fieldLabels,
  isNothing,
  previewWords,
  type SetForm,
  submitWords,
  whatOf,
} from './set-form.ts';

interface SetFieldsDialogProps {
  /** Whose fields. Null while the dialog is closed. */
  selection: ContactSelection | null;
  onClose: () => void;
  /** Begins the work. Rejects when it could not be begun. */
  onSet: (selection: ContactSelection, what: WhatChanges) => Promise<unknown>;
}

/** Asks which field gets which value, and says before how many contacts have another one. */
export function SetFieldsDialog({ selection, onClose, onSet }: SetFieldsDialogProps) {
  const opened = selection !== null;
  const [form, setForm] = useState(emptyForm);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const known = useQuery({ ...queryOptionsFor(listFields), enabled: opened }).data?.items ?? [];
  useEffect(() => {
    if (!opened) return;
    setForm(emptyForm);
    setError(null);
  }, [opened]);
  const what = whatOf(form, known);
  const preview = usePreview(selection, what);
  const change = (some: Partial<SetForm>) => {
    setForm((before) => ({ ...before, ...some }));
    setError(null);
  };
  const submit = async () => {
    if (!selection || !what) return;
    setPending(true);
    try {
      await onSet(selection, what);
      onClose();
    } catch (failure) {
      setError(words(failure, 'Failed to perform bulk action. Please try again.'));
    } finally {
      setPending(false);
    }
  };
  const isClearing = what?.set !== undefined && form.value.trim() === '';
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Set a field"
      submitLabel={submitWords(form, what, preview.data)}
      pending={pending}
      isChanged={form.value.trim() !== '' || form.name.trim() !== ''}
      submitDisabled={what === null || (preview.data !== undefined && isNothing(form, preview.data))}
      danger={isClearing}
      error={error ?? (preview.isError ? words(preview.error) : null)}
      onSubmit={() => void submit()}
    >
      <SetFormFields form={form} known={known} onChange={change} />
      {preview.data && what && (
        <Note tone="info">
          {previewWords(form, preview.data)}
          {!isNothing(form, preview.data) && ' It can be undone for 30 days.'}
        </Note>
      )}
    </FormDialog>
  );
}

/** How many contacts the change would reach, a moment after the last letter was typed. */
function usePreview(selection: ContactSelection | null, what: WhatChanges | null) {
  const [settled] = useDebouncedValue(what, 250);
  const isCurrent = JSON.stringify(settled) === JSON.stringify(what);
  const query = useQuery<FieldChangePreview, ApiError>({
    queryKey: [previewFieldChange.path, selection, settled],
    queryFn: ({ signal }) =>
      call(previewFieldChange, { body: { ...(selection ?? { filter: {} }), ...settled }, signal }),
    enabled: selection !== null && settled !== null,
    // Only a fresh count is useful here.
    staleTime: 0,
    gcTime: 0,
  });
  return { ...query, data: isCurrent && !query.isFetching ? query.data : undefined };
}

interface SetFormFieldsProps {
  form: SetForm;
  known: readonly string[];
  onChange: (some: Partial<SetForm>) => void;
}

function SetFormFields({ form, known, onChange }: SetFormFieldsProps) {
  const { field, name, value, onlyEmpty } = form;
  const ofValue = {
    label: 'Value',
    description: 'Leave it empty to clear the field.',
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ value: currentTarget.value }),
  };
  return (
    <>
      <NativeSelect
        data-autofocus
        label="Field"
        data={Object.entries(fieldLabels).map(([key, label]) => ({ value: key, label }))}
        value={field}
        onChange={({ currentTarget }) => onChange({ field: currentTarget.value as SetForm['field'] })}
      />
      {field === 'extra' && (
        <Autocomplete
          label="Name of the field"
          maxLength={longestAttributeName}
          data={[...known]}
          value={name}
          onChange={(text) => onChange({ name: text })}
        />
      )}
      {field === 'notes' ? (
        <Textarea {...ofValue} rows={3} maxLength={longestValue} />
      ) : (
        field !== 'split' && (
          <TextInput
            {...ofValue}
            autoComplete="off"
            maxLength={field === 'extra' ? longestValue : longestPartOfName}
          />
        )
      )}
      {field !== 'split' && (
        <Radio.Group
          label="Contacts that have another value"
          value={onlyEmpty ? 'stay' : 'replace'}
          onChange={(chosen) => onChange({ onlyEmpty: chosen === 'stay' })}
        >
          <Stack gap={8} mt={8}>
            <Radio value="replace" label="Get the new one" />
            <Radio value="stay" label="Keep theirs" />
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}
