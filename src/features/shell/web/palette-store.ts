import { createSpotlight } from '@mantine/spotlight';

/**
 * Whether the palette is open and which of its entries is selected; and how it is opened and
 * closed.
 */
export const [paletteStore, palette] = createSpotlight();

/**
 * Selects the first entry that the palette shows, as the kit itself does once something is typed.
 */
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
