import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type ApiError, queryOptionsFor } from '#platform/web/api.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import {
  type DomainSuppression,
  type EmailSuppression,
  listDomainSuppressions,
  listEmailSuppressions,
  type SuppressionFilter,
  suppressionSummary,
} from '../contract.ts';
import { suppressionsSearch } from './suppressions-search.ts';

/** An entry of either list. `name` is what it suppresses. */
export type Entry = Omit<EmailSuppression, 'email'> & { name: string };

const ofEmail = ({ email, ...rest }: EmailSuppression): Entry => ({ ...rest, name: email });
const ofDomain = ({ domain, ...rest }: DomainSuppression): Entry => ({ ...rest, name: domain });

interface EntryPage {
  items: Entry[];
  totalCount: number;
  totalIsEstimate: boolean;
}

/** The page that the address asks for. Declares both tabs' queries, but runs only the open one. */
export function useSuppressionList() {
  const [state, change] = useUrlState(suppressionsSearch);
  const { tab, page, size, reason } = state;
  const search = state.search.trim();
  const query = { page, limit: size, search: search || undefined, reason };
  const emails = useQuery({
    ...queryOptionsFor(listEmailSuppressions, { query }),
    enabled: tab === 'emails',
    placeholderData: keepPreviousData,
    select: (found): EntryPage => ({ ...found, items: found.items.map(ofEmail) }),
  });
  const domains = useQuery({
    ...queryOptionsFor(listDomainSuppressions, { query }),
    enabled: tab === 'domains',
    placeholderData: keepPreviousData,
    select: (found): EntryPage => ({ ...found, items: found.items.map(ofDomain) }),
  });
  const list: UseQueryResult<EntryPage, ApiError> = tab === 'emails' ? emails : domains;

  // A shared link, or a removal, may lead past the end. For an estimated total the end is unknown.
  const { data } = list;
  const pages = data ? Math.max(Math.ceil(data.totalCount / size), 1) : undefined;
  const isPastEnd =
    pages !== undefined && page > pages && data?.items.length === 0 && !list.isPlaceholderData;
  useEffect(() => {
    if (isPastEnd) change({ page: pages }, { replace: true });
  }, [isPastEnd, pages, change]);

  const filter = useMemo<SuppressionFilter>(
    () => ({ ...(search ? { search } : {}), ...(reason ? { reason } : {}) }),
    [search, reason],
  );
  const summary = useQuery(queryOptionsFor(suppressionSummary)).data;
  return { state, change, query: list, rows: data?.items, filter, summary };
}

export type SuppressionList = ReturnType<typeof useSuppressionList>;
