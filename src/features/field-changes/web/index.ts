import { IconPencil } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { listFieldChanges } from '../contract.ts';
import { fieldChangesWords } from '../rules/words.ts';
import { fieldChangesSearch } from './field-changes-search.ts';

export { useSetFields } from './use-set-fields.tsx';

export const fieldChangesFeature: WebFeature = {
  words: fieldChangesWords,
  eventWords: () => import('./event-words.ts'),
  pages: [
    {
      path: '/field-changes',
      access: 'signed-in',
      search: fieldChangesSearch,
      load: () => import('./field-changes-page.tsx'),
    },
  ],
  commands: [
    {
      label: 'Changed fields',
      description: 'What was set for many contacts, to take it back',
      icon: IconPencil,
      to: '/field-changes',
      keywords: 'bulk edit set undo names notes',
    },
  ],
  changesWith: { [contactsTopic]: [listFieldChanges] },
};
