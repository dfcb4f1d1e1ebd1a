import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import classes from './toast.module.css';

interface ToastOptions {
  title: string;
  message?: string;
  /** Shown after the message: an undo. */
  action?: { label: string; onClick: () => unknown };
  /**
   * The action takes a deletion back. While its toast is shown, that of the next deletion with the
   * same title offers both: only one is visible, and the first would be out of reach.
   */
  joins?: boolean;
  /** The action changes what is being written here. Its toast goes when that is left. */
  isOfDraft?: boolean;
}

/** The visible toast, with the deletions that it can take back, the newest first. */
let shown: { id: string; title: string; undos: (() => unknown)[]; isOfDraft: boolean } | null = null;

function show(
  { title, message, action, joins = false, isOfDraft = false }: ToastOptions,
  failed: boolean,
): void {
  const undos = joins && action ? [action.onClick, ...(shown?.title === title ? shown.undos : [])] : [];
  // At most one is visible. The newest replaces the one before.
  notifications.clean();
  const id = randomId();
  notifications.show({
    id,
    title,
    color: failed ? 'red' : 'green',
    // A person deciding about an undo has to read first (WCAG 2.2, 2.2.1). The others keep the
    // default.
    ...(action && { autoClose: 12_000 }),
    icon: failed ? <IconAlertCircle size={16} stroke={2} /> : <IconCheck size={16} stroke={2} />,
    closeButtonProps: { 'aria-label': 'Close the message' },
    onClose: () => {
      if (shown?.id === id) shown = null;
    },
    message: (
      <>
        {message}
        {action && <ToastAction toast={id} label={action.label} press={action.onClick} />}
        {undos.length > 1 && (
          <ToastAction
            toast={id}
            label={`${action?.label} all ${undos.length}`}
            press={async () => {
              for (const undo of undos) await undo();
            }}
          />
        )}
      </>
    ),
  });
  shown = { id, title, undos, isOfDraft };
}

function ToastAction({ toast, label, press }: { toast: string; label: string; press: () => unknown }) {
  return (
    <button
      type="button"
      className={classes.action}
      onClick={() => {
        notifications.hide(toast);
        press();
      }}
    >
      {label}
    </button>
  );
}

/** Shows for five seconds that something was done, or for twelve if it offers an undo. */
export const toastDone = (options: ToastOptions): void => show(options, false);

/** Shows for five seconds that something failed. */
export const toastFailed = (options: ToastOptions): void => show(options, true);

/** What was being written is left, so nothing of it can be taken back any more. */
export function hideToastOfDraft(): void {
  if (shown?.isOfDraft) notifications.hide(shown.id);
}
