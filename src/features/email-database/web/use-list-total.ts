import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { countSelection } from '#features/audience/contract.ts';
import { type ApiError, call } from '#platform/web/api.ts';
import type { ContactList } from './use-contact-list.ts';

/** What is known about how many contacts match. */
export interface ListTotal {
  /** The best number available. Undefined while there is none. */
  shown: number | undefined;
  /** That number comes from a sample. */
  isEstimate: boolean;
  /** The exact number is being counted. */
  isCounting: boolean;
  exact: number | undefined;
  /** The estimate that was or is shown. Undefined when the list knew the number itself. */
  estimate: number | undefined;
}

/**
 * How long a search must stay unchanged before it is counted. Counting while somebody types is
 * wasted work.
 */
const pauseMs = 1000;

/**
 * How many contacts match. If the list has only an estimate, they are counted separately: at once
 * when somebody is about to act on them, otherwise when the filter has not changed for a moment.
 */
export function useListTotal({ query, filter }: ContactList, isNeeded: boolean): ListTotal {
  const { data, isPlaceholderData } = query;
  const isEstimated = data?.totalIsEstimate ?? false;
  const [settled] = useDebouncedValue(filter, pauseMs);
  const counted = useQuery<{ count: number }, ApiError>({
    queryKey: [countSelection.path, { filter }],
    queryFn: ({ signal }) => call(countSelection, { body: { filter }, signal }),
    enabled: isEstimated && !isPlaceholderData && (isNeeded || settled === filter),
    staleTime: 60_000,
  });
  const exact = isEstimated ? counted.data?.count : data?.totalCount;
  return {
    shown: exact ?? data?.totalCount,
    isEstimate: isEstimated && exact === undefined,
    isCounting: isEstimated && exact === undefined && counted.isFetching,
    exact,
    estimate: isEstimated ? data?.totalCount : undefined,
  };
}
