/** These take all keys while they are open. */
const above = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'));

/** Whether a key belongs to a text field, or to something open above the screen. */
export const isBusy = (target: EventTarget | null): boolean =>
  isText(target) || [...document.querySelectorAll(above)].some((element) => element.checkVisibility());

/** Where a key leads after `g`. */
export const goTarget = (
  entries: readonly { to: string; goKey?: string }[],
  key: string,
): string | undefined => entries.find(({ goKey }) => goKey !== undefined && goKey === key.toLowerCase())?.to;
