import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import type { Group, GroupCalls } from './group-calls.ts';

/** Undefined until they are known. Nobody is put on a list that fills itself. */
export function useGroupsToChoose(calls: GroupCalls, enabled = true) {
  const read = useQuery({ ...queryOptionsFor(calls.all), enabled });
  const groups = (read.data as readonly Group[] | undefined)?.filter((one) => !one.isDynamic);
  return { groups, failure: read.error && words(read.error, `The ${calls.noun}s could not be loaded.`) };
}
