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
  // At most one is visible: the newest takes the place of the one before.
  notifications.clean();
  const id = notifications.show({
    title,
    color: failed ? 'red' : 'green',
    // Whoever is to decide on an undo has to read first (WCAG 2.2, 2.2.1); the others keep the
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

/** Says that something was done, for five seconds, or twelve when it offers a way back. */
export const toastDone = (options: ToastOptions): void => show(options, false);

/** Says that something failed, for five seconds. */
export const toastFailed = (options: ToastOptions): void => show(options, true);
