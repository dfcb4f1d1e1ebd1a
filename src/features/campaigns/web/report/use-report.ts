import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ApiError, queryOptionsFor } from '#platform/web/api.ts';
import { type Campaign, type CampaignReport, getReport } from '../../contract.ts';

/** What became of a campaign. `useLiveCampaign` has it read again while it is sent. */
export const useReport = ({ id }: Campaign): UseQueryResult<CampaignReport, ApiError> =>
  useQuery(queryOptionsFor(getReport, { params: { id } }));
