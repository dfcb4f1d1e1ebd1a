import { useCallback, useMemo, useState } from 'react';

export interface Selection<K> {
  /** The selected keys. Those of other pages stay selected. */
  keys: ReadonlySet<K>;
  /** Selects every row that matches the filter, including those on other pages. */
  everything: boolean;
  isSelected: (key: K) => boolean;
  toggle: (key: K) => void;
  /** Selects or deselects these. */
  choose: (keys: readonly K[], isChosen: boolean) => void;
  /** Selects all of these, or none if all were selected. */
  togglePage: (keys: readonly K[]) => void;
  selectEverything: () => void;
  clear: () => void;
}

/** Which rows of a table are selected. Clear it after a bulk action and when the filter changes. */
export function useSelection<K extends string | number>(): Selection<K> {
  const [{ keys, everything }, set] = useState<{ keys: ReadonlySet<K>; everything: boolean }>({
    keys: new Set(),
    everything: false,
  });
  const toggle = useCallback((key: K) => {
    set(({ keys: before, everything: all }) => {
      const after = new Set(before);
      // Taking a row out of everything leaves only the rows selected one by one. The other keys are
      // not known here.
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
