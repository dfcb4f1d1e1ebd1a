import { Checkbox, TextInput } from '@mantine/core';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { longestViewName, type View } from '../contract.ts';
import { type NameForm, useNameForm } from './use-name-form.ts';
import { needsEditorToShare } from './use-views.ts';
import type { Asking } from './view-place.ts';

/** Asks for a name and who may see the view. The server's refusal is shown under the field. */
export function NameDialog(props: Asking<'new' | View>) {
  const form = useNameForm(props);
  return (
    <FormDialog
      opened={props.asked !== null}
      onClose={props.onClose}
      title={form.isNew ? 'Save this view' : 'Rename or share the view'}
      submitLabel={form.isNew ? 'Save view' : 'Save'}
      pendingLabel="Saving..."
      pending={form.pending}
      onSubmit={() => void form.submit()}
    >
      <Fields {...form} />
    </FormDialog>
  );
}

function Fields({ field, isNew, values, error, onChange }: NameForm) {
  const mayShare = useMay('editor');
  return (
    <>
      <TextInput
        ref={field}
        data-autofocus
        label="Name"
        description={isNew ? 'Kept are the search, the filters, the order and the columns.' : undefined}
        placeholder="Kent schools"
        maxLength={longestViewName}
        autoComplete="off"
        value={values.name}
        error={error}
        onChange={({ currentTarget: { value: name } }) => onChange({ name })}
      />
      <Checkbox
        label="Share it with the workspace"
        description={mayShare ? 'Everybody sees it; editors may change it.' : needsEditorToShare}
        disabled={!mayShare}
        checked={values.shared}
        onChange={({ currentTarget: { checked: shared } }) => onChange({ shared })}
      />
      <Checkbox
        label="Open it first"
        description="When you come to this screen without asking for anything. For you alone."
        checked={values.isFirst}
        onChange={({ currentTarget: { checked: isFirst } }) => onChange({ isFirst })}
      />
    </>
  );
}
