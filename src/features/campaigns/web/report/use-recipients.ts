import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#platform/web/api.ts';
import type { List } from '#platform/web/list.ts';
import { type CampaignRecipient, listRecipients } from '../../contract.ts';
import type { RecipientAct } from '../../rules/campaign.ts';

/** Which recipients are shown. */
export interface ShownRecipients {
  /** Absent: those in every state. */
  state: CampaignRecipient['state'] | undefined;
  did: RecipientAct | undefined;
  /** Where a link leads that they followed. */
  link: string | undefined;
  /** Whose opens and clicks count. */
  count: 'people' | 'all';
}

/** The recipients of a campaign, which are walked from where the last page ended. */
export function useRecipients(
  id: number,
  { state, did, link, count, search }: ShownRecipients & { search: string },
): List<CampaignRecipient> {
  const query = {
    ...(state ? { state } : {}),
    ...(did ? { did } : {}),
    ...(link ? { link } : {}),
    count,
    ...(search ? { search } : {}),
  };
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
