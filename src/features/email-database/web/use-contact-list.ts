import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type ContactFilter, listContacts } from '#features/audience/contract.ts';
import { useViews } from '#features/views/web/index.ts';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { type UrlStateOptions, useUrlState, writeUrlState } from '#platform/web/url-state.ts';
import { type EmailDatabaseState, emailDatabaseSearch } from './email-database-search.ts';
import { addressChangeFor } from './view-state.ts';

/** The filter in the address, without unused fields. */
function filterIn(state: EmailDatabaseState): ContactFilter {
  const { search, status, domain, verdict, reason, kind, uk, riskFrom, riskTo, source, list, tag, basis } =
    state;
  const given = {
    search: search.trim() || undefined,
    status,
    domain,
    verdict,
    reason,
    kind,
    uk,
    riskFrom,
    riskTo,
    source,
    list,
    tag,
    basis,
    importId: state.import,
    addedFrom: state.from,
    addedTo: state.to,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const optionsFor = (state: EmailDatabaseState) =>
  queryOptionsFor(listContacts, {
    query: {
      ...filterIn(state),
      page: state.page,
      limit: state.size,
      sort: state.sort,
      order: state.order,
    },
  });

const isPlain = (state: EmailDatabaseState): boolean =>
  Object.keys(writeUrlState(emailDatabaseSearch, state)).length === 0;

/**
 * What the address asks for. An address that asks for nothing opens the person's default view.
 * Later on the same screen, asking for nothing means all contacts.
 */
function useAddress() {
  const [asked, changeUrl] = useUrlState(emailDatabaseSearch);
  const saved = useViews('contacts', { retryOnMount: true });
  const first = saved.views?.find(({ id, problem }) => id === saved.choices?.defaultId && problem === null);
  const asksForNothing = isPlain(asked);
  const opening = asksForNothing && first ? addressChangeFor(first, asked) : undefined;
  useEffect(() => {
    if (opening) changeUrl(opening, { replace: true });
  });
  // The view is on screen before the address says so. Otherwise all contacts would flash up in
  // between.
  const state = opening ?? asked;
  const change = useCallback(
    (patch: Partial<EmailDatabaseState>, options?: UrlStateOptions) => {
      const stays = first !== undefined && isPlain({ ...state, ...patch });
      changeUrl(stays ? { ...patch, view: 'all' } : patch, options);
    },
    [changeUrl, first, state],
  );
  // Until it is known whether a view opens, nothing is shown that it would change.
  const isDeciding = asksForNothing && saved.query.isPending;
  return { state, change, saved, opensAView: first !== undefined, isDeciding };
}

/**
 * The contacts of a state. They are fetched before it is decided whether a view opens, because
 * usually none does. They are not shown until then, neither as they are nor as a placeholder for
 * the view's contacts.
 */
function useContacts(state: EmailDatabaseState, isDeciding: boolean) {
  const options = optionsFor(state);
  const key = JSON.stringify(options.queryKey);
  const unseen = useRef<string | null>(null);
  useEffect(() => {
    if (isDeciding) unseen.current = key;
    else if (unseen.current === key) unseen.current = null;
  }, [isDeciding, key]);
  const query = useQuery({
    ...options,
    placeholderData: (before, from) =>
      from && JSON.stringify(from.queryKey) === unseen.current ? undefined : before,
  });
  return isDeciding ? { ...query, data: undefined, isPending: true, error: null } : query;
}

interface StepOptions {
  state: EmailDatabaseState;
  change: (patch: Partial<EmailDatabaseState>, options?: UrlStateOptions) => void;
  rows: readonly { id: number }[] | undefined;
  /** The place of the open record in the rows. Negative: none is open. */
  index: number;
  pages: number | undefined;
}

/** The ways to the records beside the open one, on the neighbouring page if necessary. */
function useSteps({ state, change, rows, index, pages }: StepOptions) {
  const queryClient = useQueryClient();
  const address = JSON.stringify(state);
  // Another page comes late. Whoever has closed the record or left meanwhile is not brought back.
  const now = useRef<string | null>(null);
  useEffect(() => {
    now.current = address;
    return () => {
      now.current = null;
    };
  }, [address]);
  const goTo = async (page: number, place: 0 | -1) => {
    try {
      const { emails } = await queryClient.fetchQuery(optionsFor({ ...state, page }));
      const next = emails.at(place);
      if (next && now.current === address) change({ page, open: next.id }, { replace: true });
    } catch (error) {
      if (now.current === address)
        toastFailed({ title: 'Error', message: words(error, 'The next page could not be loaded.') });
    }
  };
  const step = (by: 1 | -1): (() => void) | undefined => {
    if (index < 0 || !rows || pages === undefined) return undefined;
    const next = rows[index + by];
    if (next) return () => change({ open: next.id }, { replace: true });
    const page = state.page + by;
    return page < 1 || page > pages ? undefined : () => void goTo(page, by === 1 ? 0 : -1);
  };
  return { onPrevious: step(-1), onNext: step(1) };
}

/** The page of contacts that the address asks for, and the steps between records. */
export function useContactList() {
  const { state, change, saved, opensAView, isDeciding } = useAddress();
  const { page, size, open } = state;
  const query = useContacts(state, isDeciding);
  const { data } = query;
  const pages = data ? Math.max(Math.ceil(data.totalCount / size), 1) : undefined;

  // A shared link or a removal may lead past the end.
  const isPastEnd = pages !== undefined && page > pages && !query.isPlaceholderData;
  useEffect(() => {
    if (isPastEnd) change({ page: pages }, { replace: true });
  }, [isPastEnd, pages, change]);

  // The same object for the same filter, whatever else changes in the address. A selection lasts as
  // long as this object.
  const text = JSON.stringify(filterIn(state));
  const filter = useMemo<ContactFilter>(() => JSON.parse(text), [text]);

  const rows = data?.emails;
  const index = rows?.findIndex(({ id }) => id === open) ?? -1;
  return {
    state,
    change,
    query,
    rows,
    filter,
    index,
    ...useSteps({ state, change, rows, index, pages }),
    saved,
    opensAView,
    isDeciding,
  };
}

export type ContactList = ReturnType<typeof useContactList>;
