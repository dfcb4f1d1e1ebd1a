import { useCallback, useMemo } from 'react';
import type { ViewPlace } from '#features/views/web/index.ts';
import { usualKeys } from './contact-columns.tsx';
import type { ContactList } from './use-contact-list.ts';
import { addressChangeFor, addressChangeForAll, viewStateIn } from './view-state.ts';

/**
 * The open view, and the columns: those in the address, else the person's own, else the usual ones.
 */
export function useContactViews({ state, change, saved, opensAView }: ContactList) {
  const { views, choices, choose } = saved;
  const open = views?.find(({ id, problem }) => id === state.view && problem === null);
  const text = JSON.stringify(state.columns ?? choices?.columns ?? null);
  const keys = useMemo<string[] | null>(() => JSON.parse(text), [text]);
  const isOwn = state.columns === undefined && open === undefined;

  const place: ViewPlace = {
    screen: 'contacts',
    allLabel: 'All contacts',
    // A new view stores the columns on screen, even if they are the person's own. An open view
    // stores those in the address.
    state: viewStateIn(state, open ? state.columns : (keys ?? undefined)),
    open,
    onOpen: (view) => change(addressChangeFor(view, state)),
    onAll: () => change(addressChangeForAll(state, opensAView)),
  };
  /**
   * Null for the usual columns. In a view, or with columns in the address, the change affects only
   * those. Otherwise it is stored as the person's own.
   */
  const chooseColumns = useCallback(
    (wanted: string[] | null) => {
      if (isOwn) choose({ columns: wanted });
      else change({ columns: wanted ?? undefined }, { replace: true });
    },
    [isOwn, choose, change],
  );
  const columns = {
    keys: keys ?? usualKeys,
    isChosen: (isOwn ? choices?.columns : state.columns) != null,
    hint: isOwn ? 'For you, in this workspace' : 'Save the view to keep them',
    onChoose: chooseColumns,
  };
  return { place, keys, columns };
}

export type ContactViews = ReturnType<typeof useContactViews>;
