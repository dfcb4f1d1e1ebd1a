import { IconChecklist } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import { verificationSummary } from '#features/verification/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { formatCompact } from '#platform/web/format.ts';
import {
  listCorrectedContacts,
  listCorrections,
  listDuplicates,
  listPastDecisions,
  listPatternContacts,
} from '../contract.ts';
import { reviewWords } from '../rules/words.ts';
import { reviewSearch } from './review-search.ts';

const to = '/review';

export const reviewFeature: WebFeature = {
  words: reviewWords,
  eventWords: () => import('./event-words.ts'),
  pages: [{ path: to, access: 'signed-in', search: reviewSearch, load: () => import('./review-page.tsx') }],
  nav: [
    {
      label: 'Review',
      to,
      icon: IconChecklist,
      section: 'Audience',
      order: 20,
      goKey: 'r',
      counted: ['to decide', 'to decide'],
      count: () => ({
        ...queryOptionsFor(verificationSummary),
        staleTime: 60_000,
        select: ({ suggestions, sharedMailboxes }) => formatCompact(suggestions + sharedMailboxes),
      }),
    },
  ],
  commands: [
    {
      label: 'Review corrections',
      isPlace: true,
      description: 'Addresses that look like slips',
      icon: IconChecklist,
      to,
      keywords: 'typo suggestion verify',
    },
    {
      label: 'Review duplicate people',
      isPlace: true,
      description: 'Contacts that share a mailbox',
      icon: IconChecklist,
      to,
      search: { tab: 'duplicates' },
      keywords: 'merge same person',
    },
    {
      label: 'Past corrections and merges',
      isPlace: true,
      description: 'What was decided, and the way back',
      icon: IconChecklist,
      to,
      search: { tab: 'history' },
      keywords: 'history undo unmerge',
    },
  ],
  changesWith: {
    [contactsTopic]: [
      ...[listCorrections, listPatternContacts, listDuplicates],
      ...[listPastDecisions, listCorrectedContacts],
    ],
  },
};
