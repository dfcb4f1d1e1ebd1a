import { Button, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { words } from '../api.ts';
import { useSinglePress } from '../single-press.ts';
import classes from './dialogs.module.css';
import { Note } from './states.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Pixels. */
  width?: number;
}

interface FormDialogProps extends DialogProps {
  /** The action and what it acts on: "Add email". */
  submitLabel: string;
  /** Shown while sending: "Adding...". The button keeps its width. */
  pendingLabel?: string;
  pending: boolean;
  onSubmit: () => void;
  /** What went wrong, in words for a person. Shown under the fields. */
  error?: string | null;
  submitDisabled?: boolean;
  /**
   * Something was entered that closing would throw away, so it asks first. A function is asked when
   * somebody closes it.
   */
  isChanged?: boolean | (() => boolean);
  /** What closing throws away, in a sentence. */
  discarding?: string;
  /** Hides Cancel when there is nothing left to cancel. */
  withoutCancel?: boolean;
  /** Shows what is never shown again. There is no Cancel, and a click beside it leaves it open. */
  shownOnce?: boolean;
  /** For a removal that asks for something: a red button. */
  danger?: boolean;
}

/**
 * The product's only form dialog: fields, then Cancel and the action. Enter submits, Escape closes,
 * focus returns.
 */
export function FormDialog({
  isChanged = false,
  discarding = 'What you have written here is not saved.',
  onClose,
  ...props
}: FormDialogProps) {
  const [asking, setAsking] = useState(false);
  const focused = useRef<Element | null>(null);
  const close = () => {
    const mustAsk = typeof isChanged === 'function' ? isChanged() : isChanged;
    if (!mustAsk) return onClose();
    focused.current = document.activeElement;
    setAsking(true);
  };
  /** The question takes the focus, and is gone too soon to give it back. */
  const stay = () => {
    flushSync(() => setAsking(false));
    if (focused.current instanceof HTMLElement) focused.current.focus();
  };
  return (
    <>
      <OpenForm {...props} onClose={close} />
      {/* Mounted when asked: the Escape that asks would close it at once. */}
      {asking && (
        <ConfirmDialog
          opened
          onClose={stay}
          title="Discard your changes?"
          confirmLabel="Discard"
          onConfirm={async () => onClose()}
        >
          {discarding}
        </ConfirmDialog>
      )}
    </>
  );
}

function OpenForm(props: Omit<FormDialogProps, 'isChanged' | 'discarding'>) {
  const { opened, onClose, title, width = 440, pending, shownOnce = false } = props;
  return (
    <Modal
      opened={opened}
      onClose={() => pending || onClose()}
      closeOnClickOutside={!shownOnce}
      title={title}
      size={width}
    >
      <Form {...props} />
    </Modal>
  );
}

/** Mounted while the dialog is open, so each opening begins without a press before it. */
function Form(props: Omit<FormDialogProps, 'isChanged' | 'discarding' | 'opened' | 'title' | 'width'>) {
  const { onClose, children, submitLabel, pendingLabel, pending, error } = props;
  const pressed = useSinglePress(() => pending || props.onSubmit());
  return (
    <form {...pressed.form} noValidate className={classes.form}>
      {children}
      {error && <Note tone="error">{error}</Note>}
      <div className={classes.buttons}>
        {!props.withoutCancel && !props.shownOnce && (
          <Button variant="subtle" color="gray" disabled={pending} onClick={onClose}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          {...pressed.button}
          disabled={pending || props.submitDisabled === true}
          {...(props.danger ? { color: 'red' } : {})}
        >
          <span className={classes.label}>
            <span data-hidden={pending || undefined}>{submitLabel}</span>
            <span data-hidden={!pending || undefined}>{pendingLabel ?? submitLabel}</span>
          </span>
        </Button>
      </div>
    </form>
  );
}

interface ConfirmDialogProps extends DialogProps {
  /** The action and how many: "Remove 1,204 contacts". */
  confirmLabel: string;
  /** Another answer to the same question, between the two. */
  alternative?: { label: string; onClick: () => void };
  /** The dialog closes when it resolves. When it rejects, the dialog stays and shows the error. */
  onConfirm: () => Promise<unknown>;
  /** Shown when it fails without words from the server. */
  failure?: string;
  /** For a removal: a red button. */
  danger?: boolean;
  /** While the effect is still unknown, or when there is nothing to do. */
  confirmDisabled?: boolean;
}

/** Asks before an action and says in plain words what will happen. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    opened,
    onClose,
    title,
    children,
    width = 440,
    confirmLabel,
    onConfirm,
    failure,
    danger = true,
    confirmDisabled = false,
  } = props;
  const [state, setState] = useState<{ pending: boolean; error: string | null }>({
    pending: false,
    error: null,
  });
  useEffect(() => {
    if (opened) setState({ pending: false, error: null });
  }, [opened]);
  const confirm = async () => {
    setState({ pending: true, error: null });
    try {
      await onConfirm();
      setState({ pending: false, error: null });
      onClose();
    } catch (error) {
      setState({ pending: false, error: words(error, failure) });
    }
  };
  return (
    <Modal opened={opened} onClose={() => state.pending || onClose()} title={title} size={width}>
      <div className={classes.form}>
        <div className={classes.words}>{children}</div>
        {state.error !== null && <Note tone="error">{state.error}</Note>}
        <div className={classes.buttons}>
          <Button variant="subtle" color="gray" disabled={state.pending} onClick={onClose} data-autofocus>
            Cancel
          </Button>
          {props.alternative && (
            <Button variant="default" disabled={state.pending} onClick={props.alternative.onClick}>
              {props.alternative.label}
            </Button>
          )}
          <Button
            {...(danger ? { color: 'red' } : {})}
            loading={state.pending}
            disabled={confirmDisabled}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
