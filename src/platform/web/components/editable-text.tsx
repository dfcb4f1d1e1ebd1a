import { Textarea, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { words } from '../api.ts';
import { holdWork } from '../unsaved-work.ts';
import classes from './editable-text.module.css';
import { useGone } from './use-gone.ts';

/** What was typed and is not saved, because that failed after the field was left. */
export interface LeftText {
  text: string;
  /** What stood there when the person began. */
  seen: string | null;
  /** Why it was not saved, in words for a person. */
  why: string;
}

interface EditableTextProps {
  /** What it is, for screen readers: "First name". */
  label: string;
  /** Null while it is empty. */
  value: string | null;
  /** Notes: several lines. Enter begins a new line, and Ctrl or ⌘ with Enter saves. */
  isLong?: boolean;
  maxLength: number;
  /**
   * Stores the text; empty clears it. `seen` is what stood there when the person began. When it
   * rejects, the field stays open with the text and says why.
   */
  onSave: (text: string, seen: string | null) => Promise<unknown>;
  /** What `onLeft` was last called with. The field stands open with it. */
  left: LeftText | null;
  /**
   * Called when what was typed is not saved and the field has gone from the screen, so that it can
   * say nothing itself. Null when it is saved, or given up.
   */
  onLeft: (left: LeftText | null) => void;
}

/**
 * Text that is edited where it stands. Enter and leaving the field save, also where it is left with
 * all that is around it. Escape takes back what was typed.
 */
export function EditableText(props: EditableTextProps) {
  const { label, value, left } = props;
  const [wasOpened, setWasOpened] = useState(false);
  const isOpen = wasOpened || left !== null;
  const button = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  useEffect(() => {
    if (!isOpen && returnsFocus.current) button.current?.focus();
    returnsFocus.current = false;
  }, [isOpen]);
  if (isOpen) {
    return (
      <Field
        {...props}
        onEnd={(byKey) => {
          returnsFocus.current = byKey;
          setWasOpened(false);
        }}
      />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      className={classes.show}
      aria-label={`Edit ${label.toLowerCase()}: ${value ?? 'empty'}`}
      onClick={() => setWasOpened(true)}
    >
      <span className={value === null ? `${classes.text} ${classes.empty}` : classes.text}>
        {value ?? '–'}
      </span>
      <IconPencil size={14} stroke={1.6} className={classes.pencil} aria-hidden />
    </button>
  );
}

interface FieldProps extends EditableTextProps {
  /** `byKey`: the person is still at the keyboard, so the focus returns to the text. */
  onEnd: (byKey: boolean) => void;
}

/** What stands in the field at first. */
const beginningOf = ({ left, value }: Pick<FieldProps, 'left' | 'value'>) => ({
  text: left?.text ?? value ?? '',
  seen: left ? left.seen : value,
  isLeft: left !== null,
});

function Field({ label, value, isLong = false, maxLength, onSave, left, onLeft, onEnd }: FieldProps) {
  const [begun] = useState(beginningOf({ left, value }));
  const [text, setText] = useState(begun.text);
  const [error, setError] = useState<string | null>(left?.why ?? null);
  const [isPending, setIsPending] = useState(false);
  // A person who was told of a failure sees what stands there now, and saves over that.
  const [hasFailed, setHasFailed] = useState(begun.isLeft);
  const seen = hasFailed ? value : begun.seen;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  const saving = useRef<Promise<void>>(null);
  useEffect(() => {
    if (!begun.isLeft) field.current?.select();
  }, [begun]);

  const end = (byKey: boolean) => {
    isDone.current = true;
    // A save before this one may have failed meanwhile: its text is out of date now.
    if (left || !isGone.current) onLeft(null);
    onEnd(byKey);
  };
  const save = async (byKey: boolean) => {
    if (isDone.current) return;
    saving.current ??= store(byKey);
    await saving.current;
  };
  const store = async (byKey: boolean) => {
    if (text === (seen ?? '')) return end(byKey);
    setIsPending(true);
    try {
      await onSave(text, seen);
      end(byKey);
    } catch (failure) {
      const why = words(failure, 'Not saved. Please try again.');
      if (isGone.current) return onLeft({ text, seen, why });
      setError(why);
      setHasFailed(true);
      setIsPending(false);
      saving.current = null;
    }
  };
  // What was left before is held by who keeps it.
  useHeld(label, left === null && text !== (seen ?? ''), async () => {
    if (error === null) await save(false);
    return isDone.current;
  });
  const isGone = useGone(() => {
    if (isDone.current || saving.current || text === begun.text) return;
    if (error === null) void save(false);
    else onLeft({ text, seen, why: error });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') end(true);
    if (event.key !== 'Enter' || (isLong && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    void save(true);
  };
  const input = {
    ref: field,
    size: 'xs' as const,
    'aria-label': label,
    // Whoever only steps past a record keeps their keys.
    autoFocus: !begun.isLeft,
    autoComplete: 'off',
    value: text,
    maxLength,
    error,
    readOnly: isPending,
    // Escape is meant for the field, not for the drawer around it.
    'data-mantine-stop-propagation': true,
    onKeyDown,
    // After a failure, leaving the field is no consent to save again.
    onBlur: () => void (error === null && save(false)),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setText(currentTarget.value);
      setError(null);
    },
  };
  return (
    <div className={classes.edit}>
      {isLong ? <Textarea {...input} autosize minRows={2} maxRows={12} /> : <TextInput {...input} />}
      {hasFailed && value !== begun.seen && (
        <span className={classes.hint}>It is now: {value ?? 'empty'}. Save again to replace it.</span>
      )}
      {isLong && <span className={classes.hint}>Ctrl or ⌘ with Enter saves, Escape cancels.</span>}
    </div>
  );
}

/** Whoever signs out, or closes the tab, is asked about the field, unless `save` saves it first. */
function useHeld(label: string, isChanged: boolean, save: () => Promise<boolean>): void {
  useEffect(() => holdWork({ noun: `The field “${label}”`, isChanged, save }));
}
