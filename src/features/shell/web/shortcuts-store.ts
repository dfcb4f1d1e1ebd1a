import { useSyncExternalStore } from 'react';

let shown = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  shown = next;
  for (const listener of listeners) listener();
}

export const showShortcuts = (): void => set(true);
export const hideShortcuts = (): void => set(false);

/** Whether the sheet of keyboard shortcuts is open. The palette and a key open it. */
export const useShortcutsShown = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
