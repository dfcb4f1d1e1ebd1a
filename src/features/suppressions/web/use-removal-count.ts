import { useQuery } from '@tanstack/react-query';
import { type ApiError, call } from '#platform/web/api.ts';
import {
  listDomainSuppressions,
  listEmailSuppressions,
  type SuppressionFilter,
  type SuppressionReason,
} from '../contract.ts';
import type { Tab } from './suppressions-search.ts';

/** What to take off the list. */
export interface Removal {
  tab: Tab;
  /** One entry, several named ones, or all that match. */
  chosen: { id: number; name: string } | { ids: number[] } | { filter: SuppressionFilter };
  /** The reasons why they are on the list, as far as known. */
  reasons: ReadonlySet<SuppressionReason>;
}

export interface RemovalCount {
  /** Undefined while all that match are being counted, and where that has failed. */
  count: number | undefined;
  /** For a search with very many matches. */
  isEstimate: boolean;
  /** Why they could not be counted, or null. */
  error: ApiError | null;
}

/**
 * How many entries a removal is about. All that match are counted each time the dialog opens: the
 * list behind it may be older, or that of another search.
 */
export function useRemovalCount(removal: Removal | null, isOpen: boolean): RemovalCount {
  const filter = removal !== null && 'filter' in removal.chosen ? removal.chosen.filter : undefined;
  const isOfEmails = removal?.tab === 'emails';
  const { data, isFetching, error } = useQuery<{ totalCount: number; totalIsEstimate: boolean }, ApiError>({
    queryKey: ['removal count', isOfEmails, filter],
    queryFn: ({ signal }) => {
      const asked = { query: { ...filter, limit: 1 }, signal };
      return isOfEmails ? call(listEmailSuppressions, asked) : call(listDomainSuppressions, asked);
    },
    enabled: isOpen && filter !== undefined,
    // Only a fresh count is useful here.
    staleTime: 0,
    gcTime: 0,
  });
  if (removal === null || filter) {
    const count = isFetching || error ? undefined : data?.totalCount;
    return { count, isEstimate: data?.totalIsEstimate ?? false, error };
  }
  const count = 'ids' in removal.chosen ? removal.chosen.ids.length : 1;
  return { count, isEstimate: false, error: null };
}
