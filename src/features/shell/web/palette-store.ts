import { createSpotlight } from '@mantine/spotlight';

/**
 * Whether the palette is open and which entry is selected, with the functions to open and close it.
 */
export const [paletteStore, palette] = createSpotlight();

/** Selects the first entry in the palette, as the kit does after typing. */
export function selectFirst(): void {
  const { listId } = paletteStore.getState();
  const list = listId ? document.getElementById(listId) : null;
  const first = list?.querySelector('[data-action]');
  if (!list || !first) return;
  list.querySelector('[data-selected]')?.removeAttribute('data-selected');
  first.setAttribute('data-selected', 'true');
  first.scrollIntoView({ block: 'nearest' });
  paletteStore.updateState((state) => ({ ...state, selected: 0 }));
}
