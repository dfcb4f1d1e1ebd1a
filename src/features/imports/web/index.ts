import { IconFileImport } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { importsWords } from '../rules/words.ts';
import { importSearch, importsSearch } from './import-search.ts';

export { ImportDropArea } from './deferred.tsx';

export const importsFeature: WebFeature = {
  words: importsWords,
  pages: [
    {
      path: '/imports',
      access: 'signed-in',
      search: importsSearch,
      load: () => import('./imports-page.tsx'),
    },
    { path: '/import', access: 'signed-in', load: () => import('./imports-alias.tsx') },
    {
      path: '/imports/$id',
      access: 'signed-in',
      search: importSearch,
      load: () => import('./import-page.tsx'),
    },
  ],
  nav: [
    {
      label: 'Import Data',
      to: '/imports',
      also: ['/import'],
      icon: IconFileImport,
      section: 'Audience',
      order: 40,
      goKey: 'i',
      keywords: 'upload csv excel xlsx file paste audience mailchimp',
    },
  ],
  commands: [
    {
      label: 'Import a CSV',
      takes: 'editor',
      description: 'Check a file and bring it in',
      icon: IconFileImport,
      to: '/imports',
      keywords: 'upload file contacts audience subscribers list start import mailchimp',
    },
  ],
  background: () => import('./import-tasks.tsx'),
  // One that was undone tells when what it had added was restored.
  changesWith: { [contactsTopic]: [{ path: '/api/imports' }, { path: '/api/imports/:id' }] },
};
