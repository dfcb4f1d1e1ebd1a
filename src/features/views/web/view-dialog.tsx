import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { changeView, longestViewName, saveView, type View } from '../contract.ts';
import { viewNameProblem } from '../rules.ts';
import { putView } from './keep-view.ts';
import { needsEditorToShare, useMayShare, useViews } from './use-views.ts';
import type { AskedView, ViewDialogProps } from './view-place.ts';

interface Values {
  name: string;
  shared: boolean;
  isFirst: boolean;
}

const blank: Values = { name: '', shared: false, isFirst: false };

/** Asks for a name, and who is to see the view. What the server refuses is said under the field. */
export function ViewDialog({ place, asked, onClose }: ViewDialogProps) {
  const queryClient = useQueryClient();
  const mayShare = useMayShare();
  const { choices, choose } = useViews(place.screen);
  const field = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  /** What the dialog says while it fades out. */
  const [shown, setShown] = useState<AskedView>('new');
  const defaultId = choices?.defaultId ?? null;
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setError(null);
    setValues(
      asked === 'new' ? blank : { name: asked.name, shared: asked.shared, isFirst: asked.id === defaultId },
    );
  }, [asked]);

  const refuse = (message: string) => {
    setError(message);
    field.current?.focus();
  };
  const save = async (): Promise<View> => {
    const { name, shared, isFirst } = values;
    const { screen, state } = place;
    if (shown === 'new')
      return call(saveView, { body: { screen, name: name.trim(), shared, isDefault: isFirst, state } });
    const changed = await call(changeView, {
      params: { id: shown.id },
      body: { name: name.trim(), ...(shared === shown.shared ? {} : { shared }) },
    });
    if (isFirst !== (shown.id === defaultId)) choose({ defaultId: isFirst ? shown.id : null });
    return changed;
  };
  const submit = async () => {
    const problem = viewNameProblem(values.name);
    if (problem !== null) return refuse(problem);
    setPending(true);
    try {
      const view = await save();
      putView(queryClient, view);
      if (shown === 'new') place.onOpen(view);
      onClose();
      toastDone({ title: 'View Saved', message: wordsFor(view) });
    } catch (failure) {
      refuse((failure instanceof ApiError && failure.fields.name) || words(failure));
    } finally {
      setPending(false);
    }
  };
  const isNew = shown === 'new';
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={isNew ? 'Save this view' : 'Rename or share the view'}
      submitLabel={isNew ? 'Save view' : 'Save'}
      pendingLabel="Saving..."
      pending={pending}
      onSubmit={() => void submit()}
    >
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
        onChange={({ currentTarget: { value: name } }) => {
          setValues((before) => ({ ...before, name }));
          setError(null);
        }}
      />
      <Checkbox
        label="Share it with the workspace"
        description={mayShare ? 'Everybody sees it; editors may change it.' : needsEditorToShare}
        disabled={!mayShare}
        checked={values.shared}
        onChange={({ currentTarget: { checked: shared } }) => setValues((before) => ({ ...before, shared }))}
      />
      <Checkbox
        label="Open it first"
        description="When you come to this screen without asking for anything. For you alone."
        checked={values.isFirst}
        onChange={({ currentTarget: { checked: isFirst } }) =>
          setValues((before) => ({ ...before, isFirst }))
        }
      />
    </FormDialog>
  );
}

const wordsFor = ({ name, shared }: View): string =>
  shared ? `“${name}” is there for everybody in the workspace.` : `“${name}” is there for you.`;
