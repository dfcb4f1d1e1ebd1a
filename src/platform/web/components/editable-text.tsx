import { Textarea, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { words } from '../api.ts';
import classes from './editable-text.module.css';

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
}

/**
 * Text that is edited where it stands. Enter and leaving the field save, Escape takes back what was
 * typed.
 */
export function EditableText(props: EditableTextProps) {
  const { label, value } = props;
  const [isOpen, setIsOpen] = useState(false);
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
          setIsOpen(false);
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
      onClick={() => setIsOpen(true)}
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

function Field({ label, value, isLong = false, maxLength, onSave, onEnd }: FieldProps) {
  const [text, setText] = useState(value ?? '');
  const [first] = useState(value);
  const [error, setError] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  // A person who was told of a failure sees what stands there now, and saves over that.
  const [hasFailed, setHasFailed] = useState(false);
  const seen = hasFailed ? value : first;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current?.select(), []);

  const end = (byKey: boolean) => {
    isDone.current = true;
    onEnd(byKey);
  };
  const save = async (byKey: boolean) => {
    if (isDone.current || isPending) return;
    if (text === (seen ?? '')) return end(byKey);
    setIsPending(true);
    try {
      await onSave(text, seen);
      end(byKey);
    } catch (failure) {
      setError(words(failure, 'Not saved. Please try again.'));
      setHasFailed(true);
      setIsPending(false);
    }
  };
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
    autoFocus: true,
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
      {hasFailed && value !== first && (
        <span className={classes.hint}>It is now: {value ?? 'empty'}. Save again to replace it.</span>
      )}
      {isLong && <span className={classes.hint}>Ctrl or ⌘ with Enter saves, Escape cancels.</span>}
    </div>
  );
}
