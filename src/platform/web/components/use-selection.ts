import { useCallback, useMemo, useState } from 'react';

export interface Selection<K> {
  /** The chosen keys; those of other pages stay chosen. */
  keys: ReadonlySet<K>;
  /** Every row that matches the filter, also those not on this page. */
  everything: boolean;
  isSelected: (key: K) => boolean;
  toggle: (key: K) => void;
  /** Chooses these, or takes them out. */
  choose: (keys: readonly K[], isChosen: boolean) => void;
  /** Chooses all of these, or none if all were chosen. */
  togglePage: (keys: readonly K[]) => void;
  selectEverything: () => void;
  clear: () => void;
}

/** Which rows of a table are chosen. Clear it after a bulk action and when the filter changes. */
export function useSelection<K extends string | number>(): Selection<K> {
  const [{ keys, everything }, set] = useState<{ keys: ReadonlySet<K>; everything: boolean }>({
    keys: new Set(),
    everything: false,
  });
  const toggle = useCallback((key: K) => {
    set(({ keys: before, everything: all }) => {
      const after = new Set(before);
      // Taken out of everything, what is left is what was chosen one by one: the rest is not known
      // here.
      if (!after.delete(key) && !all) after.add(key);
      return { keys: after, everything: false };
    });
  }, []);
  const choose = useCallback((some: readonly K[], isChosen: boolean) => {
    set(({ keys: before }) => {
      const after = new Set(before);
      for (const key of some) isChosen ? after.add(key) : after.delete(key);
      return { keys: after, everything: false };
    });
  }, []);
  const togglePage = useCallback((page: readonly K[]) => {
    set(({ keys: before, everything: all }) => {
      const after = new Set(before);
      const remove = all || page.every((key) => before.has(key));
      for (const key of page) remove ? after.delete(key) : after.add(key);
      return { keys: all ? new Set() : after, everything: false };
    });
  }, []);
  const selectEverything = useCallback(
    () => set(({ keys: chosen }) => ({ keys: chosen, everything: true })),
    [],
  );
  const clear = useCallback(() => set({ keys: new Set(), everything: false }), []);
  return useMemo(
    () => ({
      keys,
      everything,
      isSelected: (key: K) => everything || keys.has(key),
      toggle,
      choose,
      togglePage,
      selectEverything,
      clear,
    }),
    [keys, everything, toggle, choose, togglePage, selectEverything, clear],
  );
}
