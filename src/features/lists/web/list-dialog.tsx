import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useNamedForm } from '#platform/web/use-named-form.ts';
import { changeList, createList, type List, longestDescription, longestListName } from '../contract.ts';
import { refreshLists } from './refresh-lists.ts';

interface ListDialogProps {
  /** The list to edit; null while the dialog is closed. */
  asked: 'new' | List | null;
  onClose: () => void;
}

/** Asks for a list's name and description. */
export function ListDialog({ asked, onClose }: ListDialogProps) {
  const queryClient = useQueryClient();
  const { shown, field, values, error, pending, onChange, submit } = useNamedForm<
    List,
    { name: string; description: string }
  >({
    asked,
    blank: { name: '', description: '' },
    valuesOf: ({ name, description }) => ({ name, description: description ?? '' }),
    nameRequired: 'List name is required',
    save: ({ name, description }, list) => {
      const body = { name, description: description.trim() || null };
      return list === 'new'
        ? call(createList, { body })
        : call(changeList, { params: { id: list.id }, body });
    },
    onSaved: () => refreshLists(queryClient),
    onClose,
    saidWhenDone: (name, isNew) =>
      isNew
        ? { title: 'List Created', message: `Contacts can be put on ${name} now.` }
        : { title: 'List Updated', message: `${name} is saved.` },
    saidWhenFailed: (isNew) => (isNew ? 'Failed to create list' : 'Failed to save list'),
  });
  const isNew = shown === 'new';
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={isNew ? 'Create list' : `Edit ${shown.name}`}
      submitLabel={isNew ? 'Create list' : 'Save'}
      pendingLabel={isNew ? 'Creating...' : 'Saving...'}
      pending={pending}
      onSubmit={() => void submit()}
    >
      <TextInput
        ref={field}
        data-autofocus
        label="Name"
        placeholder="Trade customers"
        maxLength={longestListName}
        autoComplete="off"
        value={values.name}
        error={error}
        onChange={({ currentTarget: { value: name } }) => onChange({ name })}
      />
      <Textarea
        label="Description (optional)"
        placeholder="Who is on it, and what they agreed to"
        rows={2}
        maxLength={longestDescription}
        value={values.description}
        onChange={({ currentTarget: { value: description } }) => onChange({ description })}
      />
    </FormDialog>
  );
}
