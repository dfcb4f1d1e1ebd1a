import {
  keepPreviousData,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { EndpointDefinition, QueryInput, ResponseOf } from '#platform/shared/contract.ts';
import { type ApiError, type CallArguments, call } from './api.ts';
import type { TableState } from './components/data-table-props.ts';

/** The position in a list, and how many rows show at a time. */
export interface ListPlace {
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
}

/**
 * The part of a list that shows, and the way to the rest: numbered pages, or older rows below the
 * newer ones.
 */
export interface List<Row> {
  rows: readonly Row[] | undefined;
  state: TableState;
  pages?: ListPlace & { total: number | undefined };
  /** Absent when everything is loaded. */
  older?: { isFetching: boolean; onFetch: () => void };
}

interface AnswerPage {
  items: readonly unknown[];
  totalCount: number;
}

/**
 * A list in numbered pages: `usePages(queryOptionsFor(listRemovals, { query: { page, limit } }), {
 * page, pageSize, onPage })`.
 */
export function usePages<Answer extends AnswerPage>(
  options: UseQueryOptions<Answer, ApiError>,
  place: ListPlace,
): List<Answer['items'][number]> & { data: Answer | undefined } {
  const query: UseQueryResult<Answer, ApiError> = useQuery({ ...options, placeholderData: keepPreviousData });
  const { data } = query;
  return { data, rows: data?.items, state: query, pages: { ...place, total: data?.totalCount } };
}

interface OlderOptions<D extends EndpointDefinition, Row> {
  query: QueryInput<D>;
  rowsOf: (answer: ResponseOf<D>) => readonly Row[];
  /** What to add to the query for the rows after these. Undefined when these are the last. */
  after: (answer: ResponseOf<D>) => Partial<QueryInput<D>> | undefined;
  staleTime: number;
  /** The rows of the filters before show until those of the new ones are there. */
  keepsRows?: boolean;
  /** Milliseconds after which what shows is read again, as long as one of its rows is moving. */
  follow?: { every: number; isMoving: (row: Row) => boolean };
}

/** A list that continues from where it ends. */
export function useOlder<const D extends EndpointDefinition, Row>(
  endpoint: D,
  { query, rowsOf, after, staleTime, keepsRows, follow }: OlderOptions<D, Row>,
): List<Row> & { first: ResponseOf<D> | undefined } {
  const read = useInfiniteQuery({
    queryKey: [endpoint.path, 'pages', query],
    queryFn: ({ pageParam, signal }) => {
      const input = { query: Object.assign({}, query, pageParam), signal };
      return call(endpoint, ...([input] as unknown as CallArguments<D>));
    },
    initialPageParam: {} as Partial<QueryInput<D>>,
    getNextPageParam: after,
    staleTime,
    ...(keepsRows ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: ({ state: { data: shown } }) =>
      follow && shown?.pages.some((page) => rowsOf(page).some(follow.isMoving)) ? follow.every : false,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = read;
  return {
    first: data?.pages[0],
    rows: data?.pages.flatMap(rowsOf),
    state: read,
    ...(hasNextPage
      ? { older: { isFetching: isFetchingNextPage, onFetch: () => void fetchNextPage() } }
      : {}),
  };
}
