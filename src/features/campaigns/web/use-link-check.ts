import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { type Campaign, checkLinks } from '../contract.ts';

export type LinkCheck = UseQueryResult<ResponseOf<typeof checkLinks>>;

/** Tries the links of a campaign. It takes seconds, so the other checks are shown before. */
export function useLinkCheck({ id, updatedAt, sentAt }: Campaign): LinkCheck {
  const mayEdit = useMay('editor');
  return useQuery({
    queryKey: [checkLinks.path, id, updatedAt],
    queryFn: ({ signal }) => call(checkLinks, { params: { id }, signal }),
    enabled: mayEdit && sentAt === null,
    staleTime: 60_000,
  });
}
