import { CheckIcon, ColorSwatch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { ApiError, call } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changeTag, createTag, longestTagName, type Tag, tagColors } from '../contract.ts';
import classes from './tags-card.module.css';

interface TagDialogProps {
  /** The tag to edit; null while the dialog is closed. */
  asked: 'new' | Tag | null;
  onClose: () => void;
}

const blank: { name: string; color: string } = { name: '', color: tagColors[0] };
const colourNames = ['Blue', 'Red', 'Green', 'Amber', 'Violet', 'Pink', 'Cyan', 'Lime'];

/** Asks for a tag's name and colour. */
export function TagDialog({ asked, onClose }: TagDialogProps) {
  const queryClient = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<'new' | Tag>('new');
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setError(null);
    setValues(asked === 'new' ? blank : { name: asked.name, color: asked.color });
  }, [asked === null || asked === 'new' ? asked : asked.id]);

  const isNew = shown === 'new';
  const refuse = (message: string) => {
    setError(message);
    field.current?.focus();
  };
  const save = () => {
    const body = { name: values.name.trim(), color: values.color };
    return shown === 'new' ? call(createTag, { body }) : call(changeTag, { params: { id: shown.id }, body });
  };
  const submit = async () => {
    if (values.name.trim() === '') return refuse('Tag name is required');
    setPending(true);
    try {
      const { name } = await save();
      await refreshContacts(queryClient);
      onClose();
      toastDone(
        isNew
          ? { title: 'Tag Created', message: `Contacts can be tagged ${name} now.` }
          : { title: 'Tag Updated', message: `${name} is saved.` },
      );
    } catch (failure) {
      const {
        fields = {},
        code = undefined,
        serverMessage = undefined,
      } = failure instanceof ApiError ? failure : {};
      if (fields.name || code === 'already_exists')
        refuse(fields.name ?? serverMessage ?? 'There is such a tag.');
      else {
        const fallback = isNew ? 'Failed to create tag' : 'Failed to save tag';
        toastFailed({ title: 'Error', message: serverMessage ?? fallback });
      }
    } finally {
      setPending(false);
    }
  };

  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={isNew ? 'Create tag' : `Edit ${shown.name}`}
      submitLabel={isNew ? 'Create tag' : 'Save'}
      pendingLabel={isNew ? 'Creating...' : 'Saving...'}
      pending={pending}
      onSubmit={() => void submit()}
    >
      <TextInput
        ref={field}
        data-autofocus
        label="Name"
        placeholder="Wholesale"
        maxLength={longestTagName}
        autoComplete="off"
        value={values.name}
        error={error}
        onChange={({ currentTarget: { value: name } }) => {
          setValues((before) => ({ ...before, name }));
          setError(null);
        }}
      />
      <Swatches value={values.color} onChange={(color) => setValues((before) => ({ ...before, color }))} />
    </FormDialog>
  );
}

function Swatches({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <fieldset className={classes.fieldset}>
      <legend className={classes.legend}>Colour</legend>
      <div className={classes.swatches}>
        {tagColors.map((color, index) => (
          <ColorSwatch
            key={color}
            component="button"
            type="button"
            color={color}
            size={28}
            aria-label={colourNames[index]}
            aria-pressed={color === value.toUpperCase()}
            onClick={() => onChange(color)}
          >
            {color === value.toUpperCase() && <CheckIcon size={12} color="#fff" />}
          </ColorSwatch>
        ))}
      </div>
    </fieldset>
  );
}
