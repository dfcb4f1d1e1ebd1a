import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import classes from './toast.module.css';

interface ToastOptions {
  title: string;
  message?: string;
  /** Shown after the message: an undo. */
  action?: { label: string; onClick: () => void };
}

function show({ title, message, action }: ToastOptions, failed: boolean): void {
  // At most one is visible. The newest replaces the one before.
  notifications.clean();
  const id = notifications.show({
    title,
    color: failed ? 'red' : 'green',
    // A person deciding about an undo has to read first (WCAG 2.2, 2.2.1). The others keep the
    // default.
    ...(action && { autoClose: 12_000 }),
    icon: failed ? <IconAlertCircle size={16} stroke={2} /> : <IconCheck size={16} stroke={2} />,
    closeButtonProps: { 'aria-label': 'Close the message' },
    message: (
      <>
        {message}
        {action && (
          <button
            type="button"
            className={classes.action}
            onClick={() => {
              notifications.hide(id);
              action.onClick();
            }}
          >
            {action.label}
          </button>
        )}
      </>
    ),
  });
}

/** Shows for five seconds that something was done, or for twelve if it offers an undo. */
export const toastDone = (options: ToastOptions): void => show(options, false);

/** Shows for five seconds that something failed. */
export const toastFailed = (options: ToastOptions): void => show(options, true);
