import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { isSavedInTime, noteWork } from '../unsaved-work.ts';
import { ConfirmDialog } from './dialogs.tsx';

interface LeaveOptions {
  /**
   * Before asking. Answers whether everything is saved now, so that nothing has to be asked. It is
   * not waited for any longer than by `isSavedInTime`.
   */
  save?: () => Promise<boolean>;
  /** When somebody signs out: keeps it in this browser. Answers whether it is kept. */
  keep?: () => boolean;
  /** Somebody leaves what is not saved. */
  onLeave?: () => void;
}

interface LeaveGuard {
  /** Lets the next leaving through: everything is saved. */
  open: () => void;
  /** Asks whether to leave without saving. */
  dialog: ReactNode;
}

/**
 * Asks before a screen with unsaved changes is left, also when its tab is closed or somebody signs
 * out. `noun` says what has changed: “The segment”.
 */
export function useLeaveGuard(
  isChanged: boolean,
  noun: string,
  { save, keep, onLeave }: LeaveOptions = {},
): LeaveGuard {
  const isOpen = useRef(false);
  const letGo = () => {
    isOpen.current = true;
  };
  useEffect(() => noteWork({ noun, isChanged, save, keep, letGo }));
  const leaving = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isLet = isOpen.current;
      isOpen.current = false;
      if (isLet || !isChanged || current.pathname === next.pathname) return false;
      return !(await isSavedInTime(save));
    },
    enableBeforeUnload: () => isChanged && !isOpen.current,
    withResolver: true,
  });
  return {
    open: letGo,
    dialog: (
      <ConfirmDialog
        opened={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title="Leave without saving?"
        confirmLabel="Leave without saving"
        onConfirm={async () => {
          onLeave?.();
          leaving.proceed?.();
        }}
      >
        <p>{noun} has changes that are not saved.</p>
      </ConfirmDialog>
    ),
  };
}
