import { IconAddressBook, IconMailPlus, IconSearch, IconSparkles } from '@tabler/icons-react';
import { statsOptions } from '#features/audience/web/index.ts';
import { contactsTopic } from '#features/contacts/web/index.ts';
import { getTimeline } from '#features/timeline/contract.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { formatCompact } from '#platform/web/format.ts';
import { emailDatabaseSearch, unreadFilters } from './email-database-search.ts';

const to = '/email-database';

export const emailDatabaseFeature: WebFeature = {
  pages: [
    {
      path: to,
      access: 'signed-in',
      search: emailDatabaseSearch,
      unread: unreadFilters,
      load: () => import('./email-database-page.tsx'),
    },
    { path: '/emails', access: 'signed-in', load: () => import('./emails-alias-page.tsx') },
  ],
  nav: [
    {
      label: 'Email Database',
      to,
      also: ['/emails'],
      icon: IconAddressBook,
      section: 'Audience',
      order: 10,
      goKey: 'e',
      keywords: 'audience contacts subscribers people list members addresses',
      counted: ['contact', 'contacts'],
      count: () => ({ ...statsOptions, select: ({ totalEmails }) => formatCompact(totalEmails) }),
    },
  ],
  commands: [
    {
      label: 'Add Email',
      takes: 'editor',
      icon: IconMailPlus,
      to,
      search: { dialog: 'add' },
      keywords: 'new contact address subscriber',
    },
    {
      label: 'Clean the database',
      takes: 'editor',
      description: 'Remove duplicates, invalid and non-UK contacts',
      icon: IconSparkles,
      to,
      search: { dialog: 'clean' },
      keywords: 'cleanse tidy hygiene dedupe duplicates invalid bounce archive',
    },
  ],
  finder: () => import('./palette-finder.ts'),
  textSearch: { label: 'Search addresses for', to, field: 'search', icon: IconSearch },
  changesWith: { [contactsTopic]: [getTimeline] },
};
