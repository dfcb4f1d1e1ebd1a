import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { countSelection, listContacts } from '#features/audience/contract.ts';
import { audienceFeature } from '#features/audience/web/index.ts';
import { listRemovals, listRemoved } from '#features/bin/contract.ts';
import { binFeature } from '#features/bin/web/index.ts';
import { contactsFeature, contactsTopic } from '#features/contacts/web/index.ts';
import { listCorrections, listDuplicates, listPastDecisions } from '#features/review/contract.ts';
import { reviewFeature } from '#features/review/web/index.ts';
import { getStats, getUkView } from '#features/rollups/contract.ts';
import {
  listDomainSuppressions,
  listEmailSuppressions,
  suppressionSummary,
} from '#features/suppressions/contract.ts';
import { suppressionsFeature } from '#features/suppressions/web/index.ts';
import { verificationSummary } from '#features/verification/contract.ts';
import { verificationFeature } from '#features/verification/web/index.ts';
import { noteTopics, readAgain } from '#platform/web/query-client.ts';

const calls = [
  ...[getStats, getUkView, listContacts, countSelection, verificationSummary, suppressionSummary],
  ...[listEmailSuppressions, listDomainSuppressions, listCorrections, listDuplicates, listPastDecisions],
  ...[listRemovals, listRemoved],
];

it.each(calls.map(({ path }) => path))(
  '%s is read again when contacts change, so that a screen never shows two states at once',
  async (path) => {
    const queryClient = new QueryClient();
    const features = [audienceFeature, binFeature, contactsFeature, reviewFeature, suppressionsFeature];
    noteTopics(queryClient, [...features, verificationFeature]);
    await queryClient.fetchQuery({ queryKey: [path], queryFn: () => 1, staleTime: 300_000 });
    await readAgain(queryClient, contactsTopic);
    expect(queryClient.getQueryState([path])?.isInvalidated).toBe(true);
  },
);
