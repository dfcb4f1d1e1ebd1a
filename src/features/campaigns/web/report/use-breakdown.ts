import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ApiError, queryOptionsFor } from '#platform/web/api.ts';
import { type Breakdown, type Campaign, getBreakdown } from '../../contract.ts';
import { isMoving } from '../../rules/campaign.ts';

/** As often the figures are read again while they are counted or change. */
const againMs = 5_000;

/** A campaign by receiving domain and by link, in people. */
export const useBreakdown = (campaign: Campaign): UseQueryResult<Breakdown, ApiError> =>
  useQuery({
    ...queryOptionsFor(getBreakdown, { params: { id: campaign.id } }),
    refetchInterval: ({ state }) => (isMoving(campaign) || state.data?.isCounting ? againMs : false),
  });
