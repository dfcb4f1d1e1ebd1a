import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ApiError, queryOptionsFor } from '#platform/web/api.ts';
import { type Campaign, type CampaignReport, getReport } from '../../contract.ts';
import { isMoving } from '../campaign-words.ts';

/** What became of a campaign, read again while it is sent. */
export const useReport = (campaign: Campaign): UseQueryResult<CampaignReport, ApiError> =>
  useQuery({
    ...queryOptionsFor(getReport, { params: { id: campaign.id } }),
    refetchInterval: isMoving(campaign) ? 2_000 : false,
  });
