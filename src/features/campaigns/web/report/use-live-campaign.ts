import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiError, addressOf, queryOptionsFor } from '#platform/web/api.ts';
import {
  type Campaign,
  type CampaignProgress,
  followCampaign,
  getBreakdown,
  getCampaign,
  getReport,
  listRecipients,
} from '../../contract.ts';
import { isMoving } from '../../rules/campaign.ts';

/** The server is heard every ten seconds, or is not there. */
const silenceMs = 15_000;
/** The report is read again as often, at most. */
const reportMs = 2_000;

/** A campaign that is followed while it moves, and asked for each second where it cannot be. */
export function useLiveCampaign(id: number): UseQueryResult<Campaign, ApiError> {
  const queryClient = useQueryClient();
  const [isHeard, setHeard] = useState(false);
  const campaign = useQuery({
    ...queryOptionsFor(getCampaign, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) && !isHeard ? 1_000 : false),
  });
  const { data } = campaign;
  const moves = data !== undefined && isMoving(data);
  useEffect(() => {
    if (!moves) return;
    const stop = follow(queryClient, id, setHeard);
    return () => {
      stop();
      setHeard(false);
      for (const { path } of [getReport, getBreakdown, listRecipients])
        void queryClient.invalidateQueries({ queryKey: [path] });
    };
  }, [moves, id, queryClient]);
  useEffect(() => {
    if (data && isMoving(data)) readReportAgain(queryClient, id);
  }, [data, id, queryClient]);
  return campaign;
}

/** Keeps what is known of the campaign at what the server tells. Returns what ends that. */
function follow(queryClient: QueryClient, id: number, onHeard: (isHeard: boolean) => void): () => void {
  const stream = new EventSource(addressOf(followCampaign, { params: { id } }), { withCredentials: true });
  const { queryKey } = queryOptionsFor(getCampaign, { params: { id } });
  const lose = () => onHeard(false);
  let silence = setTimeout(lose, silenceMs);
  const hear = ({ data }: MessageEvent<string>) => {
    clearTimeout(silence);
    silence = setTimeout(lose, silenceMs);
    onHeard(true);
    const progress = JSON.parse(data) as CampaignProgress;
    queryClient.setQueryData<Campaign>(queryKey, (known) => known && { ...known, ...progress });
  };
  const stop = () => {
    clearTimeout(silence);
    stream.close();
  };
  stream.addEventListener('progress', hear);
  stream.addEventListener('done', (event) => {
    hear(event);
    stop();
  });
  // The browser tries again by itself. Meanwhile the page asks.
  stream.addEventListener('error', lose);
  return stop;
}

function readReportAgain(queryClient: QueryClient, id: number): void {
  const { queryKey } = queryOptionsFor(getReport, { params: { id } });
  const known = queryClient.getQueryState(queryKey);
  if (known && Date.now() - known.dataUpdatedAt > reportMs) void queryClient.invalidateQueries({ queryKey });
}
