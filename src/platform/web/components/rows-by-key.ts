/**
 * The row that the down arrow reaches from a search field: that of the nearest list around or below
 * it. Null while it is being looked up again, or when nothing is listed.
 */
function firstRow(field: HTMLElement): HTMLElement | null {
  for (let around = field.parentElement; around; around = around.parentElement) {
    if (around.querySelector('[data-stale]')) return null;
    const row =
      around.querySelector<HTMLElement>('tbody tr[tabindex="0"]') ??
      around.querySelector<HTMLElement>('tbody tr[tabindex]');
    if (row) return row;
  }
  return null;
}

const mostFrames = 180;

/**
 * Moves the focus from a search field to the first row, once the list shows what was searched for.
 * Gives up after three seconds, and when the focus has gone elsewhere meanwhile. Answers how to
 * call it off.
 */
export function toFirstRow(field: HTMLElement, isSettled: boolean, onArrived: () => void): () => void {
  let frames = 0;
  let asked = 0;
  const look = () => {
    frames += 1;
    if (document.activeElement !== field || frames > mostFrames) return;
    // Two frames later the list knows that it is being looked up again.
    const row = isSettled || frames > 2 ? firstRow(field) : null;
    if (row === null) {
      asked = requestAnimationFrame(look);
      return;
    }
    onArrived();
    row.focus();
  };
  look();
  return () => cancelAnimationFrame(asked);
}

/** Whether the focus is among the rows of a list, or in the record that one of them opened. */
export const isAmongRows = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('tbody, aside') !== null;
