import { useEffect, useRef } from 'react';

/** What Escape would put away, the newest last. */
const open: { current: () => void }[] = [];

/** Things that close on Escape by themselves. While one is on screen, Escape is theirs. */
const above = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'));

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || isText(event.target)) return;
  if ([...document.querySelectorAll(above)].some((element) => element.checkVisibility())) return;
  open.at(-1)?.current();
}

// Before any dialog listens: after one has closed, nothing would show that the key was its own.
window.addEventListener('keydown', onKeyDown, { capture: true });

/**
 * Puts something away on Escape while `active`: one thing at a time, what was opened last first,
 * and nothing while a dialog, a menu or a text field has the key.
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
