import { IconAddressBook, IconMailPlus, IconSearch, IconSparkles, IconTrash } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { formatCompact } from '#platform/web/format.ts';
import { binSearch } from './bin-search.ts';
import { statsOptions } from './contact-queries.ts';
import { emailDatabaseSearch } from './email-database-search.ts';

export { refreshContacts, statsOptions } from './contact-queries.ts';
export { kindLabels, reasonLabels, verdictLabels } from './contact-words.ts';
export { AddEmailDialog, CleanDialog, CleanPreview, downloadContacts } from './deferred.tsx';
export { useMayEdit } from './permissions.ts';
export { useUndoOf } from './use-undo.ts';
export { useVerify } from './use-verify.ts';

const to = '/email-database';

export const contactsFeature: WebFeature = {
  pages: [
    {
      path: to,
      access: 'signed-in',
      search: emailDatabaseSearch,
      load: () => import('./email-database-page.tsx'),
    },
    { path: '/bin', access: 'signed-in', search: binSearch, load: () => import('./bin-page.tsx') },
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
      count: () => ({ ...statsOptions, select: ({ totalEmails }) => formatCompact(totalEmails) }),
    },
  ],
  commands: [
    {
      label: 'Bin',
      description: 'What was removed, to bring it back',
      icon: IconTrash,
      to: '/bin',
      keywords: 'restore deleted removed trash undo',
    },
    {
      label: 'Add Email',
      icon: IconMailPlus,
      to,
      search: { dialog: 'add' },
      keywords: 'new contact address subscriber',
    },
    {
      label: 'Clean the database',
      description: 'Remove duplicates, invalid and non-UK contacts',
      icon: IconSparkles,
      to,
      search: { dialog: 'clean' },
      keywords: 'cleanse tidy hygiene dedupe duplicates invalid bounce archive',
    },
  ],
  finder: () => import('./palette-finder.ts'),
  textSearch: { label: 'Search addresses for', to, field: 'search', icon: IconSearch },
};
