import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, call, isChangedMeanwhile, words } from '#platform/web/api.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { changeView, saveView, type View } from '../contract.ts';
import { viewNameProblem } from '../rules.ts';
import { putView } from './keep-view.ts';
import { refreshViews, useViews } from './use-views.ts';
import type { Asking } from './view-place.ts';
import { noteRenamed } from './view-version.ts';

interface Values {
  name: string;
  shared: boolean;
  isFirst: boolean;
}

const blank: Values = { name: '', shared: false, isFirst: false };

export interface NameForm {
  /** The name field, which gets the focus when the name is refused. */
  field: RefObject<HTMLInputElement | null>;
  isNew: boolean;
  values: Values;
  error: string | null;
  pending: boolean;
  onChange: (patch: Partial<Values>) => void;
  submit: () => Promise<void>;
}

/** What is typed about a new or existing view, and how to save it. */
export function useNameForm({ place, asked, onClose }: Asking<'new' | View>): NameForm {
  const queryClient = useQueryClient();
  const { choices, chosen } = useViews(place.screen);
  const field = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  /** Null means that the current version may be overwritten, whatever it is. */
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
    if (isFirst !== (shown.id === defaultId)) await chosen({ defaultId: isFirst ? shown.id : null });
    return changed;
  };
  const submit = async () => {
    const problem = viewNameProblem(values.name);
    if (problem !== null) return refuse(problem);
    setPending(true);
    try {
      const view = await save();
      if (shown !== 'new') noteRenamed(shown, view);
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
  const onChange = (patch: Partial<Values>) => {
    setValues((before) => ({ ...before, ...patch }));
    if ('name' in patch) setError(null);
  };
  return { field, isNew: shown === 'new', values, error, pending, onChange, submit };
}

const wordsFor = ({ name, shared }: View): string =>
  shared ? `“${name}” is there for everybody in the workspace.` : `“${name}” is there for you.`;
