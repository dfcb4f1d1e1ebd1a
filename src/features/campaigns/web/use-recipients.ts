import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#platform/web/api.ts';
import type { List } from '#platform/web/list.ts';
import { type CampaignRecipient, listRecipients } from '../contract.ts';

/** The recipients of a campaign, which are walked from where the last page ended. */
export function useRecipients(
  id: number,
  { state, search }: { state: CampaignRecipient['state'] | undefined; search: string },
): List<CampaignRecipient> {
  const query = { ...(state ? { state } : {}), ...(search ? { search } : {}) };
  const read = useInfiniteQuery({
    queryKey: [listRecipients.path, id, query],
    queryFn: ({ pageParam, signal }) =>
      call(listRecipients, {
        params: { id },
        query: { ...query, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 2_000,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = read;
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    state: read,
    ...(hasNextPage
      ? { older: { isFetching: isFetchingNextPage, onFetch: () => void fetchNextPage() } }
      : {}),
  };
}
