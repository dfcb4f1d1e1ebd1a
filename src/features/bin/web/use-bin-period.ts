import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#features/settings/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { binPeriod } from '../rules.ts';

/** "for 30 days": how long this workspace keeps removed contacts. */
export function useBinPeriod(): string {
  const { data } = useQuery(queryOptionsFor(getSettings));
  return binPeriod(data?.retention.binDays);
}
