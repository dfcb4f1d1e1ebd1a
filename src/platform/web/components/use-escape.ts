import { useEffect, useRef } from 'react';

/** What Escape would close, newest last. */
const open: { current: () => void }[] = [];

/** For a dialog that has `useEscape` close it. */
export const closedByUseEscape = { 'data-closed-by-use-escape': true } as const;

/** Things that close on Escape by themselves. While one is on screen, Escape belongs to it. */
const above = [
  '[role="dialog"]:not([data-closed-by-use-escape])',
  '[role="alertdialog"]',
  '[role="menu"]',
  '[role="listbox"]',
].join(', ');

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'));

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || isText(event.target)) return;
  if ([...document.querySelectorAll(above)].some((element) => element.checkVisibility())) return;
  open.at(-1)?.current();
}

// Runs before any dialog listens. After a dialog has closed, nothing would show that the key was
// meant for it.
window.addEventListener('keydown', onKeyDown, { capture: true });

/**
 * Closes something on Escape while `active`. It closes one thing at a time, the newest first, and
 * nothing while a dialog, a menu or a text field has the key.
 */
export function useEscape(active: boolean, putAway: () => void): void {
  const latest = useRef(putAway);
  latest.current = putAway;
  useEffect(() => {
    if (!active) return;
    open.push(latest);
    return () => {
      open.splice(open.indexOf(latest), 1);
    };
  }, [active]);
}
