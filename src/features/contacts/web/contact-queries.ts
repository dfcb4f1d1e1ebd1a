import type { QueryClient } from '@tanstack/react-query';
import { listActivities } from '#features/activities/contract.ts';
import { listDomainSuppressions, listEmailSuppressions } from '#features/suppressions/contract.ts';
import { getTimeline } from '#features/timeline/contract.ts';
import {
  contactEvidence,
  listCorrections,
  listDuplicates,
  listPatternContacts,
  listVerifications,
  verificationSummary,
} from '#features/verification/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import {
  countSelection,
  getContact,
  getStats,
  getUkView,
  listContacts,
  listFields,
  listSources,
} from '../contract.ts';

/** The workspace's figures, read again after a minute. */
export const statsOptions = {
  ...queryOptionsFor(getStats),
  staleTime: 60_000,
  refetchInterval: 60_000,
};

/** Every call whose answer changes when contacts come, go, or are put on the suppression list. */
const affected = [
  listContacts,
  countSelection,
  listSources,
  listFields,
  getContact,
  getTimeline,
  getStats,
  getUkView,
  contactEvidence,
  verificationSummary,
  listVerifications,
  listCorrections,
  listPatternContacts,
  listDuplicates,
  listActivities,
  listEmailSuppressions,
  listDomainSuppressions,
].map(({ path }) => path);

/** Reads again whatever shows contacts, their figures, or what happened to them. Resolves when what is on screen is new. */
export async function refreshContacts(queryClient: QueryClient): Promise<void> {
  await Promise.all(affected.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}
