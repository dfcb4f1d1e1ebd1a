import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

/** The visitor's choice, kept in local storage. `system` follows the operating system. */
const storageKey = 'ui-theme';

const fromStored = (stored: string | null): MantineColorScheme =>
  stored === 'light' || stored === 'dark' ? stored : 'auto';

/**
 * Reads and writes `ui-theme`. The kit's `auto` is the product's `system`. Works without local
 * storage.
 */
export function colourSchemeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  return {
    get: (fallback) => {
      try {
        return fromStored(localStorage.getItem(storageKey));
      } catch {
        return fallback;
      }
    },
    set: (value) => {
      try {
        localStorage.setItem(storageKey, value === 'auto' ? 'system' : value);
      } catch {
        // Storage is switched off or full. The choice lasts until the visitor leaves the page.
      }
    },
    subscribe: (onUpdate) => {
      listener = (event) => {
        if (event.key === storageKey) onUpdate(fromStored(event.newValue));
      };
      window.addEventListener('storage', listener);
    },
    unsubscribe: () => {
      if (listener) window.removeEventListener('storage', listener);
    },
    clear: () => {
      try {
        localStorage.removeItem(storageKey);
      } catch {
        // Nothing was stored.
      }
    },
  };
}
