import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { ConfirmDialog, FormDialog } from '#platform/web/components/dialogs.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { changeView, longestViewName, saveView, type View } from '../contract.ts';
import { viewNameProblem } from '../rules.ts';
import { isChangedMeanwhile, overwrite, putView } from './keep-view.ts';
import { needsEditorToShare, refreshViews, useViews } from './use-views.ts';
import type { ChangedView, ViewDialogProps } from './view-place.ts';

interface Values {
  name: string;
  shared: boolean;
  isFirst: boolean;
}

const blank: Values = { name: '', shared: false, isFirst: false };

/** What a screen asks about its views: a name and who is to see them, or what becomes of changes that two people have made. */
export function ViewDialog({ asked, ...props }: ViewDialogProps) {
  const isChanged = asked !== null && typeof asked === 'object' && 'changed' in asked;
  return (
    <>
      <NameDialog {...props} asked={isChanged ? null : asked} />
      <ChangedDialog {...props} asked={isChanged ? asked : null} />
    </>
  );
}

type Asking<T> = Omit<ViewDialogProps, 'asked'> & { asked: T | null };

/** Somebody has changed the view after it was opened here. Nothing is lost unless this person says so. */
function ChangedDialog({ place, asked, onAsk, onClose }: Asking<ChangedView>) {
  const queryClient = useQueryClient();
  /** What the dialog says while it fades out. */
  const [shown, setShown] = useState(asked);
  useEffect(() => {
    if (asked !== null) setShown(asked);
  }, [asked]);
  return (
    <ConfirmDialog
      opened={asked !== null}
      onClose={onClose}
      title="Changed meanwhile"
      confirmLabel="Overwrite"
      alternative={{ label: 'Save as a new view', onClick: () => onAsk('new') }}
      onConfirm={async () => asked && overwrite(queryClient, asked.changed, place)}
      failure="The view was not saved. Please try again."
    >
      <p>{shown?.words}</p>
      <p>Overwrite it with what you see, or keep both: save yours as a new view.</p>
    </ConfirmDialog>
  );
}

/** Asks for a name, and who is to see the view. What the server refuses is said under the field. */
function NameDialog({ place, asked, onClose }: Asking<'new' | View>) {
  const queryClient = useQueryClient();
  const mayShare = useMay('editor');
  const { choices, choose } = useViews(place.screen);
  const field = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  /** Null: whatever stands there now may be overwritten. */
  const [version, setVersion] = useState<string | null>(null);
  /** What the dialog says while it fades out. */
  const [shown, setShown] = useState<'new' | View>('new');
  const defaultId = choices?.defaultId ?? null;
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setError(null);
    setVersion(asked === 'new' ? null : asked.updatedAt);
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
      body: {
        name: name.trim(),
        ...(shared === shown.shared ? {} : { shared }),
        ...(version !== null && { updatedAt: version }),
      },
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
      if (isChangedMeanwhile(failure)) {
        setVersion(null);
        void refreshViews(queryClient);
        return refuse(`${words(failure)} Save again to have it your way.`);
      }
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
