import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changeList, createList, type List, longestDescription, longestListName } from '../contract.ts';
import { refreshLists } from './refresh-lists.ts';

interface ListDialogProps {
  /** The list to edit; null while the dialog is closed. */
  asked: 'new' | List | null;
  onClose: () => void;
}

const blank = { name: '', description: '' };

/** Asks for a list's name and description. */
export function ListDialog({ asked, onClose }: ListDialogProps) {
  const queryClient = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<'new' | List>('new');
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const opened = asked !== null;
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setError(null);
    setValues(asked === 'new' ? blank : { name: asked.name, description: asked.description ?? '' });
  }, [asked === null || asked === 'new' ? asked : asked.id]);

  const isNew = shown === 'new';
  const save = () => {
    const body = { name: values.name.trim(), description: values.description.trim() || null };
    return shown === 'new'
      ? call(createList, { body })
      : call(changeList, { params: { id: shown.id }, body });
  };
  const refuse = (message: string) => {
    setError(message);
    field.current?.focus();
  };
  const submit = async () => {
    if (values.name.trim() === '') return refuse('List name is required');
    setPending(true);
    try {
      const { name } = await save();
      await refreshLists(queryClient);
      onClose();
      toastDone(
        isNew
          ? { title: 'List Created', message: `Contacts can be put on ${name} now.` }
          : { title: 'List Updated', message: `${name} is saved.` },
      );
    } catch (failure) {
      const { fields = {}, serverMessage = undefined } = failure instanceof ApiError ? failure : {};
      if (fields.name) refuse(fields.name);
      else {
        const fallback = isNew ? 'Failed to create list' : 'Failed to save list';
        toastFailed({ title: 'Error', message: serverMessage ?? fallback });
      }
    } finally {
      setPending(false);
    }
  };

  return (
    <FormDialog
      opened={opened}
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
        onChange={({ currentTarget: { value: name } }) => {
          setValues((before) => ({ ...before, name }));
          setError(null);
        }}
      />
      <Textarea
        label="Description (optional)"
        placeholder="Who is on it, and what they agreed to"
        rows={2}
        maxLength={longestDescription}
        value={values.description}
        onChange={({ currentTarget: { value: description } }) =>
          setValues((before) => ({ ...before, description }))
        }
      />
    </FormDialog>
  );
}
