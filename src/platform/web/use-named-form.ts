import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, isChangedMeanwhile, words } from './api.ts';
import { changedFields, hasChanges } from './changed-fields.ts';
import { toastDone, toastFailed } from './toast.tsx';

/** What can be edited: it says when it was last changed. */
interface Stored {
  id: number;
  updatedAt: string;
}

/** What a change is sent with. */
export interface Change<Thing, Values> {
  thing: Thing;
  /** What was entered otherwise than the thing had it when it was opened. */
  changed: Partial<Values>;
  /** As of when it was seen. Undefined: what others have saved since may be overwritten. */
  seenAt: string | undefined;
}

interface NamedFormOptions<Thing extends Stored, Values extends { name: string }> {
  /** What is edited; null while the dialog is closed. */
  asked: 'new' | Thing | null;
  blank: Values;
  /** What somebody has already entered elsewhere. Without it, the thing's own values. */
  begin?: Values | undefined;
  valuesOf: (thing: Thing) => Values;
  /** Says that a name is missing. */
  nameRequired: string;
  create: (values: Values) => Promise<{ name: string }>;
  save: (change: Change<Thing, Values>) => Promise<{ name: string }>;
  /** Reads again what may have changed, before the dialog closes. */
  refresh: () => Promise<unknown>;
  onClose: () => void;
  saidWhenDone: (name: string, isNew: boolean) => { title: string; message: string };
  /** For a failure without words from the server. */
  saidWhenFailed: (isNew: boolean) => string;
}

export interface NamedForm<Thing, Values> {
  /** The name field. It gets the focus when the name is refused. */
  field: RefObject<HTMLInputElement | null>;
  /** Stays while the dialog fades out. */
  shown: 'new' | Thing;
  values: Values;
  /** What is wrong with the name. */
  error: string | null;
  /** Why nothing was saved: somebody else was there first. Saving again has it their way. */
  refusal: string | null;
  pending: boolean;
  /** Something is otherwise than when the dialog was opened. */
  isChanged: boolean;
  /** As of when it was seen, as in `Change`. */
  seenAt: string | undefined;
  onChange: (patch: Partial<Values>) => void;
  /** Shows what was entered at another time, as of when the thing was seen then. */
  restore: (values: Values, seenAt: string | undefined) => void;
  submit: () => Promise<void>;
}

/**
 * A dialog for something with a name: new, or there already. What the server refuses about the name
 * stands under its field. When somebody has changed the thing meanwhile, `refusal` says so, and
 * saving again goes on. Any other failure goes into a toast.
 */
export function useNamedForm<Thing extends Stored, Values extends { name: string }>(
  options: NamedFormOptions<Thing, Values>,
): NamedForm<Thing, Values> {
  const { asked, blank, nameRequired, onClose } = options;
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<'new' | Thing>('new');
  const [first, setFirst] = useState(options.begin ?? blank);
  const [values, setValues] = useState(first);
  const [error, setError] = useState<{ message: string } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [seenAt, setSeenAt] = useState<string | undefined>();
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (asked === null) return;
    setShown(asked);
    setError(null);
    setRefusal(null);
    setSeenAt(asked === 'new' ? undefined : asked.updatedAt);
    const begin = options.begin ?? (asked === 'new' ? blank : options.valuesOf(asked));
    setFirst(begin);
    setValues(begin);
  }, [asked === null || asked === 'new' ? asked : asked.id]);

  // Not before the fields take something again.
  useEffect(() => {
    if (error) field.current?.focus();
  }, [error]);

  const isNew = shown === 'new';
  const refuse = (message: string) => setError({ message });
  const store = (entered: Values) => {
    if (shown === 'new') return options.create(entered);
    return options.save({ thing: shown, changed: changedFields(options.valuesOf(shown), entered), seenAt });
  };
  const fail = (failure: unknown) => {
    if (isChangedMeanwhile(failure)) {
      setSeenAt(undefined);
      setRefusal(`${words(failure)} Save again to have it your way. What you left as it was stays theirs.`);
      void options.refresh();
      return;
    }
    const refused = aboutName(failure);
    if (refused === undefined)
      toastFailed({ title: 'Error', message: said(failure) ?? options.saidWhenFailed(isNew) });
    else refuse(refused);
  };
  const submit = async () => {
    const name = values.name.trim();
    if (name === '') return refuse(nameRequired);
    setPending(true);
    setRefusal(null);
    try {
      const saved = await store({ ...values, name });
      await options.refresh();
      onClose();
      toastDone(options.saidWhenDone(saved.name, isNew));
    } catch (failure) {
      fail(failure);
    } finally {
      setPending(false);
    }
  };
  const onChange = (patch: Partial<Values>) => {
    setValues((before) => ({ ...before, ...patch }));
    if ('name' in patch) setError(null);
  };
  const restore = (entered: Values, seen: string | undefined) => {
    setValues(entered);
    setSeenAt(seen);
    setError(null);
    setRefusal(null);
  };
  const isChanged = hasChanges(first, values);
  return {
    ...{ field, shown, values, isChanged, error: error?.message ?? null, refusal, pending },
    ...{ seenAt, onChange, restore, submit },
  };
}

const said = (failure: unknown) => (failure instanceof ApiError ? failure.serverMessage : undefined);

function aboutName(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return undefined;
  return failure.fields.name ?? (failure.code === 'already_exists' ? failure.serverMessage : undefined);
}
