import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { listSegmentFields } from '../contract.ts';

/** The fields, operators and options there are. Lists and tags may be new, so it asks each time. */
export const useOffered = () => useQuery({ ...queryOptionsFor(listSegmentFields), staleTime: 10_000 });
