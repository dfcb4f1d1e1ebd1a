import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError } from './api.ts';
import { toastDone, toastFailed } from './toast.tsx';

interface NamedFormOptions<Thing extends { id: number }, Values extends { name: string }> {
  /** What is edited; null while the dialog is closed. */
  asked: 'new' | Thing | null;
  blank: Values;
  valuesOf: (thing: Thing) => Values;
  /** Says that a name is missing. */
  nameRequired: string;
  save: (values: Values, shown: 'new' | Thing) => Promise<{ name: string }>;
  /** Called before the dialog closes: what has to be read again. */
  onSaved: () => Promise<unknown>;
  onClose: () => void;
  saidWhenDone: (name: string, isNew: boolean) => { title: string; message: string };
  /** For a failure without words from the server. */
  saidWhenFailed: (isNew: boolean) => string;
}

interface NamedForm<Thing, Values> {
  /** The name field. It gets the focus when the name is refused. */
  field: RefObject<HTMLInputElement | null>;
  /** Stays while the dialog fades out. */
  shown: 'new' | Thing;
  values: Values;
  /** What is wrong with the name. */
  error: string | null;
  pending: boolean;
  onChange: (patch: Partial<Values>) => void;
  submit: () => Promise<void>;
}

/**
 * A dialog for something with a name: new, or there already. What the server refuses about the name
 * stands under its field; any other failure goes into a toast.
 */
export function useNamedForm<Thing extends { id: number }, Values extends { name: string }>(
  options: NamedFormOptions<Thing, Values>,
): NamedForm<Thing, Values> {
  const { asked, blank, nameRequired, onClose } = options;
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<'new' | Thing>('new');
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setError(null);
    setValues(asked === 'new' ? blank : options.valuesOf(asked));
  }, [asked === null || asked === 'new' ? asked : asked.id]);

  const isNew = shown === 'new';
  const refuse = (message: string) => {
    setError(message);
    field.current?.focus();
  };
  const submit = async () => {
    const name = values.name.trim();
    if (name === '') return refuse(nameRequired);
    setPending(true);
    try {
      const saved = await options.save({ ...values, name }, shown);
      await options.onSaved();
      onClose();
      toastDone(options.saidWhenDone(saved.name, isNew));
    } catch (failure) {
      const refused = aboutName(failure);
      if (refused === undefined)
        toastFailed({ title: 'Error', message: said(failure) ?? options.saidWhenFailed(isNew) });
      else refuse(refused);
    } finally {
      setPending(false);
    }
  };
  const onChange = (patch: Partial<Values>) => {
    setValues((before) => ({ ...before, ...patch }));
    if ('name' in patch) setError(null);
  };
  return { field, shown, values, error, pending, onChange, submit };
}

const said = (failure: unknown) => (failure instanceof ApiError ? failure.serverMessage : undefined);

function aboutName(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return undefined;
  return failure.fields.name ?? (failure.code === 'already_exists' ? failure.serverMessage : undefined);
}
