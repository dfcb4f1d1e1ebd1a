import { newId } from '../../visual/new-id.ts';

const place = 'presence-window';

/**
 * The name of this window, which stays when the page is loaded again: otherwise it would seem to be
 * open twice for some seconds. It stands in the storage only between two loadings, because a tab
 * that is duplicated takes what stands there with it.
 */
export const thisWindow = takeName();

window.addEventListener('pagehide', () => keepName(thisWindow));
// The page is back as it was left.
window.addEventListener('pageshow', () => void takeName());

function takeName(): string {
  try {
    const kept = window.sessionStorage.getItem(place);
    window.sessionStorage.removeItem(place);
    if (kept !== null && /^[a-z0-9]{8,40}$/.test(kept)) return kept;
  } catch {
    // Storage is switched off.
  }
  return newId();
}

function keepName(name: string): void {
  try {
    window.sessionStorage.setItem(place, name);
  } catch {
    // Storage is switched off, so the next loading has another name.
  }
}
