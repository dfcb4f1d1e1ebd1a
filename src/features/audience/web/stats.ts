import { getStats } from '#features/rollups/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';

/** The workspace's figures, read again after a minute. */
export const statsOptions = {
  ...queryOptionsFor(getStats),
  staleTime: 60_000,
  refetchInterval: 60_000,
};
