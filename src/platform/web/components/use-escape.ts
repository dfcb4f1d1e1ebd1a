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

/**
 * Puts something away on Escape while `active`: one thing at a time, what was opened last first, and nothing while a
 * dialog, a menu or a text field has the key.
 */
export function useEscape(active: boolean, putAway: () => void): void {
  const latest = useRef(putAway);
  latest.current = putAway;
  useEffect(() => {
    if (!active) return;
    // Caught on the way down: on the way up a dialog may have closed, and nothing would show that it was there.
    if (open.length === 0) window.addEventListener('keydown', onKeyDown, { capture: true });
    open.push(latest);
    return () => {
      open.splice(open.indexOf(latest), 1);
      if (open.length === 0) window.removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, [active]);
}
