import { CheckIcon, ColorSwatch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useNamedForm } from '#platform/web/use-named-form.ts';
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
  const { shown, field, values, error, refusal, pending, onChange, submit } = useNamedForm<Tag, typeof blank>(
    {
      asked,
      blank,
      valuesOf: ({ name, color }) => ({ name, color }),
      nameRequired: 'Tag name is required',
      create: (body) => call(createTag, { body }),
      save: ({ thing: { id }, changed, seenAt: updatedAt }) =>
        call(changeTag, { params: { id }, body: { ...changed, updatedAt } }),
      refresh: () => refreshContacts(queryClient),
      onClose,
      saidWhenDone: (name, isNew) =>
        isNew
          ? { title: 'Tag Created', message: `Contacts can be tagged ${name} now.` }
          : { title: 'Tag Updated', message: `${name} is saved.` },
      saidWhenFailed: (isNew) => (isNew ? 'Failed to create tag' : 'Failed to save tag'),
    },
  );
  const isNew = shown === 'new';
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={isNew ? 'Create tag' : `Edit ${shown.name}`}
      submitLabel={isNew ? 'Create tag' : 'Save'}
      pendingLabel={isNew ? 'Creating...' : 'Saving...'}
      pending={pending}
      error={refusal}
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
        onChange={({ currentTarget: { value: name } }) => onChange({ name })}
      />
      <Swatches value={values.color} onChange={(color) => onChange({ color })} />
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
